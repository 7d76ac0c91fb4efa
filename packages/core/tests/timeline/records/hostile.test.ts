/** Logs are hostile: whatever stands in them, the fold goes on, keeps its numbers, and makes records that have a canonical form. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeActions } from '../../../src/format/v1/state/actions.js';
import { encodeItems, encodeWindow } from '../../../src/format/v1/state/items.js';
import { encodeLedger } from '../../../src/format/v1/state/ledger.js';
import { encodeSessions } from '../../../src/format/v1/state/session.js';
import { bytesAt } from '../../../src/model/context/log-value.js';
import type { RecordChanges } from '../../../src/timeline/records/fold.js';
import { dialectOf, foldOf, linesOf, newFold, recordedLog } from './recorded.js';

const line = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
const answer = (...content: readonly unknown[]): unknown => ({
  type: 'assistant',
  uuid: 'a',
  message: { id: 'm', role: 'assistant', content },
});
const result = (content: unknown, toolUseResult?: unknown): unknown => ({
  type: 'user',
  uuid: 'u',
  toolUseResult,
  message: {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 't', content, is_error: /^Exit/.test(String(content)) }],
  },
});
const call = (name: string, input: unknown): unknown => answer({ type: 'tool_use', id: 't', name, input });

function fold(...lines: readonly Buffer[]): RecordChanges {
  return foldOf(linesOf(Buffer.concat(lines)));
}

describe('a line that cannot be read is counted, and the next one is read', () => {
  test.each([
    ['not JSON', Buffer.from('{"type":\n')],
    ['not an object', line(['user'])],
    [
      'not UTF-8',
      Buffer.concat([
        Buffer.from('{"type":"user","message":{"role":"user","content":"'),
        Buffer.from([0xff]),
        Buffer.from('"}}\n'),
      ]),
    ],
  ])('%s', (_, broken) => {
    const { items, session } = fold(
      broken,
      line({ type: 'user', uuid: 'u', message: { role: 'user', content: 'hello' } }),
    );
    expect(session.totals).toMatchObject({ unreadable: 1, prompts: 1 });
    expect(items).toHaveLength(1);
  });

  test('too long to be given', () => {
    const some = newFold();
    some.push({ offset: 0 });
    expect(some.take().session.totals.unreadable).toBe(1);
  });
});

/** Encodes records one by one, as the format has them. */
function formsOf({ items, actions, ledger, window, session }: RecordChanges): readonly Uint8Array[] {
  return [
    ...items.map((one) => encodeItems([one])),
    ...actions.map((one) => encodeActions([one])),
    ...ledger.map((one) => encodeLedger([one])),
    encodeWindow(window),
    encodeSessions([session]),
  ];
}

const MEAN = [
  '',
  '.',
  '/',
  ' ',
  '\ud800',
  '\0',
  'a\0b',
  '\0/a',
  '__proto__',
  '../../x',
  '/etc/passwd',
  '/home/dev/repo',
  '/home/dev/repo/',
  'x'.repeat(20_000),
  `/home/dev/repo/${'x/'.repeat(3000)}`,
  -1,
  1.5,
  1e300,
  Number.MAX_SAFE_INTEGER,
  null,
  [],
  {},
  true,
];

test.each(['claude 2.1.197', 'claude 2.1.329', 'codex 0.169.0'] as const)(
  'records of %s have a place in the format whatever the log holds',
  (name) => {
    const lines = linesOf(recordedLog(name)).map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()) as unknown);
    const changed = fc.tuple(fc.nat({ max: lines.length - 1 }), fc.nat({ max: 400 }), fc.constantFrom(...MEAN));
    fc.assert(
      fc.property(fc.array(changed, { minLength: 1, maxLength: 30 }), (changes) => {
        const hostile = structuredClone(lines);
        for (const [at, place, value] of changes) spoil(hostile[at], place, value);
        const records = foldOf(linesOf(Buffer.concat(hostile.map(line))), dialectOf(name));
        expect(formsOf(records).length).toBeGreaterThan(1);
        expect(records.items.map(({ sequence }) => sequence)).toEqual(records.items.map((_, index) => index));
      }),
      { numRuns: 25 },
    );
  },
);

/** Puts a value in the place of the one at that place of a walk. */
function spoil(value: unknown, place: number, by: unknown): void {
  const places: [Record<string, unknown>, string][] = [];
  const walk = (at: unknown): void => {
    if (typeof at !== 'object' || at === null) return;
    for (const name of Object.keys(at)) {
      places.push([at as Record<string, unknown>, name]);
      walk((at as Record<string, unknown>)[name]);
    }
  };
  walk(value);
  const [holder, name] = places[place % Math.max(places.length, 1)] ?? [];
  if (holder !== undefined && name !== undefined) holder[name] = by;
}

test('pointers that name one string again and again name no content', () => {
  const line = { text: 'x'.repeat(1024 * 1024) };
  expect(bytesAt(line, { pointers: ['/text', '/text'] })).toHaveLength(2 * 1024 * 1024);
  expect(bytesAt(line, { pointers: Array.from({ length: 65_536 }, () => '/text') })).toBeUndefined();
});

test('arguments nested deeper than a form allows have no place, and nothing breaks', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const log = Buffer.from(`${JSON.stringify(call('X', 'HERE')).replace('"HERE"', deep)}\n`);
  const { actions, items } = fold(log);
  expect(actions[0]).not.toHaveProperty('arguments');
  expect(items[0]?.content.bytes).toBe(0);
});

describe('an action says how it ended', () => {
  test.each([
    ['Exit code 3\nboth', { exitCode: 3, status: 'error' }, undefined],
    ['done', { exitCode: 0, status: 'ok' }, { stdout: 'done', stderr: '', interrupted: false }],
    ['', { status: 'cancelled' }, { stdout: '', interrupted: true }],
    ['Command timed out after 2m 0.0s', { status: 'timeout' }, undefined],
  ])('%s', (content, expected, structured) => {
    const { actions } = fold(line(call('Bash', { command: 'x' })), line(result(content, structured)));
    expect(actions[0]).toMatchObject(expected);
  });

  test('which file it wrote, with the blobs before and after', () => {
    const edit = { filePath: '/r/a', oldString: 'b', newString: 'c', originalFile: 'abb', replaceAll: true };
    const where = line({ type: 'x', cwd: '/r' });
    const { actions } = fold(where, line(call('Edit', { file_path: '/r/a' })), line(result('ok', edit)));
    // What `git hash-object` gives for abb and acc.
    const before = '108849a3eef10f62ea6fa75ae5c4c24c41812760';
    const after = 'bd21290bd2c21c10159e957e42fa225f2e3296d8';
    expect(actions[0]?.writes).toEqual([{ path: 'a', existed: true, before, after }]);
  });
});

test('the list of things to do follows the tools that write it', () => {
  const todos = [
    { content: 'one', status: 'completed' },
    { content: 'two', status: 'pending' },
  ];
  expect(fold(line(call('TodoWrite', { todos }))).session.progress).toEqual([
    { text: 'one', status: 'completed' },
    { text: 'two', status: 'pending' },
  ]);
  const made = [
    line(call('TaskCreate', { subject: 'one' })),
    line(result('ok', { task: { id: '1', subject: 'one' } })),
  ];
  const begun = line(call('TaskUpdate', { taskId: '1', status: 'in_progress' }));
  expect(fold(...made, begun).session.progress).toEqual([{ text: 'one', status: 'in_progress' }]);
});
