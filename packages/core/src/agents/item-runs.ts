/** Numbers of items as runs, in their order. */
import type { ItemRun } from '../model/context/item.js';

export function runsOf(items: Iterable<number>): readonly ItemRun[] {
  const runs: { from: number; to: number }[] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (last !== undefined && item === last.to + 1) last.to = item;
    else runs.push({ from: item, to: item });
  }
  return runs;
}

/** Puts runs one after the other. What is shown again, in a second piece, stands where it was first. */
export function withoutRepeats(all: readonly (readonly ItemRun[])[]): readonly ItemRun[] {
  const seen = new Set<number>();
  for (const { from, to } of all.flat()) for (let item = from; item <= to; item += 1) seen.add(item);
  return runsOf(seen);
}
