import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../../src/model/context/ledger.js';
import { PRICES, type PriceTable } from '../../../src/timeline/ledger/prices.js';
import { receiptBetween, receiptOf } from '../../../src/timeline/ledger/receipt.js';
import type { SessionLedger } from '../../../src/timeline/ledger/requests.js';

function request(number: number, more: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    id: `entry${String(number)}`,
    sequence: number,
    model: 'claude-sonnet-4-5',
    requestId: `req_${String(number)}`,
    messageId: `msg_${String(number)}`,
    input: 1000,
    output: 50,
    cacheRead: 200,
    cacheWrite: 0,
    estimated: false,
    ...more,
  };
}

const without = (entry: LedgerEntry, name: keyof LedgerEntry): LedgerEntry =>
  Object.fromEntries(Object.entries(entry).filter(([key]) => key !== name)) as unknown as LedgerEntry;
const session = (name: string, ...entries: readonly LedgerEntry[]): SessionLedger => ({ session: name, entries });

describe('each request counts once', () => {
  test('over a fork that repeats the lines of its origin, and goes on', () => {
    const origin = session('a', request(1), request(2), request(3));
    const fork = session('b', request(1), request(2), request(4));
    expect(receiptOf([origin, fork]).totals).toMatchObject({ requests: 4, input: 4000, output: 200, cacheRead: 800 });
    expect(receiptOf([fork, origin]).totals).toEqual(receiptOf([origin, fork]).totals);
  });

  test('over a resumed session whose lines have new ids of requests, or none', () => {
    const resumed = session('b', request(1, { requestId: 'req_new' }), without(request(2), 'requestId'), request(3));
    expect(receiptOf([session('a', request(1), request(2)), resumed]).totals).toMatchObject({
      requests: 3,
      input: 3000,
    });
  });

  test('over an echo of a subagent in the log of its session', () => {
    const main = session('a', request(1), request(2), request(3));
    expect(receiptOf([main, session('sub', request(2), request(3))]).totals.requests).toBe(3);
  });

  test('where one line knows both ids and shows that two others are one request', () => {
    const [byRequest, byMessage] = [without(request(1), 'messageId'), without(request(1), 'requestId')];
    expect(receiptOf([session('a', byRequest), session('b', byMessage)]).totals.requests).toBe(2);
    expect(
      receiptOf([session('a', byRequest), session('b', byMessage), session('c', request(1))]).totals.requests,
    ).toBe(1);
  });

  test('with the larger numbers, when a line tells of an answer that still came', () => {
    const early = session('a', request(1, { output: 3 }));
    expect(receiptOf([early, session('b', request(1))]).totals).toMatchObject({ requests: 1, output: 50 });
  });
});

describe('what is not known', () => {
  test('is not 0: it is told of how many requests', () => {
    const unknown = without(without(request(2), 'input'), 'output');
    const { totals } = receiptOf([session('a', request(1), unknown)]);
    expect(totals).toMatchObject({ requests: 2, input: 1000, costMicros: 3810, unknown: { tokens: 1, cost: 1 } });
  });

  test('is the cost of a model that no table names', () => {
    const { totals, byModel } = receiptOf([session('a', request(1, { model: 'no-such-model' }))]);
    expect(totals.unknown).toEqual({ tokens: 0, cost: 1 });
    expect(totals).not.toHaveProperty('costMicros');
    expect(byModel).toHaveProperty('no-such-model');
  });
});

