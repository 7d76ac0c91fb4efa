/** Names that a plan must not touch: those that lead out of the worktree, and those that stand for a git directory. */
import { contextError } from '../../base/errors.js';
import { isDotGit, toRepoPath, type BytePath } from '../../base/path.js';
import type { DraftState } from './draft-state.js';
import type { Draft, DraftEntry, Ends } from './draft.js';

/**
 * A file of the user's own may be called `.GIT` or `git~1`, or `.git` in a directory that is no repository: there, or on
 * another file system, that is a git directory, so it is neither written nor removed, and that is said. Captures keep such
 * a file beside the tree; where a tree itself holds the name, no capture made it, and `refuseNames` refuses it.
 */
export function keepGitNames(draft: Draft, { present, target }: Ends): void {
  for (const entry of draft.values()) {
    if (entry.kept !== undefined || !standsForGit(entry.path)) continue;
    const isBeside = (state: DraftState, diverted: ReadonlySet<BytePath>): boolean =>
      state.kind === 'absent' || state.kind === 'directory' || diverted.has(entry.path);
    if (isBeside(entry.before, present.diverted) && isBeside(entry.after, target.diverted)) {
      entry.kept = { reason: 'git_name' };
    }
  }
}

/** The worktree's own git directory is in no snapshot, beside the tree neither. */
function standsForGit(path: BytePath): boolean {
  const parts = path.split('/');
  return parts.some(isDotGit) && parts[0] !== '.git';
}

/**
 * A snapshot may come from somebody else: one name that leads out of the worktree, or into git, refuses it as a whole.
 * @throws path_refused
 */
export function refuseNames(entries: readonly DraftEntry[]): void {
  for (const { path, kept } of entries) {
    const parts = path.split('/');
    const leads = parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0'));
    if (leads) throw refused(path, 'it leads out of the worktree');
    if (kept === undefined && parts.some(isDotGit)) throw refused(path, 'it belongs to git');
  }
}

function refused(path: BytePath, reason: string): Error {
  return contextError('path_refused', { path: toRepoPath(path).path, reason });
}
