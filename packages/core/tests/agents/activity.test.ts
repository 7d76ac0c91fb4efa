/** What a log says of the work of its session: whether a turn is in progress, when it began, which files it wrote. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDirectory } from '@savepoint/testkit';
import { describe, expect, test } from 'vitest';
import type { SessionActivity } from '../../src/agents/adapter.js';
import { claudeCode } from '../../src/agents/claude-code/claude-code.js';

const FIXTURES = path.join(import.meta.dirname, '..', 'fixtures', 'agents');
const SESSION = 'projects/-home-dev-repo/11111111-2222-4333-8444-555555555555.jsonl';

function activityOf(file: string, since = 0): Promise<SessionActivity> {
  const adapter = claudeCode({ configDirectory: undefined });
  return adapter.activityOf({ agent: 'claude-code', session: 's', file, modified: 0 }, since);
}

function logOf(lines: readonly unknown[]): string {
  const file = path.join(temporaryDirectory(), 's.jsonl');
  writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join(''));
  return file;
}

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 10, 0, second)).toISOString();
const prompt = (content: unknown, second = 0, more = {}) => ({
  type: 'user',
  timestamp: at(second),
  message: { role: 'user', content },
  ...more,
});
const answer = (stop: string | null, second = 0) => ({
  type: 'assistant',
  timestamp: at(second),
  message: { role: 'assistant', stop_reason: stop, content: [{ type: 'text', text: 'x' }] },
});
// eslint-disable-next-line @typescript-eslint/max-params -- a table of them reads best so
const call = (id: string, name: string, input: object, second = 0) => ({
  type: 'assistant',
  timestamp: at(second),
  message: { role: 'assistant', stop_reason: 'tool_use', content: [{ type: 'tool_use', id, name, input }] },
});
const result = (id: string, second = 0, error = false) =>
  prompt([{ type: 'tool_result', tool_use_id: id, content: 'x', ...(error && { is_error: true }) }], second);

describe('a turn', () => {
  test.each([
    ['no line at all', [], false],
    ['a prompt', [prompt('do it')], true],
    ['an answer that ended', [prompt('do it'), answer('end_turn')], false],
    ['an answer that uses a tool', [prompt('do it'), call('1', 'Bash', { command: 'sleep 1' })], true],
    ['the result of a tool', [prompt('do it'), call('1', 'Bash', {}), result('1')], true],
    ['an answer in the making', [prompt('do it'), answer(null)], true],
    ['an interruption', [prompt('do it'), prompt([{ type: 'text', text: '[Request interrupted by user]' }])], false],
    ['a command of the terminal', [answer('end_turn'), prompt('<command-name>/compact</command-name>')], false],
    ['the summary of a hook', [prompt('do it'), { type: 'system', subtype: 'stop_hook_summary' }], false],
    [
      'a summary after compaction',
      [answer('end_turn'), prompt('This session …', 0, { isCompactSummary: true })],
      false,
    ],
    ['lines that say nothing', [answer('end_turn'), { type: 'last-prompt' }, 'no JSON\n', '{"torn'], false],
    ['a prompt after an ended turn', [answer('end_turn'), prompt('again'), { type: 'cost-state' }], true],
  ])('after %s', async (_, lines, inTurn) => {
    expect((await activityOf(logOf(lines))).inTurn).toBe(inTurn);
  });

  test.each(['claude', 'claude-2.1.197'])(
    'of a recorded session (%s) has ended at its end, and not one line before',
    async (agent) => {
      const file = path.join(FIXTURES, agent, SESSION);
      expect((await activityOf(file)).inTurn).toBe(false);
      const lines = readFileSync(file, 'utf8').split('\n');
      const last = lines.findLastIndex((line) => line.includes('"stop_reason":"end_turn"'));
      expect((await activityOf(logOf(lines.slice(0, last).map((line) => `${line}\n`)))).inTurn).toBe(true);
    },
  );
});

describe('the files of a session', () => {
  test('are those that its tools wrote since the time asked for', async () => {
    const file = logOf([
      call('1', 'Write', { file_path: '/p/early.txt' }, 10),
      call('2', 'Edit', { file_path: '/p/edited.txt' }, 20),
      result('2', 21),
      call('3', 'Edit', { file_path: '/p/failed.txt' }, 22),
      result('3', 23, true),
      call('4', 'NotebookEdit', { notebook_path: '/p/book.ipynb' }, 24),
      call('5', 'Read', { file_path: '/p/read.txt' }, 25),
    ]);
    const { written, began } = await activityOf(file, Date.parse(at(15)));
    expect([...written]).toEqual(['/p/edited.txt', '/p/book.ipynb']);
    expect(began).toBe(Date.parse(at(10)));
  });

  test('of a recorded session, and when it began', async () => {
    const { written, began } = await activityOf(path.join(FIXTURES, 'claude', SESSION));
    expect([...written]).toContain('/home/dev/repo/hello.txt');
    expect(began).toBeGreaterThan(Date.UTC(2026, 0, 1));
  });

  test('are found in a log whose end is far from what is asked for', async () => {
    const filler = Array.from({ length: 3000 }, (_, n) => prompt('x'.repeat(1000), 30 + (n % 20)));
    const file = logOf([call('1', 'Write', { file_path: '/p/a.txt' }, 10), ...filler, answer('end_turn', 59)]);
    expect([...(await activityOf(file, Date.parse(at(5)))).written]).toEqual(['/p/a.txt']);
    expect((await activityOf(file, Date.parse(at(58)))).inTurn).toBe(false);
  });

  test('of a log that is gone are none', async () => {
    expect(await activityOf('/nowhere/s.jsonl')).toEqual({ inTurn: false, written: new Set() });
  });
});
