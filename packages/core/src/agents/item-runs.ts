/** Numbers of items as runs, in their order. */
import type { ItemRun } from '../model/context/item.js';

/** Items from `first` on, `count` of them. */
export interface ItemSpan {
  readonly first: number;
  readonly count: number;
}

/** Runs that still grow at their end. */
export type GrowingRuns = { from: number; to: number }[];

export function addSpan(runs: GrowingRuns, { first, count }: ItemSpan): void {
  const last = runs.at(-1);
  if (last?.to === first - 1) last.to = first + count - 1;
  else runs.push({ from: first, to: first + count - 1 });
}

export function runsOfSpans(spans: Iterable<ItemSpan>): GrowingRuns {
  const runs: GrowingRuns = [];
  for (const span of spans) addSpan(runs, span);
  return runs;
}

export function runsOf(items: Iterable<number>): readonly ItemRun[] {
  const runs: GrowingRuns = [];
  for (const first of items) addSpan(runs, { first, count: 1 });
  return runs;
}

/** Puts runs one after the other. What is shown again, in a second piece, stands where it was first. */
export function withoutRepeats(all: readonly (readonly ItemRun[])[]): readonly ItemRun[] {
  const seen = new Set<number>();
  for (const { from, to } of all.flat()) for (let item = from; item <= to; item += 1) seen.add(item);
  return runsOf(seen);
}
