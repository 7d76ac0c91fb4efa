/** Checks that JSON from outside has the shape of a model type. A check returns why not, or undefined. */
import type { JsonObject, JsonValue } from '../base/json.js';
import { parseTime } from '../base/clock.js';

/**
 * Returns the reason why `value`, which stands at `at`, is not of this shape. Unknown fields are always accepted. Without
 * `at` nobody reads the reason: putting together where each field stands takes longer than looking at it.
 */
export type Check = (value: JsonValue | undefined, at?: string) => string | undefined;

const where = (at: string | undefined): string => (at === undefined || at === '' ? 'it' : at);

export function isObject(value: JsonValue | undefined): value is JsonObject {
  // Null never comes from the strict reader, but it does from `JSON.parse`.
  return typeof value === 'object' && (value as unknown) !== null && !Array.isArray(value);
}

/** Returns the text or number in a field of an element, as a key. */
export function fieldKey(element: JsonValue, name: string): string {
  const field = isObject(element) ? element[name] : undefined;
  return typeof field === 'string' || typeof field === 'number' ? String(field) : '';
}

export const flag: Check = (value, at) =>
  typeof value === 'boolean' ? undefined : `${where(at)} is not true or false`;

/** A string of at most `max` UTF-16 units that fits `pattern`. */
export function text(max: number, pattern?: RegExp): Check {
  return (value, at) => {
    if (typeof value !== 'string') return `${where(at)} is not a string`;
    if (value.length > max) return `${where(at)} is longer than ${String(max)} characters`;
    return pattern === undefined || pattern.test(value) ? undefined : `${where(at)} is malformed`;
  };
}

export function integer(least: number, most = Number.MAX_SAFE_INTEGER): Check {
  return (value, at) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most
      ? undefined
      : `${where(at)} is not an integer from ${String(least)}`;
}

export function oneOf(...values: readonly string[]): Check {
  return (value, at) =>
    typeof value === 'string' && values.includes(value) ? undefined : `${where(at)} is not ${values.join(', ')}`;
}

/** Lower hex digits, one of the lengths given. */
export function hexDigits(...lengths: readonly number[]): Check {
  return (value, at) =>
    typeof value === 'string' && lengths.includes(value.length) && /^[0-9a-f]+$/.test(value)
      ? undefined
      : `${where(at)} is not ${lengths.join(' or ')} lower hex digits`;
}

export const time: Check = (value, at) =>
  typeof value === 'string' && parseTime(value) !== undefined ? undefined : `${where(at)} is not a time in UTC`;

/** An array of at most `max` elements of one shape; with `key`, no two elements have the same key. */
export function list(element: Check, max: number, key?: (element: JsonValue) => string): Check {
  return (value, at) => {
    if (!Array.isArray(value)) return `${where(at)} is not an array`;
    const values = value as readonly JsonValue[];
    if (values.length > max) return `${where(at)} has more than ${String(max)} elements`;
    const keys = new Set<string>();
    for (let index = 0; index < values.length; index += 1) {
      const one = values[index];
      const place = at === undefined ? undefined : `${at}[${String(index)}]`;
      const reason = element(one, place);
      if (reason !== undefined) return reason;
      if (key === undefined || one === undefined) continue;
      const count = keys.size;
      if (keys.add(key(one)).size === count) return `${where(place)} stands there twice`;
    }
    return undefined;
  };
}

const inside = (at: string, field: string): string => (at === '' ? field : `${at}.${field}`);

/** An object with these fields; those in `optional` may be absent. `rule` looks at the whole, once the fields are right. */
export function record(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
  rule?: (value: JsonObject) => string | undefined,
): Check {
  const fields = [
    ...Object.entries(required).map(([name, check]) => ({ name, check, optional: false })),
    ...Object.entries(optional).map(([name, check]) => ({ name, check, optional: true })),
  ];
  return (value, at) => {
    if (!isObject(value)) return `${where(at)} is not an object`;
    for (const { name, check, optional } of fields) {
      const field = Object.hasOwn(value, name) ? value[name] : undefined;
      if (field === undefined && optional) continue;
      const place = at === undefined ? undefined : inside(at, name);
      const reason = field === undefined ? `${where(place)} is missing` : check(field, place);
      if (reason !== undefined) return reason;
    }
    const broken = rule?.(value);
    return broken === undefined || at === undefined ? broken : inside(at, broken);
  };
}

/** An object whose keys are names and whose values have one shape. */
export function dictionary(key: RegExp, element: Check): Check {
  return (value, at) => {
    if (!isObject(value)) return `${where(at)} is not an object`;
    for (const [name, one] of Object.entries(value)) {
      const reason = key.test(name)
        ? element(one, at === undefined ? undefined : `${at}.${name}`)
        : `${where(at)} has a malformed key`;
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
}
