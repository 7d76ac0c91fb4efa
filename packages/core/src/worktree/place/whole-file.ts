/** Files of caches: whole or not there, as far as other processes see. Nothing is synced, so a power cut can tear one. */
import { closeSync, openSync, renameSync, writeSync } from 'node:fs';

/** Replaces a file; only one process at a time may do so. */
export function writeWhole(file: string, pieces: readonly Buffer[]): void {
  const temporary = `${file}.tmp`;
  const descriptor = openSync(temporary, 'w');
  try {
    for (const piece of pieces) for (let at = 0; at < piece.length;) at += writeSync(descriptor, piece, at);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, file);
}
