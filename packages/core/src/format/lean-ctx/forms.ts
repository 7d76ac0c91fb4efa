/**
 * Reads and writes records whose fields have a declared order. The other program's records are structs without maps, and
 * its serialiser (serde_json) prints their fields in the order of declaration: that order is its canonical form.
 */
import { contextError } from '../../base/errors.js';
import { isNumber, type LexicalJson } from './lexical-json.js';

/** Digits as they were written; empty nowhere. */
export type NumberText = string;

export type Form =
  | { readonly kind: 'text' }
  | { readonly kind: 'flag' }
  | { readonly kind: 'float' }
  /** An unsigned integer. */
  | { readonly kind: 'integer'; readonly most: bigint }
  /** Null where there is none; a field that is missing means the same (serde reads an `Option` so). */
  | { readonly kind: 'optional'; readonly form: Form }
  | { readonly kind: 'list'; readonly form: Form; readonly most: number }
  | { readonly kind: 'record'; readonly fields: readonly (readonly [name: string, form: Form])[] };

/** Plain data of a form: numbers are their digits. */
type Plain = string | boolean | null | readonly Plain[] | { readonly [name: string]: Plain };

/** Returns the plain data of a value. @throws format_unreadable if it is of another form, or has a field that the form lacks */
export function readForm(form: Form, value: LexicalJson, what: string): unknown {
  return read(form, value, { what, at: '' });
}

interface Place {
  readonly what: string;
  readonly at: string;
}

function misfit({ what, at }: Place, reason: string): Error {
  return contextError('format_unreadable', { what, reason: `${at === '' ? 'it' : at} ${reason}` });
}

function read(form: Form, value: LexicalJson | undefined, place: Place): Plain {
  if (form.kind === 'optional') return value === undefined || value === null ? null : read(form.form, value, place);
  if (value === undefined) throw misfit(place, 'is missing');
  switch (form.kind) {
    case 'text':
      if (typeof value !== 'string') throw misfit(place, 'is not a string');
      return value;
    case 'flag':
      if (typeof value !== 'boolean') throw misfit(place, 'is not true or false');
      return value;
    case 'integer':
    case 'float':
      return readNumber(form, value, place);
    case 'list':
      if (!Array.isArray(value)) throw misfit(place, 'is not an array');
      return readList(form, value as readonly LexicalJson[], place);
    case 'record':
      if (!(value instanceof Map)) throw misfit(place, 'is not an object');
      return readRecord(form, value as ReadonlyMap<string, LexicalJson>, place);
  }
}

function readNumber(form: Form & { kind: 'integer' | 'float' }, value: LexicalJson, place: Place): Plain {
  // serde_json prints a double that is no number as null.
  if (form.kind === 'float' && value === null) return null;
  if (typeof value !== 'object' || value === null || !('digits' in value)) throw misfit(place, 'is not a number');
  const { digits } = value;
  // serde_json reads an unsigned integer from digits alone, and neither from `1.0` nor from `1e3` or `-0`.
  if (form.kind === 'integer' && (!/^[0-9]+$/.test(digits) || BigInt(digits) > form.most))
    throw misfit(place, `is not an integer from 0 to ${String(form.most)}`);
  return digits;
}

function readList(form: Form & { kind: 'list' }, values: readonly LexicalJson[], place: Place): Plain {
  if (values.length > form.most) throw misfit(place, `has more than ${String(form.most)} elements`);
  return values.map((value, index) =>
    read(form.form, value, { what: place.what, at: `${place.at}[${String(index)}]` }),
  );
}

function readRecord(form: Form & { kind: 'record' }, members: ReadonlyMap<string, LexicalJson>, place: Place): Plain {
  const prefix = place.at === '' ? '' : `${place.at}.`;
  const names = new Set(form.fields.map(([name]) => name));
  for (const name of members.keys()) {
    // serde passes over it, so that neither id nor signature covers what it says.
    if (!names.has(name)) throw misfit(place, 'has a field that its id does not cover');
  }
  return Object.fromEntries(
    form.fields.map(([name, field]) => [
      name,
      read(field, members.get(name), { what: place.what, at: `${prefix}${name}` }),
    ]),
  );
}

/**
 * Returns the JSON text of a value of this form, as serde_json prints it: without white space, or with lines indented by
 * two blanks. Numbers are written with the digits that they came with.
 */
export function writeForm(form: Form, value: unknown, style: 'compact' | 'lines'): string {
  return write(form, value as Plain, style === 'lines' ? '\n' : undefined);
}

/** @param line begins the next line at the present depth; undefined for one line */
function write(form: Form, value: Plain, line: string | undefined): string {
  if (value === null) return 'null';
  switch (form.kind) {
    case 'optional':
      return write(form.form, value, line);
    case 'text':
      // serde_json escapes what ECMAScript does, and in the same way: `"`, `\` and the characters below U+0020.
      return JSON.stringify(value);
    case 'flag':
      return value === true ? 'true' : 'false';
    case 'integer':
    case 'float':
      return digitsOf(value);
    case 'list':
      return enclose(
        '[]',
        (value as readonly Plain[]).map((element) => write(form.form, element, deeper(line))),
        line,
      );
    case 'record': {
      const colon = line === undefined ? ':' : ': ';
      const members = form.fields.map(([name, field]) => {
        const member = (value as Readonly<Record<string, Plain>>)[name] ?? null;
        return `${JSON.stringify(name)}${colon}${write(field, member, deeper(line))}`;
      });
      return enclose('{}', members, line);
    }
  }
}

// What stands here goes into the bytes as it is.
function digitsOf(value: Plain): string {
  if (typeof value === 'string' && isNumber(value)) return value;
  throw contextError('invariant_broken', { reason: 'a number of a lean-ctx snapshot is not one' });
}

function deeper(line: string | undefined): string | undefined {
  return line === undefined ? undefined : `${line}  `;
}

function enclose(brackets: '[]' | '{}', parts: readonly string[], line: string | undefined): string {
  const [open = '', close = ''] = brackets;
  if (line === undefined) return `${open}${parts.join(',')}${close}`;
  if (parts.length === 0) return brackets;
  return `${open}${line}  ${parts.join(`,${line}  `)}${line}${close}`;
}
