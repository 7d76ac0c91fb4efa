import { expect, test } from 'vitest';
import { labelled, table, widest } from '../../src/terminal/table.js';

test('columns line up, however many rows there are', () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => [String(index), 'x']);
  expect(table([{ title: 'N', align: 'right' }, { title: 'WHAT' }], rows, { unicode: true })).toHaveLength(200_001);
  expect(labelled(rows.map(([label = '', value = '']) => [label, value] as const))).toHaveLength(200_000);
  expect(widest([])).toBe(0);
});
