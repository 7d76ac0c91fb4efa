/** What a recorded log does not show: older forms of lines, and calls that end late or not at all. */
import { describe, expect, test } from 'vitest';
import { codexLog } from '../../src/agents/codex/log/codex-log.js';
import type { LogEvent } from '../../src/model/context/log-event.js';
import type { LogObject, LogValue } from '../../src/model/context/log-value.js';
import { eachRequestOnce } from '../../src/timeline/ledger/requests.js';
import { foldOf, linesOf, recordedLog } from '../timeline/records/recorded.js';

const item = (payload: LogObject): LogObject => ({ type: 'response_item', payload });
const event = (payload: LogObject): LogObject => ({ type: 'event_msg', payload });
const message = (role: string, text: string): LogObject =>
  item({ type: 'message', role, content: [{ type: 'text', text }] });
const call = (name: string, given: unknown, id = 'c'): LogObject =>
  item({ type: 'function_call', name, call_id: id, arguments: JSON.stringify(given) });
const output = (text: LogValue, id = 'c'): LogObject =>
  item({ type: 'function_call_output', call_id: id, output: text });
const totals = (input: number): LogObject => ({ input_tokens: input, output_tokens: 5, cached_input_tokens: 1 });
const count = (total: number, last: number): LogObject =>
  event({ type: 'token_count', info: { total_token_usage: totals(total), last_token_usage: totals(last) } });

function read(...lines: readonly LogObject[]): readonly LogEvent[] {
  const reader = codexLog.reader();
  return lines.flatMap((line) => reader.read(line));
}

function of<K extends LogEvent['event']>(
  kind: K,
  events: readonly LogEvent[],
): readonly Extract<LogEvent, { event: K }>[] {
  return events.filter((one): one is Extract<LogEvent, { event: K }> => one.event === kind);
}

describe('a log without numbers of messages', () => {
  test('has before each answer all that came before it', () => {
    const events = read(
      message('user', 'do it'),
      message('assistant', 'a'),
      call('shell', { command: ['bash', '-lc', 'ls'] }),
      output('Exit code: 2\nOutput:\nno'),
      message('assistant', 'b'),
    );
    expect(of('window', events).map(({ items }) => items)).toEqual([[{ from: 0, to: 0 }], [{ from: 0, to: 3 }]]);
    expect(of('call', events)).toMatchObject([{ kind: 'shell', command: 'ls' }]);
    expect(of('result', events)).toMatchObject([{ status: 'error', exitCode: 2 }]);
  });

  test('keeps the prompts beside the summary of a compaction', () => {
    const events = read(
      message('user', '<environment_context>x</environment_context>'),
      message('user', 'one'),
      message('assistant', 'a'),
      { type: 'compacted', payload: { message: 'so far' } },
      message('assistant', 'b'),
    );
    expect(of('item', events).map(({ kind, prompt }) => [kind, prompt])).toEqual([
      ['rules', undefined],
      ['message', true],
      ['message', undefined],
      ['summary', undefined],
      ['message', undefined],
    ]);
    expect(of('window', events).at(-1)?.items).toEqual([
      { from: 1, to: 1 },
      { from: 3, to: 3 },
    ]);
  });

  test('counts a request where the sums have grown, however often they are told', () => {
    const usage = of(
      'usage',
      read(count(10, 10), count(10, 10), count(30, 20), event({ type: 'token_count', info: null })),
    );
    expect(usage.map(({ input, cacheRead }) => [input, cacheRead])).toEqual([
      [9, 1],
      [19, 1],
    ]);
  });
});

