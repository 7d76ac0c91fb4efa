/** A price table that a user wrote, as JSON: `{date, models: {NAME: {input, output, cacheRead, cacheWrite, cacheWriteLong, upTo?}}}`. */
import { strictText } from '../../base/bytes.js';
import type { ModelPrice, PriceTable } from './prices.js';

const NAMES = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWriteLong'] as const;
/** A token for a dollar; more is a mistake in the unit. */
const HIGHEST = 1e12;

/** Returns the table, or a sentence that says what is wrong with it. */
export function readPriceTable(bytes: Uint8Array, source: string): PriceTable | string {
  let table: unknown;
  try {
    table = JSON.parse(strictText(bytes) ?? '');
  } catch {
    return 'it is not JSON';
  }
  if (!isObject(table)) return 'it is not an object';
  const { date, models } = table;
  if (typeof date !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date)))
    return 'it has no date such as 2026-11-21';
  if (!isObject(models)) return 'it has no models';
  const prices: [string, ModelPrice][] = [];
  for (const [name, price] of Object.entries(models)) {
    if (!isObject(price)) return `the price of ${quoted(name)} is not an object`;
    const wrong = NAMES.find((key) => !isCount(price[key]) || Number(price[key]) > HIGHEST);
    if (wrong !== undefined) return `the price ${wrong} of ${quoted(name)} is not a whole number of millionths`;
    if (price['upTo'] !== undefined && !isCount(price['upTo']))
      return `upTo of ${quoted(name)} is not a number of tokens`;
    const known = [...NAMES, 'upTo'].filter((key) => price[key] !== undefined);
    prices.push([name, Object.fromEntries(known.map((key) => [key, price[key]])) as unknown as ModelPrice]);
  }
  return { date, source, models: Object.fromEntries(prices) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}
