/** Which paths an operation is about: the whole worktree, or the files and directories that were named. */
import { contextError } from '../../base/errors.js';
import { bytePath, fromRepoPath, toRepoPath, type BytePath, type RepoPath } from '../../base/path.js';

export interface Scope {
  /** Absent: the whole worktree. */
  readonly paths?: readonly BytePath[];
  includes(path: BytePath): boolean;
}

export const WHOLE: Scope = { includes: () => true };

/** Returns the scope of paths as a person names them; an empty list must never mean "all". @throws path_outside; argument_malformed */
export function namedScope(named: readonly (string | RepoPath)[] | undefined): Scope {
  if (named === undefined) return WHOLE;
  if (named.length === 0) {
    throw contextError('argument_malformed', { value: '[]', argument: 'paths', reason: 'it names no path' });
  }
  const paths = [...new Set(named.map(readPath))].sort();
  return paths.includes('') ? WHOLE : scopeOf(paths);
}

/** Returns the scope of exact paths and all below them. */
function scopeOf(paths: readonly BytePath[]): Scope {
  const wanted = new Set(paths);
  const includes = (path: BytePath): boolean => {
    if (wanted.has(path)) return true;
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      if (wanted.has(path.slice(0, at))) return true;
    }
    return false;
  };
  return { paths, includes };
}

/** Returns the scope of these paths alone, without what is below them. */
export function exactScope(paths: Iterable<BytePath>): Scope {
  const wanted = new Set(paths);
  return { paths: [...wanted].sort(), includes: (path) => wanted.has(path) };
}

function readPath(named: string | RepoPath): BytePath {
  const path = typeof named === 'string' ? bytePath(named) : fromRepoPath(named);
  // Such as a shell makes of a variable that is not set; whoever means everything writes a dot.
  if (path === '')
    throw contextError('argument_malformed', { value: '""', argument: 'PATH', reason: 'it names no path' });
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (path.startsWith('/') || path.includes('\0') || parts.includes('..')) {
    throw contextError('path_outside', { path: toRepoPath(path).path });
  }
  return parts.join('/');
}
