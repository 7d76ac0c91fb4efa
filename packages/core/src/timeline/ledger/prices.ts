/**
 * What tokens cost: a table with a date and a source, which the user can replace as a whole, and which may say from when on a
 * price holds: a request has the price of its day. A model that the table does not
 * name has no price, nor has a request longer than its price is for: what it cost stays unknown.
 */
import type { LedgerEntry } from '../../model/context/ledger.js';

/** Millionths of a US dollar for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cacheWriteLong: number;
  /** Requests of more tokens of input, cache included, have another price. */
  readonly upTo?: number;
  /** The first day on which it holds, `YYYY-MM-DD` in UTC; without it, it held always. */
  readonly from?: string;
}

export interface PriceTable {
  /** When the prices were looked up, `YYYY-MM-DD`. */
  readonly date: string;
  /** `built in`, or the file that it was read from. */
  readonly source: string;
  /** Of each model its price, or all that it had, the oldest first. */
  readonly models: Readonly<Record<string, ModelPrice | readonly ModelPrice[]>>;
}

/** List prices without discounts for batches and surcharges for speed; `docs/prices.md` says where they are from. */
export const PRICES: PriceTable = {
  date: '2026-10-24',
  source: 'built in',
  models: {
    'claude-fable-5-1': anthropic(10, 50, { cacheRead: 0.25 }),
    'claude-fable-5': anthropic(10, 50),
    'claude-opus-5-5': anthropic(4, 20, { cacheRead: 0.2 }),
    'claude-opus-5': anthropic(5, 25),
    'claude-opus-4-8': anthropic(5, 25),
    'claude-opus-4-7': anthropic(5, 25),
    'claude-opus-4-6': anthropic(5, 25),
    'claude-opus-4-5': anthropic(5, 25),
    'claude-opus-4-1': anthropic(15, 75),
    'claude-opus-4': anthropic(15, 75),
    'claude-sonnet-5-5': anthropic(2, 10, { cacheRead: 0.1 }),
    'claude-sonnet-5': anthropic(2, 10),
    'claude-sonnet-4-6': anthropic(3, 15),
    'claude-sonnet-4-5': anthropic(3, 15, { upTo: 200_000 }),
    'claude-sonnet-4': anthropic(3, 15, { upTo: 200_000 }),
    'claude-3-7-sonnet': anthropic(3, 15),
    'claude-haiku-5-5': anthropic(0.1, 0.5, { upTo: 100_000 }),
    'claude-haiku-4-5': anthropic(1, 5),
    'claude-3-5-haiku': anthropic(0.8, 4),
    'gpt-5.5': openai(5, 30, { upTo: 272_000 }),
    'gpt-5.4': openai(2.5, 15, { upTo: 272_000 }),
    'gpt-5.4-mini': openai(0.75, 4.5),
    'gpt-5.4-nano': openai(0.2, 1.25),
    'gpt-5.3-codex': openai(1.75, 14),
    'gpt-5.2-codex': openai(1.75, 14),
    'gpt-5.2': openai(1.75, 14),
    'gpt-5.1': openai(1.25, 10),
    'gpt-5-codex': openai(1.25, 10),
    'gpt-5': openai(1.25, 10),
    'gpt-5-mini': openai(0.25, 2),
    'gpt-5-nano': openai(0.05, 0.4),
  },
};

type Other = Pick<Partial<ModelPrice>, 'cacheRead' | 'upTo'>;

/** Reading the cache costs a tenth where nothing else is said, writing it a quarter more, for an hour as much again. */
function anthropic(input: number, output: number, { cacheRead = input / 10, ...other }: Other = {}): ModelPrice {
  return perMillion({ input, output, cacheRead, cacheWrite: input * 1.25, cacheWriteLong: input * 2 }, other);
}

/** Reading the cache costs a tenth, writing it nothing more. */
function openai(input: number, output: number, other: Other = {}): ModelPrice {
  return perMillion({ input, output, cacheRead: input / 10, cacheWrite: input, cacheWriteLong: input }, other);
}

function perMillion(dollars: ModelPrice, other: Other): ModelPrice {
  const micros = (value: number): number => Math.round(value * 1e6);
  return {
    input: micros(dollars.input),
    output: micros(dollars.output),
    cacheRead: micros(dollars.cacheRead),
    cacheWrite: micros(dollars.cacheWrite),
    cacheWriteLong: micros(dollars.cacheWriteLong),
    ...other,
  };
}

/**
 * Returns the price that a request had on its day. A name with the date of its version (`-20250929`, `-2026-04-01`, `-latest`) means the model
 * without it; nothing else is guessed from a name.
 */
export function priceOf({ models }: PriceTable, entry: LedgerEntry): ModelPrice | undefined {
  const { model, at, input = 0, cacheRead = 0, cacheWrite = 0 } = entry;
  const names = model === undefined ? [] : [model, model.replace(/-(?:\d{8}|\d{4}-\d\d-\d\d|latest)$/, '')];
  const name = names.find((one) => Object.hasOwn(models, one));
  const price = name === undefined ? undefined : priceAt(models[name] ?? [], at);
  return input + cacheRead + cacheWrite > (price?.upTo ?? Infinity) ? undefined : price;
}

/** A request of no known time has a price only where there was never another one. */
function priceAt(prices: ModelPrice | readonly ModelPrice[], at: string | undefined): ModelPrice | undefined {
  const all = 'input' in prices ? [prices] : prices;
  if (at === undefined) return all.length === 1 && all[0]?.from === undefined ? all[0] : undefined;
  const day = at.slice(0, 'YYYY-MM-DD'.length);
  return all.findLast(({ from }) => from === undefined || from <= day);
}

/** Returns what a request cost in millionths of a US dollar: as the log says, else by the table; undefined where unknown. */
export function costOf(entry: LedgerEntry, table: PriceTable): number | undefined {
  if (entry.costMicros !== undefined) return entry.costMicros;
  const price = priceOf(table, entry);
  const { input, output, cacheRead = 0, cacheWrite = 0, cacheWriteLong = 0 } = entry;
  if (price === undefined || input === undefined || output === undefined) return undefined;
  const long = Math.min(cacheWriteLong, cacheWrite);
  return micros([
    [input, price.input],
    [output, price.output],
    [cacheRead, price.cacheRead],
    [cacheWrite - long, price.cacheWrite],
    [long, price.cacheWriteLong],
  ]);
}

/**
 * Returns what the cache saved of a request: what was read from it at full price, less what writing it cost more than
 * sending would have. Negative where nothing has been read again yet.
 */
export function cacheSavingOf(entry: LedgerEntry, table: PriceTable): number | undefined {
  const price = priceOf(table, entry);
  const { cacheRead, cacheWrite = 0, cacheWriteLong = 0 } = entry;
  if (price === undefined || cacheRead === undefined) return undefined;
  const long = Math.min(cacheWriteLong, cacheWrite);
  return micros([
    [cacheRead, price.input - price.cacheRead],
    [cacheWrite - long, price.input - price.cacheWrite],
    [long, price.input - price.cacheWriteLong],
  ]);
}

/** Sums tokens times price exactly and rounds once, half away from zero. */
function micros(parts: readonly (readonly [tokens: number, price: number])[]): number {
  const sum = parts.reduce((total, [tokens, price]) => total + BigInt(tokens) * BigInt(price), 0n);
  const size = sum < 0n ? -sum : sum;
  const rounded = Number((size + 500_000n) / 1_000_000n);
  return sum < 0n ? -rounded : rounded;
}
