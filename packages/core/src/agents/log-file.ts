/** An agent's log on disk, read by ranges of the length it had when it was opened. */
import { constants, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { contextError } from '../base/errors.js';
import type { LogFile } from './adapter.js';

const PIECE_BYTES = 256 * 1024;

/** Opens a log. What is appended later is not seen. @throws file_not_found */
export async function openLogFile(file: string): Promise<LogFile> {
  const { size } = await look(file);
  return {
    size,
    read: (from, to) => readRange(file, from, Math.min(to, size)),
  };
}

async function look(file: string): Promise<Stats> {
  let found: Stats;
  try {
    found = await stat(file);
  } catch (error) {
    throw contextError('file_not_found', { path: file, reason: (error as Error).message }, error);
  }
  if (!found.isFile()) throw contextError('file_not_found', { path: file, reason: 'it is not a regular file' });
  return found;
}

async function* readRange(file: string, from: number, to: number): AsyncIterable<Uint8Array> {
  const handle = await open(file, constants.O_RDONLY).catch((error: unknown) => {
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