describe('a call', () => {
  test('that goes on in the background ends when a line says so', () => {
    const running = [call('exec_command', { cmd: 'sleep 9' }), output('Process running with session ID 4\nOutput:\n')];
    expect(of('result', read(...running))).toEqual([]);
    const done = event({
      type: 'item_completed',
      item: { type: 'CommandExecution', id: 'c', status: 'failed', exit_code: 1, aggregated_output: 'x' },
    });
    expect(of('result', read(...running, done))).toMatchObject([{ status: 'error', exitCode: 1 }]);
  });

  test('that was refused is denied, and its output does not end it again', () => {
    const refused = event({ type: 'item_completed', item: { type: 'CommandExecution', id: 'c', status: 'declined' } });
    const events = read(call('exec_command', { cmd: 'rm x' }), refused, output('rejected by user'));
    expect(of('result', events).map(({ status }) => status)).toEqual(['denied']);
    expect(of('item', events).at(-1)).toMatchObject({ kind: 'command', path: 'rm x' });
  });

  test('of a patch names the files it touches, and what became of them', () => {
    const patch =
      '*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n*** Delete File: c.txt\n*** End Patch\n';
    const events = read(
      item({ type: 'custom_tool_call', name: 'apply_patch', call_id: 'c', input: patch }),
      event({
        type: 'item_completed',
        item: {
          type: 'FileChange',
          id: 'c',
          status: 'completed',
          changes: { 'a.txt': { type: 'update', move_path: 'b.txt' }, 'c.txt': { type: 'delete', content: 'was' } },
        },
      }),
    );
    expect(of('call', events)[0]?.writes).toEqual([{ path: 'a.txt' }, { path: 'b.txt' }, { path: 'c.txt' }]);
    expect(of('result', events)[0]?.writes).toEqual([
      { path: 'a.txt', existed: true },
      { path: 'b.txt' },
      { path: 'c.txt', existed: true, before: 'was' },
    ]);
  });

  test('of the plan says the progress', () => {
    const events = read(call('update_plan', { plan: [{ step: 'look', status: 'completed' }, { step: 'act' }] }));
    expect(of('session', events).at(-1)?.progress).toEqual([
      { text: 'look', status: 'completed' },
      { text: 'act', status: 'pending' },
    ]);
  });
});

test('a session that goes on from another one repeats its requests, and they count once', () => {
  const ledgerOf = (
    name: 'codex 0.169.0' | 'codex 0.169.0, gone on from',
  ): readonly { session: string; entries: never[] }[] => [
    { session: name, entries: foldOf(linesOf(recordedLog(name)), codexLog).ledger as never[] },
  ];
  const [one, other] = [ledgerOf('codex 0.169.0'), ledgerOf('codex 0.169.0, gone on from')];
  const requests = eachRequestOnce([...one, ...other]).map(({ requestId }) => requestId);
  expect(new Set(requests).size).toBe(requests.length);
  const own = [one, other].map((ledgers) => eachRequestOnce(ledgers).length);
  expect(requests.length).toBeLessThan((own[0] ?? 0) + (own[1] ?? 0));
  expect(requests.length).toBeGreaterThanOrEqual(Math.max(...own));
});

test('each image of an output is an item, as is each text beside it', () => {
  const text = { type: 'input_text', text: 'the page' };
  const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };
  const kinds = (tool: string, ...blocks: readonly LogObject[]): readonly (readonly unknown[])[] =>
    of('item', read(call(tool, { path: 'a.png' }), output(blocks)))
      .slice(1)
      .map(({ kind, content, key }) => [kind, content.pointers, key]);
  const [first, second] = ['/payload/output/0', '/payload/output/1'];
  expect(kinds('mcp__shot', text, image)).toEqual([
    ['snippet', [`${first}/text`], 'c#output'],
    ['image', [`${second}/image_url`], `c#output${second}/image_url`],
  ]);
  expect(kinds('view_image', image)).toEqual([['image', [`${first}/image_url`], 'c#output']]);
  expect(kinds('view_image', text)).toEqual([['snippet', [`${first}/text`], 'c#output']]);
  expect(kinds('exec_command', text, text)).toEqual([['command', [`${first}/text`, `${second}/text`], 'c#output']]);
});
