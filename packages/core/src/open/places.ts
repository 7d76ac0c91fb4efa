/** Where the parts of a repository and of the user's own files are. */
import path from 'node:path';
import type { FoundRepository } from '../store/git/discover.js';
import type { PrivateRepositoryPlace } from '../store/git/private-repository.js';
import type { GitPlace } from '../store/git/system/process.js';

// The XDG base directory specification: a relative path is to be ignored.
export function configHome(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const named = env['XDG_CONFIG_HOME'] ?? '';
  return path.isAbsolute(named) ? named : path.join(home, '.config');
}

export function objectsOf({ commonDirectory }: FoundRepository): string {
  return path.join(commonDirectory, 'objects');
}

/** The private git directory of a worktree, with all that its scans remember. */
export function scanFolder(found: FoundRepository, worktree: string): string {
  return worktreeFolder(found, 'scan', worktree);
}

/** A worktree's folder of a kind. */
export function worktreeFolder(
  { commonDirectory }: FoundRepository,
  kind: 'scan' | 'restores',
  worktree: string,
): string {
  return path.join(commonDirectory, 'savepoint', kind, worktree === '' ? 'none' : worktree);
}

export function privatePlaceOf(found: FoundRepository, directory: string): PrivateRepositoryPlace {
  const shared = found.config.get('core.sharedrepository');
  const { objectFormat } = found;
  return { directory, objects: objectsOf(found), objectFormat, ...(shared === undefined ? {} : { shared }) };
}

/** Where the user's own git stands. */
export function userPlace(
  { root, gitDirectory }: FoundRepository,
  environment: Readonly<Record<string, string | undefined>>,
): GitPlace {
  return { directory: root, environment, variables: { GIT_DIR: gitDirectory, GIT_WORK_TREE: root } };
}
