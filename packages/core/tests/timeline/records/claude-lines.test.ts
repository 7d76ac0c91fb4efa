/** What single lines of Claude Code's logs lead to, where the recorded sessions have none of their kind. */
import { describe, expect, test } from 'vitest';
import type { RecordChanges } from '../../../src/timeline/records/fold.js';
import { foldOf, linesOf, readPlace } from './recorded.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } };

interface Said {
  readonly id: string;
  readonly output?: number;
  readonly sidechain?: boolean;
}

let lines = 0;
const named = (line: object): object => ({ uuid: `u${String((lines += 1))}`, ...line });

const answer = (content: object, { id, output, sidechain = false }: Said): object =>
  named({
    type: 'assistant',
    isSidechain: sidechain,
    requestId: `req ${id}`,
    message: {
      id,
      role: 'assistant',
      content: [content],
      ...(output !== undefined && { usage: { input_tokens: 1, output_tokens: output } }),
    },
  });
const text = (said: string): object => ({ type: 'text', text: said });
const call = (name: string, input: object = {}): object =>
  answer({ type: 'tool_use', id: 't', name, input }, { id: 'm' });
const result = (content: unknown, toolUseResult?: object): object =>
  named({
    type: 'user',
    isSidechain: false,
    timestamp: '2026-11-21T10:00:01.000Z',
    toolUseResult,
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content }] },
  });
const logOf = (...all: readonly object[]): Buffer =>
  Buffer.from(all.map((line) => `${JSON.stringify(line)}\n`).join(''));
const fold = (...all: readonly object[]): RecordChanges => foldOf(linesOf(logOf(...all)));

test('what an answer cost grows with its lines, also where those of other answers stand between them', () => {
  const { ledger } = fold(
    named({ type: 'user', isSidechain: false, message: { role: 'user', content: 'go' } }),
    answer(text('a'), { id: 'm1', output: 1 }),
    answer(text('b'), { id: 'm2', output: 2, sidechain: true }),
    answer(text('c'), { id: 'm3', output: 3, sidechain: true }),
    answer(text('a'), { id: 'm1', output: 100 }),
    answer(text('b'), { id: 'm2', output: 200, sidechain: true }),
  );
  expect(ledger.map(({ messageId, output }) => [messageId, output])).toEqual([
    ['m1', 100],
    ['m2', 200],
    ['m3', 3],
  ]);
});

describe('what goes on in the background ends when the log says so', () => {
  const notice = (status: string, summary: string): object =>
    named({
      type: 'user',
      isSidechain: false,
      timestamp: '2026-11-21T10:01:00.000Z',
      origin: { kind: 'task-notification' },
      message: {
        role: 'user',
        content: `<task-notification>\n<task-id>x</task-id>\n<tool-use-id>t</tool-use-id>\n<status>${status}</status>\n<summary>${summary}</summary>\n</task-notification>`,
      },
    });
  const shell = [
    call('Bash', { command: 'sleep 1; echo exit code 7', run_in_background: true }),
    result('Command running in background with ID: x', { stdout: '', stderr: '', backgroundTaskId: 'x' }),
  ];

  test('a command runs until then', () => {
    const [action] = fold(...shell).actions;
    expect(action).toMatchObject({ status: 'running' });
    expect(action).not.toHaveProperty('milliseconds');
    expect(action).not.toHaveProperty('exitCode');
  });

  test.each([
    ['completed', 'Background command "sleep 1" completed (exit code 0)', { status: 'ok', exitCode: 0 }],
    ['failed', 'Background command "echo exit code 7" failed with exit code 2', { status: 'error', exitCode: 2 }],
    ['killed', 'Background command "echo exit code 7" was stopped', { status: 'cancelled' }],
  ])('%s', (status, summary, expected) => {
    const [action] = fold(...shell, notice(status, summary)).actions;
    expect(action).toMatchObject(expected);
    if (!('exitCode' in expected)) expect(action).not.toHaveProperty('exitCode');
  });

  test('a subagent too', () => {
    const began = [call('Agent'), result([text('launched')], { isAsync: true, agentId: 'a1' })];
    expect(fold(...began).actions[0]).toMatchObject({ status: 'running', child: 'agent-a1' });
    const { actions } = fold(...began, notice('completed', 'Agent "look" completed'));
    expect(actions[0]).toMatchObject({ status: 'ok', child: 'agent-a1' });
  });

  test('what ended before stays as it ended', () => {
    const done = [call('Bash', { command: 'x' }), result('x', { stdout: 'x', stderr: '' })];
    expect(fold(...done, notice('failed', 'failed with exit code 2')).actions[0]).toMatchObject({
      status: 'ok',
      exitCode: 0,
    });
  });
});

describe('each image of a result is an item, as is each text beside it', () => {
  const read = (content: unknown): readonly (readonly unknown[])[] => {
    const log = logOf(call('mcp__browser__shot'), result(content));
    return foldOf(linesOf(log))
      .items.slice(1)
      .map(({ kind, path, from, content: reference }) => {
        const bytes = Buffer.from(readPlace(log, reference) ?? []);
        return [kind, path, from !== undefined, kind === 'image' ? bytes.toString('base64') : bytes.toString()];
      });
  };
  const path = 'mcp__browser__shot';
  const [shown, said] = [
    ['image', path, true, PIXEL],
    ['snippet', path, true, 'the page'],
  ];

  test.each([
    ['an image alone', [image], [shown]],
    ['a text before it', [text('the page'), image], [said, shown]],
    ['a text after it', [image, text('the page')], [shown, said]],
    ['two of them', [image, image], [shown, shown]],
  ])('%s', (_, content, expected) => {
    expect(read(content)).toEqual(expected);
  });

  test.each([
    ['before', [text('the page'), image]],
    ['after', [image, text('the page')]],
  ])('a request that shows the text %s the image shows these items, and no others', (_, content) => {
    const sent = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content }] };
    const { items, window } = fold(
      call('mcp__browser__shot'),
      result(content),
      { type: 'api-request-blob', hash: 'aaaaaaaaaaaaaaaaaa', message: sent },
      { type: 'api-request', id: 'r', querySource: 'sdk', base: null, keep: 0, tail: ['aaaaaaaaaaaaaaaaaa'] },
    );
    expect(items.map(({ kind }) => kind)).toHaveLength(3);
    expect(items.filter(({ sent: other }) => other !== undefined)).toEqual([]);
    expect(window).toMatchObject({ exact: true, in: [{ from: 1, to: 2 }] });
  });
});

test('a text that opens reminders without number and closes none is gone through once', () => {
  const content = [{ type: 'text', text: '<system-reminder>'.repeat(60_000) }];
  const sent = { role: 'user', content };
  const { items } = fold({ type: 'api-request-blob', hash: 'aaaaaaaaaaaaaaaaaa', message: sent });
  expect(items).toMatchObject([{ kind: 'rules' }]);
});

test('an edit that would make a file of gigabytes is not computed', () => {
  const edits = Array.from({ length: 4 }, () => ({ old_string: 'a', new_string: 'a'.repeat(1000), replace_all: true }));
  const { actions } = fold(call('MultiEdit', { file_path: 'x' }), result('ok', { originalFile: 'aaaa', edits }));
  expect(actions[0]?.writes).toMatchObject([{ path: 'x', existed: true }]);
  expect(actions[0]?.writes[0]).not.toHaveProperty('after');
});
