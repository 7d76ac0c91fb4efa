/** Looks at single paths of the worktree, without a scan: what stands there, and how old it is. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type BigIntStats,
} from 'node:fs';
import type { BytePath } from '../base/path.js';
import type { ObjectFormat } from '../model/tree/anchor.js';
import { objectHash, objectId } from '../model/tree/object-id.js';
import type { FileState } from '../model/tree/tree-change.js';
import { lookAt, systemPath } from './place/file-stat.js';

export interface SeenPath {
  /** Absent for what is neither file, link nor directory, and for a file that cannot be read. */
  readonly state?: FileState;
  /** Milliseconds since 1970 UTC: the earliest of what the system says about its age. */
  readonly since: number;
}

const PIECE_BYTES = 256 * 1024;

/** Returns what stands at each of the paths; where nothing does, or behind a link, the path is not among them. */
export function lookAtPaths(
  { root, objectFormat }: { readonly root: string; readonly objectFormat: ObjectFormat },
  paths: readonly BytePath[],
): ReadonlyMap<BytePath, SeenPath> {
  const found = new Map<BytePath, SeenPath>();
  const isReal = realDirectories(root);
  for (const path of paths) {
    const status = isReal(parentOf(path)) ? lookAt(root, path) : undefined;
    if (status === undefined) continue;
    const state = stateOf(systemPath(root, path), status, objectFormat);
    found.set(path, { ...(state !== undefined && { state }), since: ageOf(status) });
  }
  return found;
}

/** Returns the names in those of the paths that are directories, behind no link, and can be listed. */
export function listDirectories(
  { root }: { readonly root: string },
  paths: readonly BytePath[],
): ReadonlyMap<BytePath, readonly BytePath[]> {
  const isReal = realDirectories(root);
  const found = new Map<BytePath, readonly BytePath[]>();
  for (const path of paths.filter(isReal)) {
    try {
      found.set(path, readdirSync(systemPath(root, path), { encoding: 'latin1' }));
    } catch {
      // Whoever asks has to take it for one of which nothing is known.
    }
  }
  return found;
}

/** Tells of each path whether it is a directory, and every one above it too; each is looked at once. */
function realDirectories(root: string): (directory: BytePath) => boolean {
  const directories = new Map<BytePath, boolean>([['', true]]);
  const isReal = (directory: BytePath): boolean => {
    const known = directories.get(directory);
    if (known !== undefined) return known;
    const real = isReal(parentOf(directory)) && lookAt(root, directory)?.isDirectory() === true;
    directories.set(directory, real);
    return real;
  };
  return isReal;
}

function parentOf(path: BytePath): BytePath {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function ageOf({ mtimeMs, birthtimeMs }: BigIntStats): number {
  // Where the file system does not keep it, the birth time is 0 or that of the last change.
  return Number(birthtimeMs > 0n && birthtimeMs < mtimeMs ? birthtimeMs : mtimeMs);
}

function stateOf(file: string | Buffer, status: BigIntStats, format: ObjectFormat): FileState | undefined {
  const permissions = Number(status.mode & 0o7777n);
  if (status.isDirectory()) return { kind: 'directory', permissions };
  try {
    if (status.isSymbolicLink()) {
      return { kind: 'link', blob: objectId(format, 'blob', readlinkSync(file, { encoding: 'buffer' })) };
    }
    return status.isFile() ? readFile(file, permissions, format) : undefined;
  } catch {
    return undefined;
  }
}

function readFile(file: string | Buffer, permissions: number, format: ObjectFormat): FileState | undefined {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(descriptor);
    const hash = objectHash(format, 'blob', size);
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size + 1));
    let total = 0;
    for (let read = readSync(descriptor, piece); read > 0; read = readSync(descriptor, piece)) {
      hash.update(piece.subarray(0, read));
      total += read;
    }
    return total === size ? { kind: 'file', blob: hash.digest('hex'), size, permissions } : undefined;
  } finally {
    closeSync(descriptor);
  }
}
