/** The receipt of a ledger: what was spent and saved, in total and by model, at a point and between two. */
import { BRIEF, type LedgerEntry } from '../../model/context/ledger.js';
import { cacheSavingOf, costOf, PRICES, type PriceTable } from './prices.js';
import { eachRequestOnce, keysOf, type RequestEntry, type SessionLedger } from './requests.js';

/** Sums of what is known. Where something is not, `unknown` says of how many requests. */
export interface Spending {
  readonly requests: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
  /** Absent where the cost of no request is known. */
  readonly costMicros?: number;
  readonly unknown: {
    /** Requests whose provider told no tokens. */
    readonly tokens: number;
    /** Requests whose cost neither the log nor the price table tells. */
    readonly cost: number;
  };
}

/** Each kind is counted in its own unit, so that none is counted in another one again. */
export interface Savings {
  /** Money: what reading from the provider's cache saved against full price, less what writing it cost more. */
  readonly cacheMicros?: number;
  /** Tokens that context tools report to have left out. */
  readonly tools: number;
  /** The same for each tool by its name, so that no loss of one hides behind what another left out. */
  readonly byTool: Readonly<Record<string, number>>;
  /** Tokens that briefs left out against reading everything again. */
  readonly briefs: number;
  /** Which of these are negative: they cost more than they saved. */
  readonly negative: readonly ('cacheMicros' | 'tools' | 'briefs')[];
}

export interface Receipt {
  readonly entries: readonly (RequestEntry & { readonly costMicros?: number })[];
  readonly totals: Spending & { readonly saved: Savings };
  readonly byModel: Readonly<Record<string, Spending>>;
  /** The price table: its date, and where it is from. */
  readonly prices: Pick<PriceTable, 'date' | 'source'>;
}

/** The key of `byModel` for requests whose model is not known. */
const UNKNOWN_MODEL = 'unknown';

export function receiptOf(ledgers: readonly SessionLedger[], prices: PriceTable = PRICES): Receipt {
  return receipt(eachRequestOnce(ledgers), prices);
}

/** Returns the totals of a receipt without what was saved. */
export function spentIn(ledgers: readonly SessionLedger[], prices: PriceTable): Spending {
  return spendingOf(priced(eachRequestOnce(ledgers), prices).filter(isRequest));
}

export interface Interval {
  readonly from: readonly SessionLedger[];
  readonly to: readonly SessionLedger[];
}

/**
 * Returns what came between two points. A request that `from` knows already counts only with what it has grown by; what is
 * only in `from` does not count. So the receipts of a row of intervals add up to that of the whole.
 */
export function receiptBetween({ from, to }: Interval, prices: PriceTable = PRICES): Receipt {
  const before = new Map(eachRequestOnce(from).flatMap((entry) => keysOf(entry).map((key) => [key, entry] as const)));
  const entries = eachRequestOnce(to).map((entry) => {
    const known = keysOf(entry).flatMap((key) => before.get(key) ?? [])[0];
    return { entry: known === undefined ? entry : growth(known, entry), isNew: known === undefined };
  });
  const grown = entries.filter(({ entry, isNew }) => isNew || TOKENS.some((name) => (entry[name] ?? 0) > 0));
  const result = receipt(
    grown.map(({ entry }) => entry),
    prices,
  );
  const counted = grown.filter(({ isNew }) => isNew).map(({ entry }) => entry);
  const requests = (all: readonly RequestEntry[]): number => all.filter(isRequest).length;
  return {
    ...result,
    totals: { ...result.totals, requests: requests(counted) },
    byModel: Object.fromEntries(
      Object.entries(result.byModel).map(([model, sums]) => [
        model,
        { ...sums, requests: requests(counted.filter((entry) => modelOf(entry) === model)) },
      ]),
    ),
  };
}

const TOKENS = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWriteLong', 'reasoning', 'costMicros'] as const;
const SUMMED = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning'] as const;

function growth(before: RequestEntry, after: RequestEntry): RequestEntry {
  const numbers = TOKENS.flatMap((name) => {
    const value = after[name];
    return value === undefined ? [] : [[name, value - (before[name] ?? 0)] as const];
  });
  return { ...after, ...Object.fromEntries(numbers) };
}

function receipt(all: readonly RequestEntry[], prices: PriceTable): Receipt {
  const entries = priced(all, prices);
  const requests = entries.filter(isRequest);
  const models = [...new Set(requests.map(modelOf))].sort();
  return {
    entries,
    totals: { ...spendingOf(requests), saved: savingsOf(entries, prices) },
    byModel: Object.fromEntries(
      models.map((model) => [model, spendingOf(requests.filter((entry) => modelOf(entry) === model))]),
    ),
    prices: { date: prices.date, source: prices.source },
  };
}

function priced(entries: readonly RequestEntry[], prices: PriceTable): Receipt['entries'] {
  return entries.map((entry) => {
    const costMicros = isRequest(entry) ? costOf(entry, prices) : undefined;
    return { ...entry, ...(costMicros !== undefined && { costMicros }) };
  });
}

function isRequest({ source }: LedgerEntry): boolean {
  return source === undefined;
}

function modelOf({ model }: LedgerEntry): string {
  return model ?? UNKNOWN_MODEL;
}

function spendingOf(entries: readonly LedgerEntry[]): Spending {
  const sums = Object.fromEntries(SUMMED.map((name) => [name, sum(entries.map((entry) => entry[name]))]));
  const costs = entries.flatMap(({ costMicros }) => costMicros ?? []);
  return {
    requests: entries.length,
    ...(sums as Record<(typeof SUMMED)[number], number>),
    ...(costs.length > 0 && { costMicros: sum(costs) }),
    unknown: {
      tokens: entries.filter(({ input, output }) => input === undefined || output === undefined).length,
      cost: entries.length - costs.length,
    },
  };
}

function savingsOf(entries: readonly RequestEntry[], prices: PriceTable): Savings {
  const cache = entries.filter(isRequest).flatMap((entry) => cacheSavingOf(entry, prices) ?? []);
  const tokens = (of: readonly LedgerEntry[]): number => sum(of.map(({ baseline = 0, sent = 0 }) => baseline - sent));
  const byTool = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
    const { source } = entry;
    if (source === undefined || source === BRIEF) continue;
    const of = byTool.get(source) ?? [];
    of.push(entry);
    byTool.set(source, of);
  }
  const saved = {
    ...(cache.length > 0 && { cacheMicros: sum(cache) }),
    tools: tokens([...byTool.values()].flat()),
    byTool: Object.fromEntries(
      [...byTool].sort(([a], [b]) => (a < b ? -1 : 1)).map(([tool, of]) => [tool, tokens(of)]),
    ),
    briefs: tokens(entries.filter(({ source }) => source === BRIEF)),
  };
  const kinds = ['cacheMicros', 'tools', 'briefs'] as const;
  return { ...saved, negative: kinds.filter((kind) => (saved[kind] ?? 0) < 0) };
}

function sum(values: readonly (number | undefined)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}
