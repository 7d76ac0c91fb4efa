/** Finds where a value begins and ends in free text, and tells a secret from a placeholder, a type or a piece of code. */
import { isEscaped } from './escapes.js';
import { isOnlyMarkers } from './spans.js';

export interface Value {
  readonly start: number;
  readonly end: number;
  /** The quote around it, or nothing. */
  readonly quote: string;
  /** Set where the text ended before the value did. */
  readonly resume?: (text: string, from: number) => number;
}

const DOUBLE = 34;
const SINGLE = 39;
const BACKTICK = 96;
const NEWLINE = 10;
const RETURN = 13;
const BACKSLASH = 92;

/** Returns the value that begins at `at`: in quotes up to the closing one, else up to what ends a word there. */
export function valueAt(text: string, at: number, wholeWord: boolean): Value | undefined {
  const code = text.charCodeAt(at);
  if (code === DOUBLE || code === SINGLE || code === BACKTICK) return quotedAt(text, at, code);
  const ends = wholeWord ? endOfWord : endOfPiece;
  const end = ends(text, at);
  if (end === at) return undefined;
  return end === text.length ? { start: at, end, quote: '', resume: ends } : { start: at, end, quote: '' };
}

function quotedAt(text: string, at: number, quote: number): Value | undefined {
  const ends = (target: string, from: number): number => endOfQuoted(target, from, quote);
  const start = at + 1;
  const end = ends(text, start);
  const value = { start, end, quote: String.fromCharCode(quote) };
  return end === text.length ? { ...value, resume: ends } : value;
}

// An unclosed quote ends with its line, so that a stray apostrophe cannot take the rest of a text with it.
function endOfQuoted(text: string, from: number, quote: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === NEWLINE || code === RETURN) return at;
    if (code === quote && !isEscaped(text, at)) return at;
  }
  return text.length;
}

/** Up to white space, a quote, or an escape that stands for either: a line of a `.env` file. */
function endOfWord(text: string, from: number): number {
  return scan(text, from, false);
}

/** As `endOfWord`, and up to what separates values inside a line: a query, an argument list, a table. */
function endOfPiece(text: string, from: number): number {
  return scan(text, from, true);
}

const WORD_ENDS = codesOf(' \t\r\n"\'`');
const PIECE_ENDS = codesOf(' \t\r\n"\'`,;&|)}<>');

function codesOf(characters: string): readonly boolean[] {
  return Array.from({ length: 128 }, (_, code) => characters.includes(String.fromCharCode(code)));
}

function scan(text: string, from: number, piece: boolean): number {
  const ends = piece ? PIECE_ENDS : WORD_ENDS;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 && ends[code] === true) return at;
    if (code === BACKSLASH && /[nrt"'`\\]/.test(text[at + 1] ?? '') && endsValue(text, at)) return at;
  }
  return text.length;
}

/** Tells whether the backslashes at `at` lead to a quote or to a line break in escaped form. */
function endsValue(text: string, at: number): boolean {
  let next = at;
  while (next - at < 16 && text.charCodeAt(next) === BACKSLASH) next++;
  return /^["'`nrt]$/.test(text[next] ?? '');
}

// Longer ones are never taken for a placeholder or for code, which also keeps the cost of these patterns constant.
const LONGEST_HARMLESS = 256;

const PLACEHOLDERS = [
  /^\$\{\{?[^{}]{0,80}\}{0,2}$/,
  /^\$\(.{0,200}\)?$/,
  /^\$[A-Za-z_][A-Za-z0-9_:]{0,80}$/,
  /^\{[A-Za-z0-9_. -]{0,80}\}$/,
  /^\{\{[^{}]{0,80}\}{0,2}$/,
  /^<[A-Za-z][A-Za-z0-9 _.:/-]{0,60}>?$/,
  /^%[A-Za-z_][A-Za-z0-9_]{0,60}%$/,
  /^%[sdv]$/,
  // A version or a range of them.
  /^[~^<>=v ]{0,3}[0-9]{1,4}\.[0-9]{1,6}\.[0-9]{1,6}(?:[-+][A-Za-z0-9.-]{1,40})?$/,
  /^[[(<]?(?:redacted|hidden|masked|removed|filtered)[\])>]?$/i,
  /^(?:[*.#_-]|\u2022|\u2026|\xe2\x80[\xa2\xa6])+$/,
  /^[xX]{3,}$/,
  /^your[-_ ][A-Za-z_ -]{0,60}$/i,
  /^my[-_ ](?:secret|token|api|key|password)[A-Za-z_ -]{0,40}$/i,
  /^[A-Za-z_ -]{0,40}[-_ ]here$/i,
  /^(?:enter|insert|replace|put)[-_ ][A-Za-z_ -]{0,60}$/i,
];
const DEFAULT_INSIDE = /^\$\{[^}]{0,80}?:?[-=?+][^}]/;
const WORDS_OF_CODE = new Set(
  (
    'true false null none nil undefined void any unknown never string str text bool boolean number int integer float double ' +
    'object array list dict map bytes byte buffer date datetime optional required unset empty yes no on off default new await ' +
    'this self function return const let var std type interface async declared missing invalid valid unavailable'
  ).split(' '),
);

/** Tells whether a value stands for a secret that is elsewhere, or for none. */
export function isPlaceholder(value: string): boolean {
  if (value.length > LONGEST_HARMLESS) return isOnlyMarkers(value);
  const trimmed = value.trim();
  if (trimmed === '' || WORDS_OF_CODE.has(trimmed.toLowerCase()) || isOnlyMarkers(trimmed)) return true;
  if (DEFAULT_INSIDE.test(trimmed)) return false;
  return PLACEHOLDERS.some((pattern) => pattern.test(trimmed));
}

const CODE = [
  // A call, an index, a chain of names, a template, a path of a module, an operator.
  /^[!&*~+-]?[A-Za-z_$][A-Za-z0-9_$]*(?:(?:\?\.|\.|::|->|->>)[A-Za-z_$][A-Za-z0-9_$]*)*[([]/,
  /^(?:process|os|env|import|config|cfg|conf|self|this|secrets|settings|Deno|Bun|req|request|res|response|ctx|context|args|opts|options|params|props|state|data|body|user|module|vars?|local|event|input|input_data)\??\.[A-Za-z_$]/,
  /^[A-Za-z_$][A-Za-z_$]*(?:(?:\?\.|\.|::|->)[A-Za-z_$]+)+[;,]?$/,
  /^[[({]/,
  // A regular expression.
  /^\/.*[\\[(|]/,
  /^(?:=|>|!|\?\?|\|\||&&)/,
  /^[A-Za-z_]+<[A-Za-z_<>[\], |]*>?$/,
];

export function isCode(value: string): boolean {
  return value.length <= LONGEST_HARMLESS && CODE.some((pattern) => pattern.test(value));
}
