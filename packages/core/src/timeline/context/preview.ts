/** The beginning of an item's content, for quick display. */
import { text } from '../../base/bytes.js';

/** Characters (code points) of a preview. */
const LONGEST = 500;

/** What a terminal would obey, and directions of writing that turn a line around. */
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Returns the first 500 characters; nothing of what is not text. */
export function previewOf(bytes: Uint8Array): string {
  // A character has at most four bytes; the last one may be cut.
  const start = text(bytes.subarray(0, LONGEST * 4 + 4));
  if (start.includes('\0')) return '';
  return Array.from(start.replace(/\r\n/g, '\n')).slice(0, LONGEST).join('').replace(OBEYED, '\ufffd');
}
