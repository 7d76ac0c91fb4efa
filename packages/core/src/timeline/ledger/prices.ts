/**
 * What tokens cost: a dated table that the user can replace, model by model. A model that no table names has no price, and
 * what it cost stays unknown.
 */
import type { LedgerEntry } from '../../model/context/ledger.js';

/** Millionths of a US dollar for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cacheWriteLong: number;
}

export interface PriceTable {
  /** When the prices were looked up, `YYYY-MM-DD`. */
  readonly date: string;
  readonly models: Readonly<Record<string, ModelPrice>>;
}

/** List prices without discounts for batches and without surcharges for very long requests. */
export const PRICES: PriceTable = {
  date: '2025-11-24',
  models: {
    'claude-opus-4-5': anthropic(5, 25),
    'claude-opus-4-1': anthropic(15, 75),
    'claude-opus-4': anthropic(15, 75),
    'claude-sonnet-4-5': anthropic(3, 15),
    'claude-sonnet-4': anthropic(3, 15),
    'claude-3-7-sonnet': anthropic(3, 15),
    'claude-haiku-4-5': anthropic(1, 5),
    'claude-3-5-haiku': anthropic(0.8, 4),
    'gpt-5': openai(1.25, 10),
    'gpt-5-mini': openai(0.25, 2),
    'gpt-5-nano': openai(0.05, 0.4),
  },
};

/** Reading the cache costs a tenth, writing it a quarter more, for an hour as much again. */
function anthropic(input: number, output: number): ModelPrice {
  return perMillion({ input, output, cacheRead: input / 10, cacheWrite: input * 1.25, cacheWriteLong: input * 2 });
}

/** Reading the cache costs a tenth, writing it nothing more. */
function openai(input: number, output: number): ModelPrice {
  return perMillion({ input, output, cacheRead: input / 10, cacheWrite: input, cacheWriteLong: input });
}

function perMillion(dollars: ModelPrice): ModelPrice {
  const micros = (value: number): number => Math.round(value * 1e6);
  return {
    input: micros(dollars.input),
    output: micros(dollars.output),
    cacheRead: micros(dollars.cacheRead),
    cacheWrite: micros(dollars.cacheWrite),
    cacheWriteLong: micros(dollars.cacheWriteLong),
  };
}

/** A name with the date of its version means the model without it. */
export function priceOf({ models }: PriceTable, model: string | undefined): ModelPrice | undefined {
  const names = model === undefined ? [] : [model, model.replace(/-(?:\d{8}|latest)$/, '')];
  const name = names.find((one) => Object.hasOwn(models, one));
  return name === undefined ? undefined : models[name];
}

/** Returns what a request cost in millionths of a US dollar: as the log says, else by the table; undefined where unknown. */
export function costOf(entry: LedgerEntry, table: PriceTable): number | undefined {
  if (entry.costMicros !== undefined) return entry.costMicros;
  const price = priceOf(table, entry.model);
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
  const price = priceOf(table, entry.model);
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
