import { expect, test } from 'vitest';
import { windowStates } from '../../../src/timeline/context/window-state.js';

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
