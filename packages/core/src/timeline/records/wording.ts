/** Texts of a hostile log as records hold them: well-formed, of bounded length; and ids made of names that logs repeat. */
import { createHash } from 'node:crypto';
import { parseTime } from '../../base/clock.js';

// With the `u` flag, a surrogate that is part of a pair does not match. No record has a place for NUL.
const NO_TEXT = /[\0\p{Surrogate}]/gu;
/** Names that Savepoint gives, such as roles: the format has no place for others. */
const TOKEN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Lengths in UTF-16 code units. */
export const LONGEST_TEXT = 500;
export const LONGEST_PATH = 4096;
export const LONGEST_COMMAND = 8192;

export function wording(text: string, longest: number = LONGEST_TEXT): string {
  return text.slice(0, longest).replace(NO_TEXT, '\ufffd');
}

/** Returns the same id for the same name in every log that repeats it. */
export function recordId(kind: 'item' | 'action' | 'ledger', name: string): string {
  return createHash('sha256').update(`${kind}\0${name}`).digest('hex').slice(0, 16);
}

/** Returns a field with these words; nothing where there are none. */
export function worded<N extends string>(
  name: N,
  text: string | undefined,
  longest?: number,
): { readonly [name in N]?: string } {
  const words = text === undefined ? '' : wording(text, longest);
  return (words === '' ? {} : { [name]: words }) as { readonly [name in N]?: string };
}

/** Returns who speaks; an unknown voice is the agent's program, which wrote the log. */
export function roleOf(role: string): string {
  return TOKEN.test(role) ? role : 'system';
}

/** Returns a sum that a record has a place for. */
export function countUpTo(sum: number): number {
  return Math.min(sum, Number.MAX_SAFE_INTEGER);
}

/** Returns a time of the form that records have, or undefined. */
export function timeIn(at: string | undefined): string | undefined {
  return at === undefined || parseTime(at) === undefined ? undefined : at;
}