describe('money', () => {
  test('is what the agent itself says for the recorded requests', () => {
    // The recorded log: five requests, "totalCostUSD":0.01905.
    const five = [1, 2, 3, 4, 5].map((number) => request(number));
    expect(receiptOf([session('a', ...five)]).totals.costMicros).toBe(19_050);
  });

  test('follows a table of the user, which has its own date', () => {
    const price = { input: 1_000_000, output: 2_000_000, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0 };
    const own: PriceTable = { date: '2030-01-01', source: 'mine.json', models: { mine: price } };
    const receipt = receiptOf([session('a', request(1, { model: 'mine' }))], own);
    expect([receipt.totals.costMicros, receipt.prices]).toEqual([1100, { date: '2030-01-01', source: 'mine.json' }]);
  });

  test('is that of the day of the request, where a price changed', () => {
    const price = { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0 };
    const later = { ...price, input: 3_000_000, from: '2026-06-01' };
    const costAt = (models: PriceTable['models'], at?: string): number | undefined => {
      const entry = request(1, { model: 'mine', ...(at !== undefined && { at }) });
      return receiptOf([session('a', entry)], { date: '2030-01-01', source: 'mine.json', models }).totals.costMicros;
    };
    expect(costAt({ mine: [price, later] }, '2026-05-31T23:59:59.999Z')).toBe(1000);
    expect(costAt({ mine: [price, later] }, '2026-06-01T00:00:00.000Z')).toBe(3000);
    // Before the first day that the table knows of, and where nobody knows when: unknown.
    expect(costAt({ mine: later }, '2026-05-31T23:59:59.999Z')).toBeUndefined();
    expect(costAt({ mine: [price, later] })).toBeUndefined();
    expect(costAt({ mine: later })).toBeUndefined();
    expect(costAt({ mine: price })).toBe(1000);
    expect(costAt({ mine: [price] })).toBe(1000);
  });

  test('is the price that the log names, where it names one', () => {
    expect(receiptOf([session('a', request(1, { costMicros: 7 }))]).totals.costMicros).toBe(7);
  });

  test('knows a model by its name with the date of its version', () => {
    const dated = request(1, { model: 'claude-sonnet-4-5-20250929' });
    expect(receiptOf([session('a', dated)]).totals.costMicros).toBe(3810);
  });

  test('guesses no price from a name that only begins like one that it knows', () => {
    for (const model of ['claude-sonnet-4-5x', 'claude-sonnet', 'eu.claude-sonnet-4-5', 'constructor', '__proto__'])
      expect(receiptOf([session('a', request(1, { model }))]).totals.unknown.cost).toBe(1);
  });

  test('has none for a request that is longer than its price is for', () => {
    const [just, over] = [190_000, 190_001].map((cacheRead, index) => request(index, { input: 10_000, cacheRead }));
    const { totals } = receiptOf([session('a', just as LedgerEntry, over as LedgerEntry)]);
    expect(totals.unknown.cost).toBe(1);
    expect(totals.costMicros).toBe(receiptOf([session('a', just as LedgerEntry)]).totals.costMicros);
  });

  test('counts what is kept for an hour at twice the price of input', () => {
    const written = request(1, { cacheWrite: 1000, cacheWriteLong: 400, cacheRead: 0 });
    // 1000 × 3 + 50 × 15 + 600 × 3.75 + 400 × 6
    expect(receiptOf([session('a', written)]).totals.costMicros).toBe(3000 + 750 + 2250 + 2400);
  });
});

describe('savings', () => {
  const saving = (source: string, baseline: number, sent: number): LedgerEntry => ({
    id: `${source}${String(baseline)}`,
    sequence: 9,
    source,
    baseline,
    sent,
    estimated: true,
  });

  test('of the cache are reads at full price, less what writing cost more', () => {
    const { saved } = receiptOf([session('a', request(1, { cacheRead: 1000, cacheWrite: 100 }))]).totals;
    expect(saved.cacheMicros).toBe(1000 * 3 - 1000 * 0.3 - 100 * 0.75);
    expect(saved.negative).toEqual([]);
  });

  test('say that they are negative where writing the cache cost more than it saved', () => {
    const { saved } = receiptOf([session('a', request(1, { cacheRead: 0, cacheWrite: 1000 }))]).totals;
    expect(saved).toMatchObject({ cacheMicros: -750, negative: ['cacheMicros'] });
  });

  test('of tools and of briefs are tokens, each once, and no requests', () => {
    const told = [saving('lean', 1000, 300), saving('brief', 500, 100)];
    const { totals } = receiptOf([session('a', request(1), ...told), session('fork', ...told)]);
    expect(totals).toMatchObject({ requests: 1, input: 1000, saved: { tools: 700, briefs: 400, negative: [] } });
    expect(receiptOf([session('a', saving('lean', 10, 30))]).totals.saved).toMatchObject({
      tools: -20,
      negative: ['tools'],
    });
  });
});

test('receipts of a row of intervals add up to that of the whole', () => {
  const tokens = fc.option(fc.nat({ max: 100_000 }), { nil: undefined });
  const entry = fc.record({ number: fc.nat({ max: 12 }), input: tokens, output: tokens, cacheRead: tokens });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 30 }), fc.nat({ max: 30 }), (told, cut) => {
      const all = told.map(({ number, ...numbers }) =>
        Object.entries(numbers).reduce<LedgerEntry>(
          (made, [name, value]) =>
            value === undefined ? without(made, name as keyof LedgerEntry) : { ...made, [name]: value },
          request(number),
        ),
      );
      const [early, whole] = [[session('a', ...all.slice(0, cut))], [session('a', ...all)]];
      const [first, rest, total] = [receiptOf(early), receiptBetween({ from: early, to: whole }), receiptOf(whole)];
      for (const name of ['requests', 'input', 'output', 'cacheRead', 'cacheWrite'] as const) {
        expect(first.totals[name] + rest.totals[name]).toBe(total.totals[name]);
        const sums = Object.values(total.byModel).reduce((sum, model) => sum + model[name], 0);
        expect(sums).toBe(total.totals[name]);
      }
    }),
    { numRuns: 60 },
  );
});

test('every price is a whole number that is not negative', () => {
  const prices = Object.values(PRICES.models)
    .flat()
    .flatMap((model) => Object.values(model) as number[]);
  expect(prices.every((price) => Number.isSafeInteger(price) && price >= 0)).toBe(true);
});
