/** One way to read and write every JSON file of a snapshot: check the shape, put arrays in order, demand canonical bytes. */
import { compareBytes, strictText } from '../base/bytes.js';
import { ContextError, contextError } from '../base/errors.js';
import type { JsonValue } from '../base/json.js';
import { canonicalJson, isCanonicalText, parseJson } from './canonical-json.js';
import { isObject, type Check } from './shape.js';

export interface CodecDefinition<T> {
  /** Names the bytes in errors, such as `The snapshot body`. */
  readonly what: string;
  readonly maxBytes: number;
  readonly check: Check;
  /** Puts arrays in their order; all fields, also unknown ones, are kept. */
  readonly order: (value: T) => T;
  /** For signed documents: `savepoint.snapshot`, the part of `format` before the version, of which 1 is known. */
  readonly family?: string;
  /** Added to the data of every error of `decode`. */
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface Codec<T> {
  /** Returns the canonical bytes. @throws invariant_broken if `value` is not of the shape that `decode` demands */
  encode(value: T): Uint8Array;
  /** Returns what the bytes hold, unknown fields included. @throws format_unreadable; format_version_unsupported */
  decode(bytes: Uint8Array): T;
}

export function makeCodec<T extends object>(definition: CodecDefinition<T>): Codec<T> {
  return {
    encode: (value) => encode(definition, value),
    decode: (bytes) => decode(definition, bytes),
  };
}

function encode<T extends object>({ what, maxBytes, check, order }: CodecDefinition<T>, value: T): Uint8Array {
  const reason = check(value as unknown as JsonValue, '');
  if (reason !== undefined) throw contextError('invariant_broken', { reason: `${what} cannot be written: ${reason}` });
  const bytes = canonicalJson(order(value) as unknown as JsonValue);
  if (bytes.length > maxBytes)
    throw contextError('invariant_broken', { reason: `${what} cannot be written: it is too long` });
  return bytes;
}

function decode<T extends object>(definition: CodecDefinition<T>, bytes: Uint8Array): T {
  return decodeQuickly(definition, bytes) ?? decodeStrictly(definition, bytes);
}

// `JSON.parse` takes memory for each level of nesting, so an attacker's bytes are given to it only while they are few.
const QUICK_BYTES = 1024 * 1024;

/**
 * Returns what the bytes hold, or undefined where anything is unusual. `JSON.parse` accepts more than the format does, but
 * the encoder writes nothing that the strict reader would refuse: the same text again means the same value.
 */
function decodeQuickly<T extends object>(definition: CodecDefinition<T>, bytes: Uint8Array): T | undefined {
  if (bytes.length > Math.min(QUICK_BYTES, definition.maxBytes)) return undefined;
  try {
    const text = strictText(bytes) ?? '';
    const value = JSON.parse(text) as T;
    if (definition.check(value as unknown as JsonValue) !== undefined) return undefined;
    return isCanonicalText(definition.order(value), text) ? value : undefined;
  } catch {
    return undefined;
  }
}

function decodeStrictly<T extends object>(definition: CodecDefinition<T>, bytes: Uint8Array): T {
  const { what, maxBytes, check, order, data = {} } = definition;
  const refuse = (reason: string, more: Readonly<Record<string, unknown>> = {}): Error =>
    contextError('format_unreadable', { ...data, ...more, what, reason });
  if (bytes.length > maxBytes) throw refuse(`it is longer than ${String(maxBytes)} bytes`);
  const value = read(bytes, definition);
  refuseOtherVersion(definition, value);
  const reason = check(value, '');
  if (reason !== undefined) throw refuse(reason);
  // One comparison covers spacing, escapes, the order of keys and the order of arrays.
  if (compareBytes(canonicalJson(order(value as unknown as T) as unknown as JsonValue), bytes) !== 0) {
    throw refuse('it is not in canonical form', { verdict: 'not_canonical' });
  }
  return value as unknown as T;
}

function read<T>(bytes: Uint8Array, { what, data }: CodecDefinition<T>): JsonValue {
  if (data === undefined) return parseJson(bytes, what);
  try {
    return parseJson(bytes, what);
  } catch (error) {
    const reason = error instanceof ContextError ? String(error.data['reason']) : 'it is not JSON';
    throw contextError('format_unreadable', { ...data, what, reason }, error);
  }
}

// Before any other check: a later version may have other rules for everything but this field.
function refuseOtherVersion<T>({ what, family }: CodecDefinition<T>, value: JsonValue): void {
  if (family === undefined || !isObject(value) || typeof value['format'] !== 'string') return;
  const [, name, version] = /^([a-z.]+)\/([1-9][0-9]{0,8})$/.exec(value['format']) ?? [];
  if (name === family && version !== '1') {
    throw contextError('format_version_unsupported', { what, version: value['format'] });
  }
}
