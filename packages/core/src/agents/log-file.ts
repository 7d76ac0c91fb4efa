/**
 * An agent's log on disk, read by ranges of the length it had when it was opened. `fs.promises` is named only where it is
 * needed: loading it takes a millisecond of every capture.
 */
import * as fs from 'node:fs';
import { contextError } from '../base/errors.js';
import type { LogFile } from './adapter.js';

const PIECE_BYTES = 256 * 1024;

/** Opens a log. What is appended later is not seen. @throws file_not_found */
export function openLogFile(file: string): LogFile {
  const { size } = look(file);
  return {
    size,
    read: (from, to) => readRange(file, from, Math.min(to, size)),
  };
}

function look(file: string): fs.Stats {
  let found: fs.Stats;
  try {
    found = fs.statSync(file);
  } catch (error) {
    throw contextError('file_not_found', { path: file, reason: (error as Error).message }, error);
  }
  if (!found.isFile()) throw contextError('file_not_found', { path: file, reason: 'it is not a regular file' });
  return found;
}

async function* readRange(file: string, from: number, to: number): AsyncIterable<Uint8Array> {
  const handle = await fs.promises.open(file, fs.constants.O_RDONLY).catch((error: unknown) => {
    throw contextError('file_not_found', { path: file, reason: (error as Error).message }, error);
  });
  try {
    for (let at = from; at < to;) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, to - at));
      const { bytesRead } = await handle.read(piece, 0, piece.length, at);
      if (bytesRead === 0)
        throw contextError('file_not_found', { path: file, reason: 'it became shorter while it was read' });
      at += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
