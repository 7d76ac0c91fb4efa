import { expect, test } from 'vitest';
import { readPriceTable } from '../../../src/timeline/ledger/price-table.js';

const PRICE = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cacheWriteLong: 5 };
const read = (value: unknown): unknown => readPriceTable(Buffer.from(JSON.stringify(value)), 'mine.json');

test('a table has a date, models, and where it is from; what it does not know is left away', () => {
  const models = { one: { ...PRICE, note: 'x' }, two: { ...PRICE, upTo: 9 } };
  expect(read({ date: '2026-11-21', models, more: 1 })).toEqual({
    date: '2026-11-21',
    source: 'mine.json',
    models: { one: PRICE, two: { ...PRICE, upTo: 9 } },
  });
});

test.each<[string, unknown]>([
  ['not an object', []],
  ['no date', { models: {} }],
  ['no date', { date: '2026-13-41', models: {} }],
  ['no models', { date: '2026-11-21', models: [] }],
  ['price of "m" is not an object', { date: '2026-11-21', models: { m: null } }],
  ['price output of "m"', { date: '2026-11-21', models: { m: { ...PRICE, output: 0.5 } } }],
  ['price input of "m"', { date: '2026-11-21', models: { m: { ...PRICE, input: -1 } } }],
  ['price input of "m"', { date: '2026-11-21', models: { m: { ...PRICE, input: 1e13 } } }],
  ['upTo of "m"', { date: '2026-11-21', models: { m: { ...PRICE, upTo: 'many' } } }],
])('says what is wrong with it: %s', (reason, table) => {
  expect(read(table)).toContain(reason);
});

test('is refused where it is not JSON or not UTF-8', () => {
  for (const bytes of [Buffer.from('{'), Buffer.from([0x22, 0xff, 0x22])])
    expect(readPriceTable(bytes, 'x')).toBe('it is not JSON');
});
