/** File operations that survive a power cut: bytes first, then the name, then the directory that holds the name. */
import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { ContextError, contextError } from '../../../base/errors.js';

/** Systems and file systems on which a directory cannot be synced say so with one of these; ENOENT: it went meanwhile. */
const NOT_SYNCABLE = ['EINVAL', 'EISDIR', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EPERM', 'EACCES', 'EBADF', 'ENOENT'];

/** Makes what was renamed, linked or made in a directory durable. File systems that cannot do it are left alone. */
export function syncDirectory(directory: string): void {
  try {
    syncFile(directory);
  } catch (error) {
    if (!NOT_SYNCABLE.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes a directory and all above it, each durable in the one that holds it. */
export function makeDirectory(directory: string): void {
  const first = mkdirSync(directory, { recursive: true });
  if (first === undefined) return;
  for (let made = directory; made.length >= first.length; made = path.dirname(made)) syncDirectory(path.dirname(made));
}

function writeWhole(file: string, bytes: Uint8Array, durable: boolean): void {
  const descriptor = openSync(file, 'wx', 0o666);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
    if (durable) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export interface WriteChoice {
  readonly temporary: string;
  readonly durable: boolean;
}

/** Replaces a file: readers see the old bytes or the new. */
export function replaceFile(file: string, bytes: Uint8Array, { temporary, durable }: WriteChoice): void {
  try {
    writeWhole(temporary, bytes, durable);
    renameSync(temporary, file);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  if (durable) syncDirectory(path.dirname(file));
}

/** Makes a file with all its bytes at once; returns false if there was one already. */
export function createFile(file: string, bytes: Uint8Array, { temporary, durable }: WriteChoice): boolean {
  try {
    writeWhole(temporary, bytes, durable);
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    removeQuietly(temporary);
  }
  if (durable) syncDirectory(path.dirname(file));
  return true;
}

/** Runs what writes a file that may be lost: a directory that stands in its place is removed. */
export function overDirectory(file: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
    rmSync(file, { recursive: true, force: true });
    work();
  }
}

export function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // It is gone already.
  }
}

/** Returns the error for a failed write below a directory. */
export function writeFailure(directory: string, error: unknown): Error {
  if (error instanceof ContextError) return error;
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return contextError('disk_full', { directory }, error);
  if (syscall !== undefined) return contextError('store_unwritable', { directory, reason: message }, error);
  return error instanceof Error ? error : new Error(String(error));
}
