/**
 * Reads the grammar of JSON text, whatever its values become: white space, strings, arrays, objects, limits. The reader is
 * our own because `JSON.parse` keeps the last of two equal keys and says nothing, and gives every number as a double.
 *
 * An attacker controls these bytes; the time is linear in their number.
 */
import { strictText } from '../base/bytes.js';
import { contextError } from '../base/errors.js';

/** Containers may be nested this deep, so that no input can exhaust the stack. */
export const DEPTH_LIMIT = 64;

// With the `u` flag, a surrogate that is part of a pair does not match.
export const LONE_SURROGATE = /\p{Surrogate}/u;

export interface JsonReader {
  readonly source: string;
  readonly what: string;
  at: number;
}

/**
 * Reads JSON text with one way to read a value.
 * @param what names the bytes in the error, such as `The file snapshot.json`
 * @throws format_unreadable
 */
export function readJson<V>(bytes: Uint8Array, what: string, readValue: (reader: JsonReader, depth: number) => V): V {
  const source = strictText(bytes);
  if (source === undefined) throw contextError('format_unreadable', { what, reason: 'it is not UTF-8' });
  const reader: JsonReader = { source, what, at: 0 };
  const value = readValue(reader, 0);
  skipSpace(reader);
  if (reader.at < source.length) throw unreadable(reader, 'something follows the value');
  return value;
}

export function unreadable({ what, at }: JsonReader, reason: string): Error {
  return contextError('format_unreadable', { what, reason: `${reason} at character ${String(at)}` });
}

export function skipSpace(reader: JsonReader): void {
  for (; ; reader.at++) {
    const code = reader.source.charCodeAt(reader.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
  }
}

/** Steps over `character` after white space, if it stands there. */
function take(reader: JsonReader, character: string): boolean {
  skipSpace(reader);
  if (reader.source[reader.at] !== character) return false;
  reader.at++;
  return true;
}

/** Steps over a word such as `true`, if it stands here. */
export function takeWord(reader: JsonReader, word: string): boolean {
  if (!reader.source.startsWith(word, reader.at)) return false;
  reader.at += word.length;
  return true;
}

/** Steps over the bracket that opens a container at this depth. */
function enter(reader: JsonReader, depth: number): void {
  if (depth >= DEPTH_LIMIT) throw unreadable(reader, `it is nested more than ${String(DEPTH_LIMIT)} deep`);
  reader.at++;
}

/** Reads an array whose bracket stands here; `element` reads one value. */
export function readElements(reader: JsonReader, depth: number, element: () => void): void {
  enter(reader, depth);
  if (take(reader, ']')) return;
  do element();
  while (take(reader, ','));
  if (!take(reader, ']')) throw unreadable(reader, 'an array is not closed');
}

/** Reads an object whose bracket stands here; `isKnown` tells whether a key stood there before, `member` reads its value. */
export function readMembers(
  reader: JsonReader,
  depth: number,
  { isKnown, member }: { readonly isKnown: (key: string) => boolean; readonly member: (key: string) => void },
): void {
  enter(reader, depth);
  if (take(reader, '}')) return;
  do {
    skipSpace(reader);
    if (reader.source[reader.at] !== '"') throw unreadable(reader, 'a key is missing');
    const key = readString(reader);
    if (isKnown(key)) throw unreadable(reader, 'a key stands twice in one object');
    if (!take(reader, ':')) throw unreadable(reader, 'a colon is missing');
    member(key);
  } while (take(reader, ','));
  if (!take(reader, '}')) throw unreadable(reader, 'an object is not closed');
}

/** Reads a string whose quotation mark stands here. */
export function readString(reader: JsonReader): string {
  const { source } = reader;
  const start = reader.at;
  let escaped = false;
  let end = start + 1;
  for (; ; end++) {
    const code = source.charCodeAt(end);
    if (code === 0x22) break;
    if (code === 0x5c) {
      escaped = true;
      end++;
    } else if (!(code >= 0x20)) {
      throw unreadable(reader, 'a string is not closed or holds a control character');
    }
  }
  reader.at = end + 1;
  return escaped ? unescape(reader, source.slice(start, end + 1)) : source.slice(start + 1, end);
}

function unescape(reader: JsonReader, literal: string): string {
  let value: string;
  try {
    value = JSON.parse(literal) as string;
  } catch {
    throw unreadable(reader, 'a string holds an unknown escape');
  }
  if (LONE_SURROGATE.test(value)) throw unreadable(reader, 'a string holds a lone surrogate');
  return value;
}
