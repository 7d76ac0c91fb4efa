/** Looks through escapes: the text behind `\n`, `\"` and `\u0041`, and the way back to where each character came from. */

// One escape stands for one character. What is none of these (`\d`, `\x41`) is left as it stands.
const SIMPLE: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

export interface Unescaped {
  readonly text: string;
  /** Returns the position in the escaped text at which the character at `position` of `text` begins. */
  readonly origin: (position: number) => number;
}

/** Returns `text` with one level of escapes taken away, or undefined if there is none in it. */
export function unescapeOnce(text: string): Unescaped | undefined {
  let at = text.indexOf('\\');
  if (at < 0) return undefined;
  const pieces: string[] = [];
  let from = 0;
  for (; at >= 0; at = text.indexOf('\\', from)) {
    const character = escapeAt(text, at);
    const end = at + escapeLength(text, at);
    pieces.push(text.slice(from, at), character ?? text.slice(at, end));
    from = end;
  }
  if (from === 0) return undefined;
  pieces.push(text.slice(from));
  const plain = pieces.join('');
  if (plain.length === text.length) return undefined;
  let table: Table | undefined;
  return { text: plain, origin: (position) => originIn((table ??= tableOf(text)), position) };
}

function escapeAt(text: string, at: number): string | undefined {
  const next = text[at + 1];
  if (next === undefined) return undefined;
  if (next !== 'u') return SIMPLE[next];
  const digits = text.slice(at + 2, at + 6);
  return /^[0-9a-fA-F]{4}$/.test(digits) ? String.fromCharCode(parseInt(digits, 16)) : undefined;
}

function escapeLength(text: string, at: number): number {
  if (text[at + 1] === 'u' && escapeAt(text, at) !== undefined) return 6;
  return escapeAt(text, at) === undefined ? 1 : 2;
}

/** For each escape: the position of its character in the plain text, and how much longer the escaped text is up to there. */
interface Table {
  readonly positions: readonly number[];
  readonly extras: readonly number[];
}

function tableOf(text: string): Table {
  const positions: number[] = [];
  const extras: number[] = [];
  let extra = 0;
  for (let at = text.indexOf('\\'); at >= 0;) {
    const length = escapeLength(text, at);
    if (length > 1) {
      positions.push(at - extra);
      extra += length - 1;
      extras.push(extra);
    }
    at = text.indexOf('\\', at + length);
  }
  return { positions, extras };
}

function originIn({ positions, extras }: Table, position: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((positions[middle] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return position + (low === 0 ? 0 : (extras[low - 1] ?? 0));
}

/** Tells whether the character at `at` is the second one of an escape such as `\n`. */
export function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 92) backslashes++;
  return backslashes % 2 === 1;
}
