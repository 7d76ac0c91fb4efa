/**
 * JSON values whose numbers keep the digits that they were written with. A double cannot hold them: `1.0` would become
 * `1`, and 2^64 - 1 another number; and programs of different ages print one and the same double differently.
 */
import {
  readElements,
  readJson,
  readMembers,
  readString,
  skipSpace,
  takeWord,
  unreadable,
  type JsonReader,
} from '../json-text.js';

/** A number as it was written (RFC 8259 §6). */
export interface LexicalNumber {
  readonly digits: string;
}

export type LexicalObject = ReadonlyMap<string, LexicalJson>;
export type LexicalJson = string | boolean | null | LexicalNumber | readonly LexicalJson[] | LexicalObject;

/** The longest number that a serialiser of doubles or of 64-bit integers prints has 25 characters. */
const DIGITS_LIMIT = 64;
// RFC 8259 §6.
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/** Tells whether a text is a JSON number and nothing else. */
export function isNumber(text: string): boolean {
  NUMBER.lastIndex = 0;
  return NUMBER.exec(text)?.[0] === text;
}

/**
 * Reads JSON text with the limits of the format's own reader (UTF-8, no key twice, no lone surrogate, no control
 * character, bounded depth), and with every number as it is written.
 * @throws format_unreadable
 */
export function parseLexical(bytes: Uint8Array, what: string): LexicalJson {
  return readJson(bytes, what, readValue);
}

function readValue(reader: JsonReader, depth: number): LexicalJson {
  skipSpace(reader);
  const first = reader.source[reader.at];
  if (first === '"') return readString(reader);
  if (first === '{') return readObject(reader, depth);
  if (first === '[') return readArray(reader, depth);
  if (takeWord(reader, 'null')) return null;
  if (takeWord(reader, 'true')) return true;
  return takeWord(reader, 'false') ? false : readNumber(reader);
}

function readArray(reader: JsonReader, depth: number): LexicalJson {
  const values: LexicalJson[] = [];
  readElements(reader, depth, () => values.push(readValue(reader, depth + 1)));
  return values;
}

function readObject(reader: JsonReader, depth: number): LexicalJson {
  const members = new Map<string, LexicalJson>();
  readMembers(reader, depth, {
    isKnown: (key) => members.has(key),
    member: (key) => members.set(key, readValue(reader, depth + 1)),
  });
  return members;
}

function readNumber(reader: JsonReader): LexicalNumber {
  NUMBER.lastIndex = reader.at;
  const digits = NUMBER.exec(reader.source)?.[0];
  if (digits === undefined) throw unreadable(reader, 'a value is missing or of a kind that is not JSON');
  if (digits.length > DIGITS_LIMIT)
    throw unreadable(reader, `a number has more than ${String(DIGITS_LIMIT)} characters`);
  reader.at += digits.length;
  return { digits };
}
