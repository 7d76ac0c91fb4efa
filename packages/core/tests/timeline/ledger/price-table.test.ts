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

test('a model may have several prices, each from a day on; they are put in order', () => {
  const [old, newer, newest] = [PRICE, { ...PRICE, from: '2026-01-01' }, { ...PRICE, from: '2026-06-01', upTo: 5 }];
  expect(read({ date: '2026-11-21', models: { m: [newest, old, newer], n: newer } })).toMatchObject({
    models: { m: [old, newer, newest], n: newer },
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
  ['from of "m"', { date: '2026-11-21', models: { m: { ...PRICE, from: '2026-02-30' } } }],
  ['from of "m"', { date: '2026-11-21', models: { m: { ...PRICE, from: 20260101 } } }],
  ['"m" has an empty list', { date: '2026-11-21', models: { m: [] } }],
  ['price of "m" is not an object', { date: '2026-11-21', models: { m: [PRICE, []] } }],
  ['"m" has two prices from the same day', { date: '2026-11-21', models: { m: [PRICE, PRICE] } }],
  ['upTo of "m"', { date: '2026-11-21', models: { m: { ...PRICE, upTo: 'many' } } }],
])('says what is wrong with it: %s', (reason, table) => {
  expect(read(table)).toContain(reason);
});

test('is refused where it is not JSON or not UTF-8', () => {
  for (const bytes of [Buffer.from('{'), Buffer.from([0x22, 0xff, 0x22])])
    expect(readPriceTable(bytes, 'x')).toBe('it is not JSON');
});
