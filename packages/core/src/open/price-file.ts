/** The price table that a user's settings name, on disk. */
import * as fs from 'node:fs';
import { contextError } from '../base/errors.js';

const MAX_BYTES = 1024 * 1024;

/** @throws prices_unreadable */
export function readPriceFile(file: string): Uint8Array {
  const refuse = (reason: string, cause?: unknown): Error =>
    contextError('prices_unreadable', { path: file, reason }, cause);
  let descriptor: number;
  try {
    // A pipe must not make a command wait.
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch (error) {
    throw refuse((error as Error).message, error);
  }
  try {
    const stats = fs.fstatSync(descriptor);
    if (!stats.isFile()) throw refuse('it is not a file');
    if (stats.size > MAX_BYTES) throw refuse('it is larger than 1 MiB');
    return fs.readFileSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
