/** Texts of a hostile log as records hold them: well-formed, of bounded length; and ids made of names that logs repeat. */
import { createHash } from 'node:crypto';
import { parseTime } from '../../base/clock.js';

// With the `u` flag, a surrogate that is part of a pair does not match.
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Lengths in UTF-16 code units. */
export const LONGEST_TEXT = 500;
export const LONGEST_PATH = 4096;
export const LONGEST_COMMAND = 8192;

export function wording(text: string, longest: number = LONGEST_TEXT): string {
  return text.slice(0, longest).replace(LONE_SURROGATE, '\ufffd');
}

/** Returns the same id for the same name in every log that repeats it. */
export function recordId(kind: 'item' | 'action' | 'ledger', name: string): string {
  return createHash('sha256').update(`${kind}\0${name}`).digest('hex').slice(0, 16);
}

/** Returns a time of the form that records have, or undefined. */
export function timeIn(at: string | undefined): string | undefined {
  return at === undefined || parseTime(at) === undefined ? undefined : at;
}
