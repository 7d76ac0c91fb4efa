/** Folders where logs are looked for, and whether what ran somewhere belongs to a worktree. What cannot be read is not there. */
import * as fs from 'node:fs';
import path from 'node:path';

export function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

export function look(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file);
  } catch {
    return undefined;
  }
}

/** Opens a file to read; without O_NONBLOCK, a FIFO in its place would hang the capture. @throws what `fs.openSync` throws */
export function openToRead(file: string): number {
  return fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
}

/** Tells whether a directory belongs to the worktree with this root: a repository or worktree inside it is another project. */
export function liesWithin(directory: string, root: string): boolean {
  if (!(directory === root || directory.startsWith(`${root}/`))) return false;
  for (let at = directory; at.length > root.length; at = path.dirname(at)) {
    if (look(path.join(at, '.git')) !== undefined) return false;
  }
  return true;
}
