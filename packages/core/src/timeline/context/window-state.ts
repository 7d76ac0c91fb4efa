/** What became of an item: derived from the window when it is read. A hostile window has runs without number, and over each other. */
import type { ItemRun, WindowRecord, WindowState } from '../../model/context/item.js';
import { uniteRuns } from '../records/runs.js';

/** Returns a function from an item's sequence to its state; items of no session's log are `in` for good. */
export function windowStates({ in: now, compacted }: WindowRecord): (sequence: number) => WindowState {
  const [inside, replaced] = [uniteRuns(now), uniteRuns(compacted)];
  return (sequence) => (holds(inside, sequence) ? 'in' : holds(replaced, sequence) ? 'compacted' : 'evicted');
}

/** @param runs in rising order */
function holds(runs: readonly ItemRun[], sequence: number): boolean {
  const after = firstWhere(runs.length, (at) => (runs[at]?.from ?? 0) > sequence);
  return (runs[after - 1]?.to ?? -1) >= sequence;
}

/** Returns the items of runs, in the order of the runs, each once. */
export function itemsInOrder<T extends { readonly sequence: number }>(
  items: readonly T[],
  runs: readonly ItemRun[],
): readonly T[] {
  const sorted = [...items].sort((a, b) => a.sequence - b.sequence);
  // Of each place, the next one whose item was not told yet.
  const next = Array.from({ length: sorted.length + 1 }, (_, at) => at);
  const untold = (from: number): number => {
    let at = from;
    while (next[at] !== at) at = next[at] = next[next[at] ?? at] ?? at;
    return at;
  };
  const told: T[] = [];
  for (const { from, to } of runs) {
    const first = firstWhere(sorted.length, (at) => (sorted[at]?.sequence ?? 0) >= from);
    for (let at = untold(first); (sorted[at]?.sequence ?? Infinity) <= to; at = untold(at)) {
      const item = sorted[at];
      if (item !== undefined) told.push(item);
      next[at] = at + 1;
    }
  }
  return told;
}

/** Returns the first number below `count` from which on a test holds, else `count`. */
function firstWhere(count: number, holdsFrom: (at: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holdsFrom(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
