/** The end of a file that may be long. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Returns at most the last `count` bytes. @throws what opening a file throws */
export function readEnd(file: string, count: number): Uint8Array {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const bytes = new Uint8Array(Math.min(count, size));
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(descriptor, bytes, length, bytes.length - length, size - bytes.length + length);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}
