/**
 * Canonical JSON: RFC 8785 over a small value space (objects, arrays, strings, booleans, integers within 2^53), and the
 * strict reader of it. The reader is our own because `JSON.parse` keeps the last of two equal keys and says nothing.
 */
import { compareBytes, strictText, utf8 } from '../base/bytes.js';
import { contextError } from '../base/errors.js';
import type { JsonObject, JsonValue } from '../base/json.js';

/** Containers may be nested this deep, so that no input can exhaust the stack. */
export const DEPTH_LIMIT = 64;

// With the `u` flag, a surrogate that is part of a pair does not match.
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Returns the canonical bytes of a value, without a trailing newline. Properties that are undefined are left out.
 * @throws invariant_broken if the value has no canonical form
 */
export function canonicalJson(value: JsonValue): Uint8Array {
  return utf8(write(value, 0));
}

function write(value: unknown, depth: number): string {
  if (typeof value === 'string') {
    if (LONE_SURROGATE.test(value)) throw noForm('a string with a lone surrogate');
    // RFC 8785 §3.2.2.2 takes over ECMAScript's string form.
    return JSON.stringify(value);
  }
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw noForm(`the number ${String(value)}`);
    return String(value);
  }
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value !== 'object' || value === null)
    throw noForm(value === null ? 'null' : `a value of type ${typeof value}`);
  if (depth >= DEPTH_LIMIT) throw noForm('a value nested too deep');
  return Array.isArray(value) ? writeArray(value, depth) : writeObject(value, depth);
}

function writeArray(values: readonly unknown[], depth: number): string {
  // `Array.from` also visits holes.
  return `[${Array.from(values, (value) => write(value, depth + 1)).join(',')}]`;
}

function writeObject(value: object, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw noForm('an object that is not plain data');
  const members: string[] = [];
  // The default order of `sort` is by UTF-16 code units, as RFC 8785 §3.2.3 demands.
  for (const key of Object.keys(value).sort()) {
    const member = (value as JsonObject)[key];
    if (member !== undefined) members.push(`${write(key, depth)}:${write(member, depth + 1)}`);
  }
  return `{${members.join(',')}}`;
}

function noForm(thing: string): Error {
  return contextError('invariant_broken', { reason: `${thing} has no canonical JSON form` });
}

/** Tells whether `bytes` are exactly what `canonicalJson` gives for the value that they hold. */
export function isCanonical(bytes: Uint8Array): boolean {
  try {
    return compareBytes(canonicalJson(parseJson(bytes, 'The JSON text')), bytes) === 0;
  } catch {
    return false;
  }
}

interface Reader {
  readonly source: string;
  readonly what: string;
  at: number;
}

/**
 * Reads JSON text: valid UTF-8, no duplicate keys, no null, no fractions or exponents, no lone surrogates, at most
 * `DEPTH_LIMIT` deep. White space is accepted. An attacker controls these bytes; the time is linear in their number.
 * @param what names the bytes in the error, such as `The file snapshot.json`
 * @throws format_unreadable
 */
export function parseJson(bytes: Uint8Array, what: string): JsonValue {
  const source = strictText(bytes);
  if (source === undefined) throw contextError('format_unreadable', { what, reason: 'it is not UTF-8' });
  const reader: Reader = { source, what, at: 0 };
  const value = readValue(reader, 0);
  skipSpace(reader);
  if (reader.at < source.length) throw unreadable(reader, 'something follows the value');
  return value;
}

function unreadable({ what, at }: Reader, reason: string): Error {
  return contextError('format_unreadable', { what, reason: `${reason} at character ${String(at)}` });
}

function skipSpace(reader: Reader): void {
  for (; ; reader.at++) {
    const code = reader.source.charCodeAt(reader.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
  }
}

/** Steps over `character` after white space, if it stands there. */
function take(reader: Reader, character: string): boolean {
  skipSpace(reader);
  if (reader.source[reader.at] !== character) return false;
  reader.at++;
  return true;
}

function readValue(reader: Reader, depth: number): JsonValue {
  skipSpace(reader);
  const first = reader.source[reader.at];
  if (first === '"') return readString(reader);
  if (first === '{' || first === '[') {
    if (depth >= DEPTH_LIMIT) throw unreadable(reader, `it is nested more than ${String(DEPTH_LIMIT)} deep`);
    reader.at++;
    return first === '{' ? readObject(reader, depth) : readArray(reader, depth);
  }
  for (const literal of [true, false]) {
    if (reader.source.startsWith(String(literal), reader.at)) {
      reader.at += String(literal).length;
      return literal;
    }
  }
  return readInteger(reader);
}

function readArray(reader: Reader, depth: number): JsonValue {
  const values: JsonValue[] = [];
  if (take(reader, ']')) return values;
  do values.push(readValue(reader, depth + 1));
  while (take(reader, ','));
  if (!take(reader, ']')) throw unreadable(reader, 'an array is not closed');
  return values;
}

function readObject(reader: Reader, depth: number): JsonValue {
  const members: Record<string, JsonValue> = {};
  if (take(reader, '}')) return members;
  do {
    skipSpace(reader);
    if (reader.source[reader.at] !== '"') throw unreadable(reader, 'a key is missing');
    const key = readString(reader);
    if (Object.hasOwn(members, key)) throw unreadable(reader, 'a key stands twice in one object');
    if (!take(reader, ':')) throw unreadable(reader, 'a colon is missing');
    const value = readValue(reader, depth + 1);
    // An assignment to `__proto__` would set the prototype.
    if (key === '__proto__')
      Object.defineProperty(members, key, { value, enumerable: true, configurable: true, writable: true });
    else members[key] = value;
  } while (take(reader, ','));
  if (!take(reader, '}')) throw unreadable(reader, 'an object is not closed');
  return members;
}

function readString(reader: Reader): string {
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

function unescape(reader: Reader, literal: string): string {
  let value: string;
  try {
    value = JSON.parse(literal) as string;
  } catch {
    throw unreadable(reader, 'a string holds an unknown escape');
  }
  if (LONE_SURROGATE.test(value)) throw unreadable(reader, 'a string holds a lone surrogate');
  return value;
}

const INTEGER = /-?(?:0|[1-9][0-9]{0,15})/y;

function readInteger(reader: Reader): number {
  INTEGER.lastIndex = reader.at;
  const digits = INTEGER.exec(reader.source)?.[0];
  if (digits === undefined) throw unreadable(reader, 'a value is missing or of a kind that is not allowed');
  const end = reader.at + digits.length;
  const value = Number(digits);
  if (/[0-9.eE]/.test(reader.source[end] ?? '') || !Number.isSafeInteger(value)) {
    throw unreadable(reader, 'a number is not an integer within 2^53');
  }
  reader.at = end;
  // `-0` is read as 0, and therefore never canonical.
  return value === 0 ? 0 : value;
}
