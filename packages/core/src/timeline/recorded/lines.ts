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
