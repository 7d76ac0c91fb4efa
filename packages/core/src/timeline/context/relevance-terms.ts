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

// Linear in the length of a line, whatever is in it.
const IMPORT = /^\s*(?:import\b|export\b.*\bfrom\b|from\b|use\b|#\s*include\b)|\brequire\(/;

export interface NamedText {
  readonly path: string;
  readonly text: string;
}

/** What is known of the touched files for measuring how near others are. */
export interface Touched {
  readonly paths: ReadonlySet<string>;
  readonly stems: ReadonlySet<string>;
  /** For each folder on the way to a touched file: how deep the highest folder below it is that has one. */
  readonly depths: ReadonlyMap<string, number>;
}

/** Folders deeper than this are measured as if they ended there. */
const DEEPEST = 16;

export function touchedFiles(paths: readonly string[]): Touched {
  const depths = new Map<string, number>();
  for (const path of paths) {
    const ways = waysTo(path);
    for (const way of ways) depths.set(way, Math.min(depths.get(way) ?? Infinity, ways.length - 1));
  }
  return { paths: new Set(paths), stems: new Set(paths.map(stemOf)), depths };
}

export function nearnessOf({ path, text }: NamedText, { paths, stems, depths }: Touched): number {
  if (paths.has(path)) return 1;
  if (path.startsWith('/') || paths.size === 0) return 0;
  const imports = text
    .slice(0, LONGEST_TEXT)
    .split('\n')
    .filter((line) => IMPORT.test(line));
  if (imports.some((line) => line.split(/[^\p{L}\p{N}_-]+/u).some((word) => stems.has(word)))) return 0.5;
  // Up to a folder that both are in, then down.
  const ways = waysTo(path);
  const steps = ways.map((way, depth) => ways.length - 1 - depth + (depths.get(way) ?? Infinity) - depth);
  return 1 / (2 + Math.min(...steps));
}

/** Returns the folders that lead to a file, from the root of the worktree on. */
function waysTo(path: string): readonly string[] {
  const ways = [''];
  for (let at = path.indexOf('/'); at >= 0 && ways.length <= DEEPEST; at = path.indexOf('/', at + 1))
    ways.push(path.slice(0, at + 1));
  return ways;
}
