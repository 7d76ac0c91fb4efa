/** What the model received, against what the records say that was in the window: recorded sessions of real agents, both sides. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ItemRecord, WindowRecord } from '../../../src/model/context/item.js';
import { bytesAt, type LogValue } from '../../../src/model/context/log-value.js';
import { linesOf, newFold, readPlace } from './recorded.js';

const ROOT = path.join(import.meta.dirname, '../../fixtures/windows');

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly input?: LogValue;
  readonly content?: string | readonly Block[];
  readonly source?: { readonly data: string };
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

interface Recording {
  readonly parts: readonly unknown[];
  readonly requests: readonly { id: string; system: number; tools: number; messages: readonly number[] }[];
}

/** Texts of one speaker in a row, put together. */
type Turn = readonly [role: string, texts: string];

interface Shown {
  readonly exact: boolean;
  readonly turns: readonly Turn[];
  readonly rules: readonly string[];
  readonly items: readonly ItemRecord[];
  readonly textOf: (item: ItemRecord) => string;
}

function recordingOf(version: string): Recording {
  return JSON.parse(readFileSync(path.join(ROOT, version, 'requests.json'), 'utf8')) as Recording;
}

/** Returns what was in the window at each request that a log tells of, by the provider's id of the request. */
function windowsIn(log: Buffer): ReadonlyMap<string, Shown> {
  const fold = newFold();
  const items = new Map<number, ItemRecord>();
  const byReference = new Map<string, Shown>();
  const shown = new Map<string, Shown>();
  for (const line of linesOf(log)) {
    fold.push(line);
    const taken = fold.take();
    for (const item of taken.items) items.set(item.sequence, item);
    const told = JSON.parse(Buffer.from(line.bytes).toString('utf8')) as Record<string, string | undefined>;
    const now = show(log, items, taken.window);
    if (told['type'] === 'api-request') byReference.set(told['id'] ?? '', now);
    const request = told['type'] === 'assistant' ? told['requestId'] : undefined;
    if (request !== undefined && !shown.has(request))
      shown.set(request, byReference.get(told['requestRef'] ?? '') ?? now);
  }
  return shown;
}

function show(
  log: Buffer,
  items: ReadonlyMap<number, ItemRecord>,
  { in: runs, since = 0, exact }: WindowRecord,
): Shown {
  const numbers = runs.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index));
  const sent = numbers.flatMap((number) => (number < since ? (items.get(number) ?? []) : []));
  const whole = sent.filter(({ inside }) => inside === undefined);
  const textOf = (item: ItemRecord): string => {
    const reference = item.sent ?? item.content;
    const bytes = Buffer.from(readPlace(log, reference) ?? []);
    return bytes.toString(reference.place.in === 'transcript' && reference.place.base64 === true ? 'base64' : 'utf8');
  };
  const isRule = ({ path: named }: ItemRecord): boolean => named === 'system prompt' || named === 'tools';
  const spoken = whole.filter((item) => !isRule(item));
  return {
    exact,
    turns: joined(spoken.map((item) => [item.role === 'assistant' ? 'assistant' : 'user', textOf(item)])),
    rules: whole.filter(isRule).map(textOf),
    items: spoken,
    textOf,
  };
}

function joined(texts: readonly Turn[]): readonly Turn[] {
  const turns: [string, string][] = [];
  for (const [role, text] of texts) {
    const last = turns.at(-1);
    if (last?.[0] === role) last[1] += text;
    else turns.push([role, text]);
  }
  return turns;
}

const form = (value: unknown): string =>
  Buffer.from(bytesAt({ value } as LogValue, { pointers: ['/value'] }) ?? []).toString();

function textOfBlock(block: Block): string {
  if (block.type === 'tool_use') return form(block.input);
  if (block.type === 'image') return block.source?.data ?? '';
  if (typeof block.content === 'string') return block.content;
  return block.text ?? (block.content ?? []).map(textOfBlock).join('');
}

