/** The parts of relevance: words, lines, and how near two paths are. */

/** More of an item than this changes no term by much. */
const LONGEST_TEXT = 64 * 1024;
/** A line that many hold says nothing of two items being alike. */
const SHORTEST_LINE = 4;

/** Returns the words of a text: parts of identifiers with three letters or more, in small letters. */
export function wordsOf(text: string): ReadonlySet<string> {
  const parts = text.slice(0, LONGEST_TEXT).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  return new Set((parts.match(/\p{L}{3,40}/gu) ?? []).map((word) => word.toLowerCase()));
}

/** Returns the different lines of a text, without the white space around them; very short ones do not count. */
export function linesOf(text: string): ReadonlySet<string> {
  const lines = text.slice(0, LONGEST_TEXT).split('\n');
  return new Set(lines.map((line) => line.trim()).filter((line) => line.length >= SHORTEST_LINE));
}

export function shareIn(words: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return words.size === 0 ? 0 : [...words].filter((word) => other.has(word)).length / words.size;
}

/** Returns a file's name without folders and ending. */
export function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.indexOf('.', 1);
  return dot < 0 ? name : name.slice(0, dot);
}

const IMPORT = /^\s*(?:import\b|export\b.*\bfrom\b|from\b|use\b|#\s*include\b|.*\brequire\()/;

export interface NamedText {
  readonly path: string;
  readonly text: string;
}

/** @param stems those of `touched` */
export function nearnessOf({ path, text }: NamedText, touched: readonly string[], stems: readonly string[]): number {
  if (touched.includes(path)) return 1;
  if (path.startsWith('/') || touched.length === 0) return 0;
  const imports = text
    .slice(0, LONGEST_TEXT)
    .split('\n')
    .filter((line) => IMPORT.test(line));
  const named = new Set(imports.flatMap((line) => line.split(/[^\p{L}\p{N}_-]+/u)));
  if (stems.some((stem) => named.has(stem))) return 0.5;
  return 1 / (2 + Math.min(...touched.map((other) => stepsBetween(path, other))));
}

/** Counts the steps from the folder of one file up and down to that of another. */
function stepsBetween(path: string, other: string): number {
  const [a, b] = [path, other].map((one) => one.split('/').slice(0, -1));
  let shared = 0;
  while (shared < (a?.length ?? 0) && a?.[shared] === b?.[shared]) shared += 1;
  return (a?.length ?? 0) + (b?.length ?? 0) - 2 * shared;
}
