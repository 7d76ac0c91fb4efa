import fc from 'fast-check';
import { expect, test } from 'vitest';
import { itemsInOrder, windowStates } from '../../../src/timeline/context/window-state.js';

test('an item is in the window, was compacted, or was left out', () => {
  const stateOf = windowStates({
    in: [
      { from: 8, to: 9 },
      { from: 2, to: 2 },
    ],
    compacted: [{ from: 0, to: 4 }],
    exact: true,
  });
  expect([0, 2, 4, 5, 8, 9, 10].map(stateOf)).toEqual([
    'compacted',
    'in',
    'compacted',
    'evicted',
    'in',
    'in',
    'evicted',
  ]);
});

const run = fc.tuple(fc.nat({ max: 30 }), fc.nat({ max: 8 })).map(([from, length]) => ({ from, to: from + length }));
const runs = fc.array(run, { maxLength: 8 });

test('runs may lie over each other, and stand in any order', () => {
  fc.assert(
    fc.property(runs, runs, (inside, compacted) => {
      const holds = (all: typeof inside, at: number): boolean => all.some(({ from, to }) => from <= at && at <= to);
      const stateOf = windowStates({ in: inside, compacted, exact: true });
      for (let at = 0; at < 42; at += 1)
        expect(stateOf(at)).toBe(holds(inside, at) ? 'in' : holds(compacted, at) ? 'compacted' : 'evicted');
    }),
  );
});

test('the items of runs come in the order of the runs, each once', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: 40 })), runs, (sequences, window) => {
      const items = sequences.map((sequence) => ({ sequence }));
      const sorted = [...items].sort((a, b) => a.sequence - b.sequence);
      const all = window.flatMap(({ from, to }) => sorted.filter(({ sequence: at }) => from <= at && at <= to));
      expect(itemsInOrder(items, window)).toEqual([...new Set(all)]);
    }),
  );
});

test('a window of very many runs, over each other, takes a moment', () => {
  const window = Array.from({ length: 50_000 }, () => ({ from: 0, to: Number.MAX_SAFE_INTEGER }));
  const items = Array.from({ length: 5000 }, (_, sequence) => ({ sequence }));
  expect(itemsInOrder(items, window)).toHaveLength(5000);
  const stateOf = windowStates({ in: window, compacted: window, exact: false });
  expect(items.every(({ sequence }) => stateOf(sequence) === 'in')).toBe(true);
});
