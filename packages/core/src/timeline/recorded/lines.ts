/** Lines of a file. */
import type { LineRange } from '../../model/context/item.js';

/** Returns lines of a file with their ends; both are counted from 1 and included. */
export function linesOf(bytes: Uint8Array, { from, to }: LineRange): Uint8Array {
  let start = 0;
  for (let line = 1; line < from; line += 1) {
    const end = bytes.indexOf(0x0a, start);
    if (end < 0) return new Uint8Array();
    start = end + 1;
  }
  let at = start;
  for (let line = from; line <= to; line += 1) {
    const end = bytes.indexOf(0x0a, at);
    if (end < 0) return bytes.subarray(start);
    at = end + 1;
  }
  return bytes.subarray(start, at);
}

/** Returns how many lines there are; a last one may have no line end. */
export function lineCount(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) count += 1;
  return count + (bytes.length === 0 || bytes.at(-1) === 0x0a ? 0 : 1);
}
