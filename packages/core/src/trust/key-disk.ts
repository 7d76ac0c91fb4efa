/** Small private files that appear whole or not at all, and are durable when a call returns. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Random } from '../base/clock.js';
import { contextError } from '../base/errors.js';

/** No file of the key ring comes near this; a longer one is not ours. */
const LENGTH_LIMIT = 16 * 1024 * 1024;

export function isErrno(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}

/** Returns content and mode of one and the same file, or undefined if there is none. */
export function readWhole(file: string): { readonly content: string; readonly mode: number } | undefined {
  let handle: number;
  try {
    // Without O_NONBLOCK, a FIFO in this place would hang the capture.
    handle = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isErrno(error) && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const stat = fs.fstatSync(handle);
    if (!stat.isFile() || stat.size > LENGTH_LIMIT)
      throw contextError('key_unusable', { path: file, reason: 'it is not a small file' });
    return { content: fs.readFileSync(handle, 'utf8'), mode: stat.mode };
  } finally {
    closeRead(handle);
  }
}

// What was read is not less for it: without the key, what follows would not be signed.
function closeRead(handle: number): void {
  try {
    fs.closeSync(handle);
  } catch {
    // The system ends it with the process.
  }
}

function writeTemporary(file: string, content: string, random: Random): string {
  const temporary = path.join(path.dirname(file), `.${random.hex(32)}.tmp`);
  const handle = fs.openSync(temporary, 'wx', 0o600);
  try {
    fs.writeFileSync(handle, content);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
  return temporary;
}

/** Makes a file of mode 0600 unless there is one; whoever comes second leaves the first one's file alone. */
export function linkWhole(file: string, content: string, random: Random): void {
  const temporary = writeTemporary(file, content, random);
  try {
    fs.linkSync(temporary, file);
  } catch (error) {
    if (!isErrno(error) || error.code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(temporary, { force: true });
  }
  syncFolder(path.dirname(file));
}

/** Replaces a file of mode 0600: readers see the old content or the new. */
export function replaceWhole(file: string, content: string, random: Random): void {
  const temporary = writeTemporary(file, content, random);
  try {
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(path.dirname(file));
}

/** Makes a folder of mode 0700 and all above it; whatever was made is durable in the folder that holds it. */
export function makeFolder(folder: string): void {
  const first = fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) syncFolder(path.dirname(made));
}

/** Makes the names in a folder durable, where the system can. */
export function syncFolder(folder: string): void {
  let handle: number | undefined;
  try {
    handle = fs.openSync(folder, 'r');
    fs.fsyncSync(handle);
  } catch {
    // Windows and some network file systems cannot; the content itself is durable.
  } finally {
    if (handle !== undefined) fs.closeSync(handle);
  }
}
