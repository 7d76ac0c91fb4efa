/** A price table that a user wrote, as JSON: `{date, models: {NAME: PRICE or [PRICE, ...]}}`, a price being `{input, output, cacheRead, cacheWrite, cacheWriteLong, upTo?, from?}`. */
import { strictText } from '../../base/bytes.js';
import { parseTime } from '../../base/clock.js';
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
  if (!isDay(date)) return 'it has no date such as 2026-11-21';
  if (!isObject(models)) return 'it has no models';
  const prices: [string, Prices][] = [];
  for (const [name, given] of Object.entries(models)) {
    const read = pricesIn(given, quoted(name));
    if (typeof read === 'string') return read;
    prices.push([name, read]);
  }
  return { date, source, models: Object.fromEntries(prices) };
}

type Prices = ModelPrice | readonly ModelPrice[];

/** One price, or a list of them, each from its own day on; one may be older than all days. */
function pricesIn(given: unknown, name: string): Prices | string {
  if (!Array.isArray(given)) return priceIn(given, name);
  if (given.length === 0) return `${name} has an empty list of prices`;
  const all: ModelPrice[] = [];
  for (const one of given as readonly unknown[]) {
    const price = priceIn(one, name);
    if (typeof price === 'string') return price;
    all.push(price);
  }
  if (new Set(all.map(({ from }) => from)).size < all.length) return `${name} has two prices from the same day on`;
  return all.sort(({ from: a = '' }, { from: b = '' }) => (a < b ? -1 : 1));
}

function priceIn(price: unknown, name: string): ModelPrice | string {
  if (!isObject(price)) return `the price of ${name} is not an object`;
  const wrong = NAMES.find((key) => !isCount(price[key]) || Number(price[key]) > HIGHEST);
  if (wrong !== undefined) return `the price ${wrong} of ${name} is not a whole number of millionths`;
  if (price['upTo'] !== undefined && !isCount(price['upTo'])) return `upTo of ${name} is not a number of tokens`;
  if (price['from'] !== undefined && !isDay(price['from'])) return `from of ${name} is not a day such as 2026-11-21`;
  const known = [...NAMES, 'upTo', 'from'].filter((key) => price[key] !== undefined);
  return Object.fromEntries(known.map((key) => [key, price[key]])) as unknown as ModelPrice;
}

function isDay(value: unknown): value is string {
  return (
    typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && parseTime(`${value}T00:00:00.000Z`) !== undefined
  );
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
