/** What stands at a place of a stored log: strings, and any other JSON value in one fixed form. */
import { utf8 } from '../../base/bytes.js';

/** A place in the stored log: the line that begins at byte `offset` of it. */
export interface LogPlace {
  readonly in: 'transcript';
  readonly offset: number;
  readonly pointers: readonly string[];
  /** True where the strings are base64 of the bytes. */
  readonly base64?: boolean;
}

/** Any value that `JSON.parse` gives. */
export type LogValue = string | number | boolean | null | readonly LogValue[] | LogObject;

/** A line of a log, parsed; an attacker controls what is in it. */
export interface LogObject {
  readonly [key: string]: LogValue | undefined;
}

/** More than a line that is read can hold, however its numbers are written: pointers may name one string again and again. */
const LONGEST = 64 * 1024 * 1024;
/** Values nested deeper than this have no form, so that no log can exhaust the stack. */
const DEPTH_LIMIT = 200;

export function asLogObject(value: LogValue | undefined): LogObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LogObject) : undefined;
}

/**
 * Returns the bytes at the pointers of a parsed line, or undefined where one of them points to nothing. A string is its
 * UTF-8 bytes (a lone surrogate becomes U+FFFD), any other value its RFC 8785 form.
 */
export function bytesAt(
  line: LogValue,
  { pointers, base64 }: Pick<LogPlace, 'pointers' | 'base64'>,
): Uint8Array | undefined {
  let all = '';
  for (const pointer of pointers) {
    const value = valueAt(line, pointer);
    const form = value === undefined ? undefined : typeof value === 'string' ? value : formOf(value, 0);
    if (form === undefined || all.length + form.length > LONGEST) return undefined;
    all += form;
  }
  return base64 === true ? Buffer.from(all, 'base64') : utf8(all);
}

/** RFC 6901 §4, evaluation. */
function valueAt(value: LogValue, pointer: string): LogValue | undefined {
  let at: LogValue | undefined = value;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = Array.isArray(at) ? (at as readonly LogValue[])[Number(name)] : (at as LogObject)[name];
  }
  return at;
}

function formOf(value: LogValue, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (depth >= DEPTH_LIMIT) return undefined;
  const members: string[] = [];
  const isArray = Array.isArray(value);
  // RFC 8785 §3.2.3: names sorted by UTF-16 code units, which is the order of `sort`.
  const names = isArray ? Object.keys(value) : Object.keys(value).sort();
  for (const name of names) {
    const member = (value as LogObject)[name];
    const form = member === undefined ? undefined : formOf(member, depth + 1);
    if (form === undefined) return undefined;
    members.push(isArray ? form : `${JSON.stringify(name)}:${form}`);
  }
  return isArray ? `[${members.join(',')}]` : `{${members.join(',')}}`;
}
