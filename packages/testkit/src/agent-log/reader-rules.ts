/** What the reader of a log keeps to, so that the fold makes sound records of what it says. */
import type { LogEvent, LogObject } from '@savepoint/core';
import { describe, expect, test } from 'vitest';
import { draws, eventsOf, linesOf, valueAt, type AgentCase, type RecordedLog, type Told } from './bench.js';

export function readerRules(agent: AgentCase): void {
  const dialectOf = () => agent.adapter('/nowhere').dialect();

  describe.each(agent.logs)('the log of $name', (log) => {
    const lines = linesOf(log);

    test('says the same in one pass as in pieces cut after every line, each begun from plain data', async () => {
      const dialect = await dialectOf();
      const whole = eventsOf(dialect, lines);
      expect(eventsOf(dialect, lines, new Set(lines.keys()))).toEqual(whole);
    });

    test('tells of prompts, calls with their results, requests with their tokens, and windows', async () => {
      const events = eventsOf(await dialectOf(), lines).flatMap(({ events: of }) => of);
      const count = (kind: LogEvent['event']): number => events.filter(({ event }) => event === kind).length;
      for (const kind of ['item', 'call', 'result', 'usage', 'window', 'session'] as const)
        expect([kind, count(kind)]).not.toEqual([kind, 0]);
      expect(events.some((event) => event.event === 'item' && event.prompt === true)).toBe(true);
      expect(events.some((event) => event.event === 'usage' && event.input !== undefined && event.own)).toBe(true);
    });

    test('names content that stands in the line', async () => {
      for (const { line, events } of eventsOf(await dialectOf(), lines))
        for (const pointer of events.flatMap(pointersOf))
          expect([pointer, valueAt(line, pointer)]).not.toContain(undefined);
    });

    test('refers to items that are there, names each once, and ends only calls that began', async () => {
      holdsTogether(eventsOf(await dialectOf(), lines));
    });
  });

  test('lines of no known kind say nothing, and nothing makes a reader fail', async () => {
    const dialect = await dialectOf();
    for (const type of ['tomorrow', '__proto__', 'constructor', 'toString', '', 7, null, {}, []])
      expect(
        dialect
          .reader()
          .read({ type })
          .filter(({ event }) => event !== 'session'),
      ).toEqual([]);
    for (const log of agent.logs) survives(dialect, log);
  });
}

function pointersOf(event: LogEvent): readonly string[] {
  const contents =
    event.event === 'item'
      ? [event.content, event.sent]
      : event.event === 'call'
        ? [event.arguments]
        : event.event === 'result'
          ? [event.output]
          : event.event === 'sent'
            ? [event.content]
            : [];
  return contents.flatMap((content) => content?.pointers ?? []);
}

function holdsTogether(told: readonly Told[]): void {
  let items = 0;
  const keys = new Set<string>();
  const calls = new Set<string>();
  for (const event of told.flatMap(({ events }) => events)) {
    if (event.event === 'item') {
      items += 1;
      expect(keys.has(event.key)).toBe(false);
      keys.add(event.key);
    }
    if (event.event === 'call') calls.add(event.call);
    if (event.event === 'result') expect(calls).toContain(event.call);
    const named = itemsNamed(event);
    expect(named.filter((item) => !(item >= 0 && item < items))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
  }
}

function itemsNamed(event: LogEvent): readonly number[] {
  if (event.event === 'counted') return event.items;
  if (event.event === 'sent') return [event.item, ...(event.inside === undefined ? [] : [event.inside])];
  if (event.event !== 'window') return [];
  return event.items.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index));
}

const MEAN: readonly unknown[] = [
  '',
  '\ud800',
  '__proto__',
  'x'.repeat(5000),
  -1,
  1.5,
  1e300,
  null,
  [],
  {},
  true,
  [[[]]],
];

/** Reads a log again and again, each time with some values replaced. */
function survives(dialect: Parameters<typeof eventsOf>[0], log: RecordedLog): void {
  const below = draws(7);
  const lines = linesOf(log);
  for (let round = 0; round < 20; round += 1) {
    const spoilt = structuredClone(lines) as Record<string, unknown>[];
    for (let times = 0; times < 30; times += 1) spoil(spoilt[below(spoilt.length)] ?? {}, below);
    const reader = dialect.reader();
    for (const line of spoilt) reader.read(line as LogObject);
    const state = reader.state();
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  }
}

function spoil(value: Record<string, unknown>, below: (limit: number) => number): void {
  const names = Object.keys(value);
  const name = names[below(names.length)];
  if (name === undefined) return;
  const inner = value[name];
  if (typeof inner === 'object' && inner !== null && below(4) > 0) spoil(inner as Record<string, unknown>, below);
  else value[name] = MEAN[below(MEAN.length)];
}
