/**
 * The few calls by which a replacement touches a disk. Everything goes through this one object, so that a test can let
 * the n-th call fail, or kill the process at it.
 */
import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  statfsSync,
  symlinkSync,
  unlinkSync,
  writeSync,
  type BigIntStats,
} from 'node:fs';
import { promisify } from 'node:util';
import type { BytePath } from '../../../base/path.js';

export type SystemPath = string | Buffer;

export interface Disk {
  open(path: SystemPath, flags: number, permissions?: number): number;
  /** Never fails: what was written was synced before, and what was only read loses nothing. */
  close(descriptor: number): void;
  /** Returns how many bytes were read; 0 at the end. */
  read(descriptor: number, into: Uint8Array): number;
  /** Returns how many bytes were written. */
  write(descriptor: number, bytes: Uint8Array): number;
  /** The exact bits, whatever the umask. */
  setPermissions(descriptor: number, permissions: number): void;
  status(descriptor: number): BigIntStats;
  /** Undefined where nothing is there: an exception for each would cost more than the call. */
  statusOf(path: SystemPath): BigIntStats | undefined;
  sync(descriptor: number): void;
  /** Syncs at the same time, so that the file system can write its own journal once for all. */
  syncAll(descriptors: readonly number[]): Promise<void>;
  rename(from: SystemPath, to: SystemPath): void;
  link(from: SystemPath, to: SystemPath): void;
  unlink(path: SystemPath): void;
  makeLink(target: Buffer, path: SystemPath): void;
  readLink(path: SystemPath): Buffer;
  makeDirectory(path: SystemPath, permissions: number): void;
  removeDirectory(path: SystemPath): void;
  names(path: SystemPath): BytePath[];
  /** Where an open directory is now, from the root of the system; undefined where the system does not tell. */
  pathOf(descriptor: number): Buffer | undefined;
  /** How many files this process may have open. */
  mostOpen(): number;
  /** Bytes that this user may still write. */
  freeBytes(path: SystemPath): bigint;
}

const fsyncLater = promisify(fsync);
/** What most systems allow at least. */
const USUAL_OPEN = 1024;

export const realDisk: Disk = {
  open: (path, flags, permissions) => openSync(path, flags, permissions),
  close: (descriptor) => {
    try {
      closeSync(descriptor);
    } catch {
      // A rewind that is done and recorded must not end in an error because of it.
    }
  },
  read: (descriptor, into) => readSync(descriptor, into, 0, into.length, null),
  write: (descriptor, bytes) => writeSync(descriptor, bytes),
  setPermissions: fchmodSync,
  status: (descriptor) => fstatSync(descriptor, { bigint: true }),
  statusOf: (path) => lstatSync(path, { bigint: true, throwIfNoEntry: false }),
  sync: fsyncSync,
  syncAll: async (descriptors) => {
    // All have to end before any is closed.
    const results = await Promise.allSettled(descriptors.map((descriptor) => fsyncLater(descriptor)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  },
  rename: renameSync,
  link: linkSync,
  unlink: unlinkSync,
  makeLink: (target, path) => {
    symlinkSync(target, path);
  },
  readLink: (path) => readlinkSync(path, { encoding: 'buffer' }),
  makeDirectory: (path, permissions) => {
    mkdirSync(path, { mode: permissions });
  },
  removeDirectory: (path) => {
    rmdirSync(path);
  },
  names: (path) => readdirSync(path, { encoding: 'latin1' }),
  pathOf: (descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${String(descriptor)}`, { encoding: 'buffer' });
    } catch {
      return undefined;
    }
  },
  mostOpen: () => {
    try {
      return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1] ?? USUAL_OPEN);
    } catch {
      return USUAL_OPEN;
    }
  },
  freeBytes: (path) => {
    const { bavail, bsize } = statfsSync(path, { bigint: true });
    return bavail * bsize;
  },
};

/** Returns the system's name of an error, such as ENOENT. */
export function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? '';
}

/** Returns the status of a path, or undefined if nothing is there. */
export function statusIfThere(disk: Disk, path: SystemPath): BigIntStats | undefined {
  try {
    return disk.statusOf(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error))) return undefined;
    throw error;
  }
}

export function removeIfThere(disk: Disk, path: SystemPath): void {
  try {
    disk.unlink(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
