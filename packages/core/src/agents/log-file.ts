/**
 * An agent's log on disk, read by ranges of the length it had when it was opened. Calls are synchronous inside: loading
 * `fs.promises` takes some milliseconds of every capture.
 */
import * as fs from 'node:fs';
import { contextError } from '../base/errors.js';
import type { LogFile } from './adapter.js';
import { openToRead } from './places.js';

const PIECE_BYTES = 256 * 1024;

/** Opens a log. What is appended later is not seen. @throws file_not_found */
export function openLogFile(file: string): LogFile {
  const size = sizeOf(file);
  return {
    size,
    read: (from, to) => readRange(file, from, Math.min(to, size)),
  };
}

function sizeOf(file: string): number {
  let found: fs.Stats;
  try {
    found = fs.statSync(file);
  } catch (error) {
    throw notFound(file, (error as Error).message, error);
  }
  if (!found.isFile()) throw notFound(file, 'it is not a regular file');
  return found.size;
}

async function* readRange(file: string, from: number, to: number): AsyncIterable<Uint8Array> {
  const descriptor = opened(file);
  try {
    for (let at = from; at < to;) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, to - at));
      const bytesRead = fs.readSync(descriptor, piece, 0, piece.length, at);
      if (bytesRead === 0) throw notFound(file, 'it became shorter while it was read');
      at += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    fs.closeSync(descriptor);
  }
}

function opened(file: string): number {
  try {
    return openToRead(file);
  } catch (error) {
    throw notFound(file, (error as Error).message, error);
  }
}

function notFound(file: string, reason: string, cause?: unknown): Error {
  return contextError('file_not_found', { path: file, reason }, cause);
}
