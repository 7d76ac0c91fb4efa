/** The paths that may differ from the private index, which git is asked for; also before the scan that needs them begins. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Git, GitRun } from '../../base/git-command.js';
import { onlyDirectoryFile } from '../listing/directory-file.js';
import { scriptedStatuses, statusScript } from '../listing/directory-status.js';
import type { ForeseenSuspects } from '../place/place.js';

/** Up to this size one thread looks at all files while Node loads its program; more of them would be in Node's way. */
const ONE_THREAD_BYTES = 2 * 1024 * 1024;
/** With a smaller file of directories, about 200 of them, a shell costs more than it spares. */
const SHELL_BYTES = 64 * 1024;

export interface SuspectsQuestion {
  /** Absolute path of the worktree's root. */
  readonly root: string;
  /** The private index. */
  readonly file: string;
}

/** Returns what git is asked; other codes than 0 say that it cannot read the index. */
export function suspectsRun({ root, file }: SuspectsQuestion, more: readonly string[] = []): GitRun {
  const env = { GIT_INDEX_FILE: file, GIT_WORK_TREE: root };
  const args = [...more, 'diff-files', '--raw', '-z', '--no-renames', '--ignore-submodules=all'];
  return { args, env, accept: [1, 128] };
}

export interface Foresight {
  readonly git: Git;
  /** Absolute path of the worktree's root. */
  readonly root: string;
  /** Folder of the private index. */
  readonly folder: string;
  /** The present, milliseconds since 1970 UTC. */
  readonly now: number;
}

/** Asks git about the only private index in a folder. @throws where there is no such folder */
export function foreseeSuspects({ git, root, folder, now }: Foresight): ForeseenSuspects | undefined {
  const names = readdirSync(folder);
  const [name, ...others] = names.filter(isIndexName);
  if (name === undefined || others.length > 0) return undefined;
  const file = path.join(folder, name);
  const asked = { file, key: indexKey(file), at: now };
  if (statSync(file).size > ONE_THREAD_BYTES)
    return { ...asked, answer: git.run(suspectsRun({ root, file })).catch(() => undefined) };
  const run = suspectsRun({ root, file }, ['-c', 'core.preloadIndex=false']);
  const listed = onlyDirectoryFile(names);
  if (listed === undefined || statSync(path.join(folder, listed)).size < SHELL_BYTES)
    return { ...asked, answer: git.run(run).catch(() => undefined) };
  const { answer, result } = git.runAfter(statusScript(path.join(folder, listed)), run);
  const directories = { file: listed, answer: answer.then(scriptedStatuses) };
  return { ...asked, answer: result.catch(() => undefined), directories };
}

export function isIndexName(name: string): boolean {
  return /^index-\d+$/.test(name);
}

/** The status of a private index; 'none' where it is not there. */
export function indexKey(file: string): string {
  try {
    const { size, ino, mtimeMs } = statSync(file);
    return `${String(size)} ${String(ino)} ${String(mtimeMs)}`;
  } catch {
    return 'none';
  }
}
