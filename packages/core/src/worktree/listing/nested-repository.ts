/** Whether a directory of the worktree is a repository of its own, by the names in it. */
import { lstatSync, readFileSync, statSync } from 'node:fs';
import type { BytePath } from '../../base/path.js';
import { systemPath } from '../place/file-stat.js';
import { join } from './directory.js';

export interface Typed {
  readonly name: BytePath;
  readonly type: 'file' | 'directory' | 'special';
}

/** Looks for a worktree (`.git` is a directory with a HEAD, or a file that names one, or a link to either) or a bare repository. */
export function looksLikeRepository(root: string, path: BytePath, types: readonly Typed[]): 'yes' | 'maybe' | 'no' {
  const has = (name: string, type: Typed['type']): boolean =>
    types.some((one) => one.name === name && one.type === type);
  if (has('.git', 'directory')) return exists(root, join(path, '.git/HEAD')) ? 'yes' : 'maybe';
  if (has('.git', 'file')) {
    const isOne = namesGitDirectory(root, join(path, '.git')) || exists(root, join(path, '.git/HEAD'));
    return isOne ? 'yes' : 'maybe';
  }
  return has('HEAD', 'file') && has('objects', 'directory') && has('refs', 'directory') ? 'yes' : 'no';
}

function exists(root: string, path: BytePath): boolean {
  try {
    lstatSync(systemPath(root, path));
    return true;
  } catch {
    return false;
  }
}

/** As git has it: a larger file names no repository. */
const MAX_POINTER_BYTES = 1 << 20;

function namesGitDirectory(root: string, path: BytePath): boolean {
  try {
    const file = systemPath(root, path);
    const stat = statSync(file);
    return stat.isFile() && stat.size <= MAX_POINTER_BYTES && readFileSync(file, 'latin1').startsWith('gitdir: ');
  } catch {
    return false;
  }
}