function blocksOf({ content }: Message): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function received({ parts }: Recording, messages: readonly number[]): readonly Turn[] {
  const all = messages.map((number) => parts[number] as Message);
  return joined(all.flatMap((message) => blocksOf(message).map((block): Turn => [message.role, textOfBlock(block)])));
}

function logsOf(version: string): ReadonlyMap<string, Buffer> {
  const names = readdirSync(path.join(ROOT, version), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  return new Map(names.map((name) => [name, readFileSync(path.join(ROOT, version, name))]));
}

describe('Claude Code 2.1.329, whose logs say what was sent', () => {
  const recording = recordingOf('claude-2.1.329');
  const windows = [...logsOf('claude-2.1.329').values()].map(windowsIn);
  const exact = new Map(windows.flatMap((shown) => [...shown].filter(([, { exact: isExact }]) => isExact)));

  test('every request but the one for the summary is in a log', () => {
    const others = recording.requests.filter(({ id }) => !exact.has(id));
    expect(exact.size).toBe(17);
    expect(others).toHaveLength(1);
    expect(received(recording, others[0]?.messages ?? []).at(-1)?.[1]).toContain('CRITICAL: Respond with TEXT ONLY');
  });

  test.each(recording.requests.filter(({ id }) => exact.has(id)))(
    'the window at $id is what the model received',
    (request) => {
      const shown = exact.get(request.id);
      expect(shown?.turns).toEqual(received(recording, request.messages));
      // The first part is the client's own mark for billing, which is made when the request is sent.
      const system = (recording.parts[request.system] as Block[]).map(({ text = '' }) => text);
      expect(shown?.rules).toEqual([
        ...system.filter((text) => !text.startsWith('x-anthropic-billing')),
        form(recording.parts[request.tools]),
      ]);
    },
  );

  test('what a fork repeats of its origin without saying what was sent is called inferred', () => {
    const repeated = windows.flatMap((shown) => [...shown].filter(([, { exact: isExact }]) => !isExact));
    expect(repeated.map(([id]) => id).every((id) => exact.has(id))).toBe(true);
    expect(repeated.length).toBeGreaterThan(0);
  });
});

describe('Claude Code 2.1.197, whose logs hold the conversation alone', () => {
  const recording = recordingOf('claude-2.1.197');
  const windows = new Map([...logsOf('claude-2.1.197')].map(([name, log]) => [name, windowsIn(log)]));
  const main = [...windows].flatMap(([name, shown]) => (name.startsWith('1111') ? [...shown] : []));

  test('no window is called exact', () => {
    expect(main).toHaveLength(15);
    expect(main.filter(([, { exact }]) => exact)).toEqual([]);
  });

  test.each(main)(
    'the answers, calls and results in the window at %s are those that the model received, in order',
    (id, shown) => {
      const request = recording.requests.find((one) => one.id === id);
      const blocks = (request?.messages ?? []).flatMap((number) => {
        const message = recording.parts[number] as Message;
        return blocksOf(message).filter(({ type }) => message.role === 'assistant' || type === 'tool_result');
      });
      const told = shown.items.filter(({ role, from }) => role === 'assistant' || from !== undefined).map(shown.textOf);
      expect(told).toHaveLength(blocks.length);
      blocks.forEach((block, index) => {
        // Reminders, which stand in no line of these logs, take the place of white space at the end of a result.
        const text = told[index]?.trimEnd() ?? '?';
        expect(textOfBlock(block).slice(0, text.length)).toBe(text);
      });
    },
  );

  test.each(main)('every prompt and summary in the window at %s was received', (id, shown) => {
    const request = recording.requests.find((one) => one.id === id);
    const all = received(recording, request?.messages ?? [])
      .map(([, texts]) => texts)
      .join('\n');
    const asked = shown.items.filter(
      ({ kind, selection }) => kind === 'summary' || (kind === 'message' && selection === 'explicit'),
    );
    expect(asked.length).toBeGreaterThan(0);
    for (const item of asked) expect(all).toContain(shown.textOf(item));
  });
});
