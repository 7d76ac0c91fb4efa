/**
 * Relevance (Φ) of an item, in thousandths: `clamp01(.35 R + .15 S + .20 G + .10 H - .10 C - .10 D)`. Each term lies between
 * 0 and 1, is made of the records and contents alone, and is the same wherever it is computed.
 */
import type { ActionRecord } from '../../model/context/action.js';
import type { ItemRecord } from '../../model/context/item.js';
import { linesOf, nearnessOf, shareIn, touchedFiles, wordsOf } from './relevance-terms.js';

export interface RelevanceRequest {
  /** In the order of their sequence. */
  readonly items: readonly ItemRecord[];
  /** Returns an item's text; undefined for what is not text. */
  readonly textOf: (item: ItemRecord) => string | undefined;
  /** What the session is about. */
  readonly task?: string;
  /** Paths in the worktree that the session read or wrote. */
  readonly touched: readonly string[];
  readonly actions: readonly ActionRecord[];
  /** Whether an item is in the window now. */
  readonly isIn: (item: ItemRecord) => boolean;
}

/** All in thousandths. */
export interface Relevance {
  readonly phi: number;
  /** Task match: the share of the task's words that the item's path or text holds. */
  readonly r: number;
  /** Surprise: the share of the item's lines that no earlier item of the session held. */
  readonly s: number;
  /**
   * Nearness to the touched files: 1 for a touched file, 1/2 for one that names a touched file in an import, else
   * 1/(2 + d), d being the steps from folder to folder; 0 for what is no file of the worktree.
   */
  readonly g: number;
  /** Use: how many actions read or wrote the item's path, of five. */
  readonly h: number;
  /** Cost: the item's share of the tokens in the window; 0 outside of it. */
  readonly c: number;
  /** Duplication: the greatest share of the item's lines that one other item of the window holds too. */
  readonly d: number;
}

const USED_MUCH = 5;
/** A line that more items than this hold is common, and makes no two of them alike. */
const COMMON = 32;

/** Returns the relevance of each item, in the order of `items`. */
export function relevances(request: RelevanceRequest): readonly Relevance[] {
  const { items, textOf, task = '', touched, isIn } = request;
  const texts = items.map((item) => textOf(item) ?? '');
  const lines = texts.map(linesOf);
  const words = wordsOf(task);
  const near = touchedFiles(touched);
  const tokens = items.reduce((sum, item) => sum + (isIn(item) ? item.tokens.count : 0), 0);
  const uses = usesOf(request.actions);
  const seen = new Set<string>();
  const inWindow = items.map(isIn);
  const holders = holdersOf(lines, inWindow);
  return items.map((item, index) => {
    const own = lines[index] ?? new Set();
    const s = share(own, (line) => !seen.has(line));
    for (const line of own) seen.add(line);
    const { path = '' } = item;
    return relevanceOf({
      r: shareIn(words, wordsOf(`${path} ${texts[index] ?? ''}`)),
      s,
      g: item.kind === 'file' ? nearnessOf({ path, text: texts[index] ?? '' }, near) : 0,
      h: Math.min((uses.get(path) ?? 0) / USED_MUCH, 1),
      c: inWindow[index] === true && tokens > 0 ? item.tokens.count / tokens : 0,
      d: greatestOverlap(own, index, holders),
    });
  });
}

function relevanceOf({ r, s, g, h, c, d }: Omit<Relevance, 'phi'>): Relevance {
  const phi = 0.35 * r + 0.15 * s + 0.2 * g + 0.1 * h - 0.1 * c - 0.1 * d;
  const thousandths = (value: number): number => Math.round(Math.min(Math.max(value, 0), 1) * 1000);
  return {
    phi: thousandths(phi),
    r: thousandths(r),
    s: thousandths(s),
    g: thousandths(g),
    h: thousandths(h),
    c: thousandths(c),
    d: thousandths(d),
  };
}

function share(of: ReadonlySet<string>, fits: (one: string) => boolean): number {
  return of.size === 0 ? 0 : [...of].filter(fits).length / of.size;
}

function usesOf(actions: readonly ActionRecord[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const { reads, writes } of actions)
    for (const { path } of [...reads, ...writes]) uses.set(path, (uses.get(path) ?? 0) + 1);
  return uses;
}

/** Returns which items of the window hold a line. */
function holdersOf(
  lines: readonly ReadonlySet<string>[],
  inWindow: readonly boolean[],
): ReadonlyMap<string, readonly number[]> {
  const holders = new Map<string, number[]>();
  lines.forEach((own, index) => {
    if (inWindow[index] !== true) return;
    for (const line of own) {
      const known = holders.get(line);
      if (known === undefined) holders.set(line, [index]);
      else if (known.length < COMMON) known.push(index);
    }
  });
  return holders;
}

function greatestOverlap(
  own: ReadonlySet<string>,
  self: number,
  holders: ReadonlyMap<string, readonly number[]>,
): number {
  const counts = new Map<number, number>();
  for (const line of own)
    for (const other of holders.get(line) ?? []) if (other !== self) counts.set(other, (counts.get(other) ?? 0) + 1);
  let most = 0;
  for (const count of counts.values()) most = Math.max(most, count);
  return own.size === 0 ? 0 : most / own.size;
}
