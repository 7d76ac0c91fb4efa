/** What became of an item: derived from the window when it is read. */
import type { ItemRun, WindowRecord, WindowState } from '../../model/context/item.js';

/** Returns a function from an item's sequence to its state; items of no session's log are `in` for good. */
export function windowStates({ in: now, compacted }: WindowRecord): (sequence: number) => WindowState {
  return (sequence) => (holds(now, sequence) ? 'in' : holds(compacted, sequence) ? 'compacted' : 'evicted');
}

function holds(runs: readonly ItemRun[], sequence: number): boolean {
  return runs.some(({ from, to }) => from <= sequence && sequence <= to);
}
