/**
 * Canonical JSON: RFC 8785 over a small value space (objects, arrays, strings, booleans, integers within 2^53), and the
 * strict reader of it.
 */
import { compareBytes, utf8 } from '../base/bytes.js';
import { contextError } from '../base/errors.js';
import type { JsonObject, JsonValue } from '../base/json.js';
import {
  DEPTH_LIMIT,
  LONE_SURROGATE,
  readElements,
  readJson,
  readMembers,
  readString,
  skipSpace,
  takeWord,
  unreadable,
  type JsonReader,
} from './json-text.js';

export { DEPTH_LIMIT } from './json-text.js';

/**
 * Returns the canonical bytes of a value, without a trailing newline. Properties that are undefined are left out.
 * @throws invariant_broken if the value has no canonical form
 */
export function canonicalJson(value: JsonValue): Uint8Array {
  return utf8(writeQuickly(value) ?? write(value, 0));
}

/** Returns the text as `JSON.stringify` writes it for members in their order; undefined where that may not be the form. */
function writeQuickly(value: JsonValue): string | undefined {
  const ordered = inOrder(value, 0);
  const text = ordered === undefined ? undefined : JSON.stringify(ordered);
  // So it escapes lone surrogates; a backslash before the same letters is looked at more closely, too.
  return text?.includes('\\ud') === true ? undefined : text;
}

function inOrder(value: unknown, depth: number): unknown {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'object' || value === null || depth >= DEPTH_LIMIT) return undefined;
  return Array.isArray(value) ? elementsInOrder(value, depth) : membersInOrder(value as JsonObject, depth);
}

function elementsInOrder(values: readonly unknown[], depth: number): unknown {
  const ordered: unknown[] = [];
  for (const value of values) {
    const element = inOrder(value, depth + 1);
    if (element === undefined) return undefined;
    ordered.push(element);
  }
  return ordered;
}

/** Names that an object does not keep in the order in which they are set: numbers, and the one that sets its prototype. */
const UNRULY = /^[0-9]|^__proto__$/;

function membersInOrder(value: JsonObject, depth: number): unknown {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const ordered: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member === undefined) continue;
    const inner = UNRULY.test(key) ? undefined : inOrder(member, depth + 1);
    if (inner === undefined) return undefined;
    ordered[key] = inner;
  }
  return ordered;
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

/**
 * Tells whether `text` is the canonical form of `value`, as parsed from it. Where this cannot be told quickly, the answer
 * is no: then `canonicalJson` knows.
 */
export function isCanonicalText(value: unknown, text: string): boolean {
  // `JSON.stringify` writes members in their order and everything else as RFC 8785 does; it escapes lone surrogates.
  return !text.includes('\\ud') && isOrdered(value, 0) && JSON.stringify(value) === text;
}

// What `JSON.parse` accepts and a canonical text does not hold, and members that are not in their order.
function isOrdered(value: unknown, depth: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null || depth >= DEPTH_LIMIT) return false;
  if (Array.isArray(value)) return value.every((element) => isOrdered(element, depth + 1));
  let before: string | undefined;
  for (const key of Object.keys(value)) {
    if (before !== undefined && before >= key) return false;
    if (!isOrdered((value as JsonObject)[key], depth + 1)) return false;
    before = key;
  }
  return true;
}

/**
 * Reads JSON text: valid UTF-8, no duplicate keys, no null, no fractions or exponents, no lone surrogates, at most
 * `DEPTH_LIMIT` deep. White space is accepted. An attacker controls these bytes; the time is linear in their number.
 * @param what names the bytes in the error, such as `The file snapshot.json`
 * @throws format_unreadable
 */
export function parseJson(bytes: Uint8Array, what: string): JsonValue {
  return readJson(bytes, what, readValue);
}

function readValue(reader: JsonReader, depth: number): JsonValue {
  skipSpace(reader);
  const first = reader.source[reader.at];
  if (first === '"') return readString(reader);
  if (first === '{') return readObject(reader, depth);
  if (first === '[') return readArray(reader, depth);
  if (takeWord(reader, 'true')) return true;
  return takeWord(reader, 'false') ? false : readInteger(reader);
}

function readArray(reader: JsonReader, depth: number): JsonValue {
  const values: JsonValue[] = [];
  readElements(reader, depth, () => values.push(readValue(reader, depth + 1)));
  return values;
}

function readObject(reader: JsonReader, depth: number): JsonValue {
  const members: Record<string, JsonValue> = {};
  readMembers(reader, depth, {
    isKnown: (key) => Object.hasOwn(members, key),
    member: (key) => {
      const value = readValue(reader, depth + 1);
      // An assignment to `__proto__` would set the prototype.
      if (key === '__proto__')
        Object.defineProperty(members, key, { value, enumerable: true, configurable: true, writable: true });
      else members[key] = value;
    },
  });
  return members;
}

const INTEGER = /-?(?:0|[1-9][0-9]{0,15})/y;

function readInteger(reader: JsonReader): number {
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
