/** Sets of items as runs in rising order. */
import type { ItemRun } from '../../model/context/item.js';

export function uniteRuns(...all: readonly (readonly ItemRun[])[]): readonly ItemRun[] {
  const united: { from: number; to: number }[] = [];
  for (const { from, to } of all.flat().sort((a, b) => a.from - b.from)) {
    const last = united.at(-1);
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to);
    else united.push({ from, to });
  }
  return united;
}

/** Returns what is in `runs` and not in `without`; both in rising order. */
export function subtractRuns(runs: readonly ItemRun[], without: readonly ItemRun[]): readonly ItemRun[] {
  return runs.flatMap(({ from, to }) => {
    const left: ItemRun[] = [];
    let at = from;
    for (const hole of without) {
      if (hole.to < at || hole.from > to) continue;
      if (hole.from > at) left.push({ from: at, to: hole.from - 1 });
      at = hole.to + 1;
    }
    return at <= to ? [...left, { from: at, to }] : left;
  });
}

/** Appends one item to runs in any order. */
export function appendItem(runs: readonly ItemRun[], item: number): readonly ItemRun[] {
  const last = runs.at(-1);
  return last?.to === item - 1
    ? [...runs.slice(0, -1), { from: last.from, to: item }]
    : [...runs, { from: item, to: item }];
}
