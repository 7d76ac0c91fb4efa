/** What `lstat` says of a file, as a key that changes whenever the content can have changed. */
import { lstatSync, type BigIntStats } from 'node:fs';
import { pathBytes, type BytePath } from '../../base/path.js';

/** Two writes within one tick of the file system's clock cannot be told apart; kernels tick every 1 to 10 ms. */
const FINE_TICK_NANOSECONDS = 20_000_000n;
/** File systems without fractions of a second keep 1 s (HFS+, ext3) or 2 s (FAT). */
const COARSE_TICK_NANOSECONDS = 2_000_000_000n;
const SECOND = 1_000_000_000n;

/** Returns the path for a file system call. ASCII goes as text, which is quicker. */
export function systemPath(root: string, path: BytePath): string | Buffer {
  if (/^[\x00-\x7f]*$/.test(path)) return path === '' ? root : `${root}/${path}`;
  return Buffer.concat([Buffer.from(`${root}/`), pathBytes(path)]);
}

/** Returns the status of a path without following a link, or undefined if nothing is there. */
export function lookAt(root: string, path: BytePath): BigIntStats | undefined {
  try {
    return lstatSync(systemPath(root, path), { bigint: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
}

/** The status in one line: mtime, ctime (nanoseconds), size, inode, mode, uid, gid, device. */
export function statKey(stat: BigIntStats): string {
  return [stat.mtimeNs, stat.ctimeNs, stat.size, stat.ino, stat.mode, stat.uid, stat.gid, stat.dev].join(' ');
}

/** Tells whether a later write within the same tick could leave the status as it is. `read` is when reading began. */
export function isRacy(stat: { readonly mtimeNs: bigint; readonly ctimeNs: bigint }, read: number): boolean {
  const latest = stat.mtimeNs > stat.ctimeNs ? stat.mtimeNs : stat.ctimeNs;
  const coarse = stat.mtimeNs % SECOND === 0n && stat.ctimeNs % SECOND === 0n;
  return latest + (coarse ? COARSE_TICK_NANOSECONDS : FINE_TICK_NANOSECONDS) > BigInt(Math.floor(read)) * 1_000_000n;
}

/** The same for git, which compares whole seconds: such a file is not marked as unchanged in the private index. */
export function isRacyForGit(key: string, read: number): boolean {
  // Exact to a fraction of a microsecond, which is plenty here, and this is asked for every file.
  const [mtime, ctime] = key.split(' ', 2).map(Number);
  return Math.max(mtime ?? 0, ctime ?? 0) + Number(COARSE_TICK_NANOSECONDS) > read * 1e6;
}
