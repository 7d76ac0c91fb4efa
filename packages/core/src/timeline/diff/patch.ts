/** Writes the unified form of a change (POSIX `diff -u`), without the two lines that name the files. */
import { diffLines, splitLines, type LineRange } from './line-diff.js';

export interface TextChange {
  readonly insertions: number;
  readonly deletions: number;
  /** Hunks only; empty where the texts are equal. */
  readonly patch: string;
}

const CONTEXT = 3;

/** Compares two texts line by line. Applying the patch to `before` gives `after`. */
export function textChange(before: string, after: string): TextChange {
  const [old, young] = [splitLines(before), splitLines(after)];
  const ranges = diffLines(old, young);
  return {
    insertions: ranges.reduce((sum, { b, bEnd }) => sum + bEnd - b, 0),
    deletions: ranges.reduce((sum, { a, aEnd }) => sum + aEnd - a, 0),
    patch: hunks(ranges)
      .map((hunk) => writeHunk(hunk, old, young))
      .join(''),
  };
}

/** Returns `after` with the hunks of these numbers, counted from 1, as they are in `before`; and how many there are. */
export function takeBackHunks(
  before: string,
  after: string,
  numbers: ReadonlySet<number>,
): { readonly text: string; readonly count: number } {
  const [old, young] = [splitLines(before), splitLines(after)];
  const groups = hunks(diffLines(old, young));
  // Put together as lists: as arguments of `push`, a hundred thousand lines would be too many.
  const lines: (readonly string[])[] = [];
  let at = 0;
  for (const [index, ranges] of groups.entries()) {
    if (!numbers.has(index + 1)) continue;
    for (const { a, aEnd, b, bEnd } of ranges) {
      lines.push(young.slice(at, b), old.slice(a, aEnd));
      at = bEnd;
    }
  }
  return { text: [...lines, young.slice(at)].flat().join(''), count: groups.length };
}

/** Ranges whose contexts touch share a hunk. */
function hunks(ranges: readonly LineRange[]): readonly (readonly LineRange[])[] {
  const groups: LineRange[][] = [];
  for (const range of ranges) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && range.a - last.aEnd <= 2 * CONTEXT) group.push(range);
    else groups.push([range]);
  }
  return groups;
}

function writeHunk(ranges: readonly LineRange[], old: readonly string[], young: readonly string[]): string {
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (first === undefined || last === undefined) return '';
  const lead = Math.min(CONTEXT, first.a);
  const tail = Math.min(CONTEXT, old.length - last.aEnd);
  const lines: (readonly string[])[] = [];
  let at = first.a - lead;
  for (const { a, aEnd, b, bEnd } of ranges) {
    lines.push(old.slice(at, a).map((line) => patchLine(' ', line)));
    lines.push(old.slice(a, aEnd).map((line) => patchLine('-', line)));
    lines.push(young.slice(b, bEnd).map((line) => patchLine('+', line)));
    at = aEnd;
  }
  lines.push(old.slice(at, at + tail).map((line) => patchLine(' ', line)));
  const before = position(first.a - lead, last.aEnd + tail);
  const after = position(first.b - lead, last.bEnd + tail);
  return `@@ -${before} +${after} @@\n${lines.flat().join('')}`;
}

function patchLine(sign: string, line: string): string {
  return line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;
}

// Lines are counted from 1; an empty range names the line before it.
function position(from: number, to: number): string {
  const count = to - from;
  const start = count === 0 ? from : from + 1;
  return count === 1 ? String(start) : `${String(start)},${String(count)}`;
}
