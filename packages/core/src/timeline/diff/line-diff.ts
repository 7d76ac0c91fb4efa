/** Finds which lines of a text changed (Myers 1986, "An O(ND) Difference Algorithm"), within a bound on the work. */

/** Lines `[a, aEnd)` of the old text became lines `[b, bEnd)` of the new one. */
export interface LineRange {
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
}

/** Splits a text into lines; each keeps its newline, and the last may have none. */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

// Differences of one search, and steps of all searches together. Beyond them the answer is longer, never wrong.
const MAX_DIFFERENCES = 1000;
const MAX_STEPS = 20_000_000;

/** Returns the changed ranges, in order. All other lines are equal, in order. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly LineRange[] {
  const numbers = new Map<string, number>();
  const number = (line: string): number => {
    const known = numbers.get(line) ?? numbers.size;
    numbers.set(line, known);
    return known;
  };
  const search: Search = {
    a: Int32Array.from(before, number),
    b: Int32Array.from(after, number),
    steps: MAX_STEPS,
    found: [],
  };
  diffRange(search, { a: 0, aEnd: before.length, b: 0, bEnd: after.length });
  return joinNeighbours(search.found);
}

interface Search {
  readonly a: Int32Array;
  readonly b: Int32Array;
  steps: number;
  readonly found: LineRange[];
}

function diffRange(search: Search, whole: LineRange): void {
  const range = trimEqual(search, whole);
  if (range.a === range.aEnd && range.b === range.bEnd) return;
  if (range.a === range.aEnd || range.b === range.bEnd) {
    search.found.push(range);
    return;
  }
  const exact = shortestEdit(search, range);
  if (exact !== undefined) {
    search.found.push(...exact);
    return;
  }
  const anchors = uniqueAnchors(search, range);
  if (anchors.length === 0 || search.steps <= 0) {
    search.found.push(range);
    return;
  }
  let { a, b } = range;
  for (const anchor of anchors) {
    diffRange(search, { a, aEnd: anchor.a, b, bEnd: anchor.b });
    [a, b] = [anchor.a + 1, anchor.b + 1];
  }
  diffRange(search, { a, aEnd: range.aEnd, b, bEnd: range.bEnd });
}

function trimEqual({ a: left, b: right }: Search, range: LineRange): LineRange {
  let { a, aEnd, b, bEnd } = range;
  while (a < aEnd && b < bEnd && left[a] === right[b]) {
    a += 1;
    b += 1;
  }
  while (a < aEnd && b < bEnd && left[aEnd - 1] === right[bEnd - 1]) {
    aEnd -= 1;
    bEnd -= 1;
  }
  return { a, aEnd, b, bEnd };
}

/** Returns the shortest edit, or undefined if it would take more than the bounds allow. */
function shortestEdit(search: Search, range: LineRange): readonly LineRange[] | undefined {
  const [n, m] = [range.aEnd - range.a, range.bEnd - range.b];
  const bound = Math.min(n + m, MAX_DIFFERENCES);
  // furthest[k + bound + 1]: how far into `a` diagonal k (a - b) has come.
  const furthest = new Int32Array(2 * bound + 3);
  const trace: Int32Array[] = [];
  const { a: left, b: right } = search;
  for (let d = 0; d <= bound; d += 1) {
    trace.push(furthest.slice(bound + 1 - d - 1, bound + 1 + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const at = k + bound + 1;
      const down = k === -d || (k !== d && (furthest[at - 1] ?? 0) < (furthest[at + 1] ?? 0));
      let x = down ? (furthest[at + 1] ?? 0) : (furthest[at - 1] ?? 0) + 1;
      const start = x;
      while (x < n && x - k < m && left[range.a + x] === right[range.b + x - k]) x += 1;
      furthest[at] = x;
      search.steps -= 1 + x - start;
      if (x >= n && x - k >= m) return backtrack(trace, range, d);
    }
    if (search.steps <= 0) return undefined;
  }
  return undefined;
}

// trace[d] holds the diagonals -d-1 … d+1 as they were before round d.
function backtrack(trace: readonly Int32Array[], range: LineRange, rounds: number): readonly LineRange[] {
  const ranges: LineRange[] = [];
  let x = range.aEnd - range.a;
  let y = range.bEnd - range.b;
  for (let d = rounds; d > 0; d -= 1) {
    const row = trace[d] ?? new Int32Array();
    const at = (k: number): number => row[k + d + 1] ?? 0;
    const k = x - y;
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const [fromX, fromY] = down ? [at(k + 1), at(k + 1) - k - 1] : [at(k - 1), at(k - 1) - k + 1];
    const [a, b] = [range.a + fromX, range.b + fromY];
    ranges.push(down ? { a, aEnd: a, b, bEnd: b + 1 } : { a, aEnd: a + 1, b, bEnd: b });
    [x, y] = [fromX, fromY];
  }
  return ranges.reverse();
}

/** Returns lines that stand once on each side, in the longest sequence that is in order on both ("patience"). */
function uniqueAnchors(search: Search, range: LineRange): readonly { readonly a: number; readonly b: number }[] {
  const [inA, inB] = [uniqueLines(search.a, range.a, range.aEnd), uniqueLines(search.b, range.b, range.bEnd)];
  const pairs = [...inA]
    .map(([line, a]) => ({ a, b: inB.get(line) ?? -1 }))
    .filter(({ a, b }) => a >= 0 && b >= 0)
    .sort((one, two) => one.a - two.a);
  return longestIncreasing(pairs);
}

/** Line number to its place, or -1 where it stands more than once. */
function uniqueLines(lines: Int32Array, from: number, to: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let at = from; at < to; at += 1) {
    const line = lines[at] ?? 0;
    places.set(line, places.has(line) ? -1 : at);
  }
  return places;
}

interface Pair {
  readonly a: number;
  readonly b: number;
}

function longestIncreasing(pairs: readonly Pair[]): readonly Pair[] {
  // tails[n]: the pair with the smallest b that ends an increasing sequence of n + 1.
  const tails: { readonly pair: Pair; readonly before: Link | undefined }[] = [];
  for (const pair of pairs) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tails[middle]?.pair.b ?? 0) < pair.b) low = middle + 1;
      else high = middle;
    }
    tails[low] = { pair, before: tails[low - 1] };
  }
  const chain: Pair[] = [];
  for (let link: Link | undefined = tails.at(-1); link !== undefined; link = link.before) chain.push(link.pair);
  return chain.reverse();
}

interface Link {
  readonly pair: Pair;
  readonly before: Link | undefined;
}

function joinNeighbours(ranges: readonly LineRange[]): readonly LineRange[] {
  const joined: LineRange[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last?.aEnd === range.a && last.bEnd === range.b)
      joined[joined.length - 1] = { ...last, aEnd: range.aEnd, bEnd: range.bEnd };
    else joined.push(range);
  }
  return joined;
}
