/**
 * Makes text from outside harmless on a terminal. Names, messages and branches of a snapshot are bytes that somebody
 * else may have chosen: a terminal acts on control characters, and a reader is fooled by ones that turn the writing
 * direction (CVE-2021-42574). Both are shown, not sent.
 */

// C0, DEL and C1; line and paragraph separators; the bidirectional controls of Unicode UAX #9.
const ACTIVE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

// With the marks of our own screens: to look a character up in a property of Unicode, V8 first makes a table of it.
const PLAIN = /^[\x20-\x7e\u00b7\u2026\u2713\u2717]*$/;

/** Returns the text with every character that a terminal would act on written as an escape such as `\x1b`. */
export function printable(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(ACTIVE, escaped).replace(LONE_SURROGATE, '\ufffd');
}

/** The same of a line of somebody's text, such as of a file, which may hold tabs. */
export function printableText(text: string): string {
  return text.split('\t').map(printable).join('\t');
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return SHORT[character] ?? (code < 256 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`);
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

// Combining marks, and what is shown in two columns (Unicode UAX #11 "W" and "F", and emoji), in coarse ranges.
const NO_COLUMN = /\p{Mn}|\p{Me}|\p{Cf}/u;
const TWO_COLUMNS =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;

/** Returns how many columns printable text takes. */
export function columnsOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += NO_COLUMN.test(character) ? 0 : TWO_COLUMNS.test(character) ? 2 : 1;
  return columns;
}

/** Returns the beginning of printable text that fits, ending in `mark` where something was cut. */
export function fitted(text: string, columns: number, mark: string): string {
  if (columnsOf(text) <= columns) return text;
  let kept = '';
  for (const character of text) {
    if (columnsOf(kept + character) > columns - mark.length) break;
    kept += character;
  }
  return kept + mark;
}
