/** Restore without paths: the context of a snapshot is added to the present one, and an undo takes exactly that back. */
import { rmSync } from 'node:fs';
import { differences, observe, recordedSession } from '@savepoint/testkit';
import { describe, expect, test } from 'vitest';
import { objectId } from '../../../src/model/tree/object-id.js';
import type { SessionRecord } from '../../../src/model/context/session.js';
import { capture } from '../../../src/ops/capture.js';
import { operations } from '../../../src/ops/rewind/operations.js';
import type { ShownItem } from '../../../src/ops/recorded/shown-item.js';
import { redo } from '../../../src/ops/rewind/redo.js';
import { restore, type RestoreRequest, type RestoreResult } from '../../../src/ops/rewind/restore.js';
import { showItem, showWindow } from '../../../src/ops/read/show-context.js';
import { show, showSlice } from '../../../src/ops/read/show.js';
import { undo } from '../../../src/ops/rewind/undo.js';
import { verify } from '../../../src/ops/read/verify.js';
import type { ItemInput } from '../../../src/timeline/save/records/hand-items.js';
import { age, loosen, place, treeOf, type Place } from './place.js';

const A = '11111111-2222-4333-8444-555555555555';
const B = 'bbbbbbbb-2222-4333-8444-555555555555';
const TODOS = {
  type: 'assistant',
  uuid: 'todos-1111-4000-8000-000000000000',
  message: {
    role: 'assistant',
    stop_reason: 'tool_use',
    content: [
      { type: 'tool_use', id: 't1', name: 'TodoWrite', input: { todos: [{ content: 'one', status: 'pending' }] } },
    ],
  },
};
const RECORDED = recordedSession(`projects/-home-dev-repo/${A}.jsonl`) ?? [];
const HAND: readonly ItemInput[] = [
  { kind: 'snippet', path: 'a hint', content: Buffer.from('by hand\n') },
  { kind: 'file', path: 'a.txt', content: Buffer.from('1\n2\n3\n'), range: { from: 2, to: 2 } },
];

const prompt = (text: string) => ({
  type: 'user',
  uuid: `${text}-0000-4000-8000-000000000000`,
  timestamp: new Date().toISOString(),
  message: { role: 'user', content: text },
});
const answer = (text: string) => ({
  type: 'assistant',
  uuid: `${text}-1111-4000-8000-000000000000`,
  timestamp: new Date().toISOString(),
  message: { role: 'assistant', stop_reason: 'end_turn', content: [{ type: 'text', text }] },
});

const restoreIn = (at: Place, selector: string, more: Partial<RestoreRequest> = {}): Promise<RestoreResult> =>
  at.with((repository) => restore({ repository, selector, ...more }));

/** The session A was captured, with items by hand; it is over, and B is at work. */
async function twoSessions() {
  const at = place();
  const log = at.agent(A, [
    ...RECORDED.map((line) => JSON.parse(line.replaceAll('/home/dev/repo', at.fixture.root)) as object),
    TODOS,
  ]);
  const { id } = await at.with((repository) => capture({ repository, transcript: log.file, items: HAND }));
  age(log.file, 30);
  at.agent(B, [prompt('begin'), answer('begun')]);
  return { at, id };
}

async function sessionsOf(at: Place, selector = 'head'): Promise<readonly SessionRecord[]> {
  const slice = await at.with((repository) => showSlice({ repository, selector, slice: 'session' }));
  return (slice as unknown as { readonly sessions: readonly SessionRecord[] }).sessions;
}

async function itemsOf(at: Place, session: string, selector = 'head'): Promise<readonly ShownItem[]> {
  const { windows } = await at.with((repository) => showWindow({ repository, selector }));
  return windows.find((window) => window.session === session)?.items ?? [];
}

/** Digests of what is recorded, which say whether anything of it changed. */
async function recordsOf(at: Place, selector = 'head'): Promise<Readonly<Record<string, string>>> {
  const { slices } = await at.with((repository) => show({ repository, selector }));
  const named = slices.filter(({ name }) => ['context', 'session', 'actions', 'ledger', 'content'].includes(name));
  return Object.fromEntries(named.map(({ name, digest }) => [name, digest]));
}

async function expectValid(at: Place): Promise<void> {
  const { results } = await at.with((repository) => verify({ repository, all: true, deep: true }));
  expect(results.filter(({ verdict }) => verdict !== 'valid')).toEqual([]);
}

describe('a restore without paths', () => {
  test('adds task, progress, touched files and the items of the window, each with where it came from', async () => {
    const { at, id } = await twoSessions();
    const [before, tree] = [observe(at.fixture), treeOf(at.fixture.root)];
    const [window, then] = [await itemsOf(at, A, id), (await sessionsOf(at, id)).find((one) => one.id === A)];
    const result = await restoreIn(at, id);
    expect(differences(before, observe(at.fixture))).toEqual([]);
    expect(treeOf(at.fixture.root)).toEqual(tree);
    expect(result).toMatchObject({ options: { context: true, merge: ['context', 'session'] }, partial: false });
    const added = (await sessionsOf(at)).find(({ origin }) => origin !== undefined);
    expect(added).toMatchObject({
      agent: 'savepoint',
      task: then?.task,
      touched: then?.touched,
      progress: [{ text: 'one', status: 'pending' }],
      origin: { snapshot: id, session: A, operation: result.operation },
    });
    expect(then?.touched.length).toBeGreaterThan(0);
    const items = await itemsOf(at, added?.id ?? '');
    expect(items.map(({ origin }) => origin)).toEqual(window.map((item) => ({ snapshot: id, item: item.id })));
    expect(items.map(({ blob, kind, role }) => [blob, kind, role])).toEqual(
      window.map(({ blob, kind, role }) => [blob, kind, role]),
    );
    expect(items.length).toBeGreaterThan(5);
    await at.with(async (repository) => {
      for (const { id: item, blob } of items)
        expect(objectId('sha1', 'blob', await showItem({ repository, item }))).toBe(blob);
    });
    const counts = ['task', 'item', 'touched', 'progress'].map(
      (kind) => result.context?.filter((change) => change.kind === kind).length,
    );
    expect(counts).toEqual([1, window.length, then?.touched.length, 1]);
    expect(result.note).toContain(`Added: 1 task, ${String(window.length)} items`);
    // What A and B say of themselves is as it was, and B's window has only what B was given.
    expect((await sessionsOf(at)).find((one) => one.id === A)).toEqual(then);
    expect(await itemsOf(at, B)).toHaveLength(2);
    // A second time adds nothing.
    const records = await recordsOf(at);
    const again = await restoreIn(at, id);
    expect(again.context).toEqual([]);
    expect(again.note).toContain('All of it was there already.');
    expect(await recordsOf(at)).toEqual(records);
    await expectValid(at);
  });

  test('is listed by a dry run, whose plan is what is done', async () => {
    const { at, id } = await twoSessions();
    await at.snapshot();
    const refs = at.fixture.git('for-each-ref');
    const shown = await restoreIn(at, id, { dryRun: true });
    expect(at.fixture.git('for-each-ref')).toBe(refs);
    const done = await restoreIn(at, id, { plan: shown.plan });
    expect(done.context).toEqual(shown.context);
    expect(shown.context?.length).toBeGreaterThan(8);
    await expect(restoreIn(at, id, { plan: shown.plan })).rejects.toMatchObject({ code: 'plan_changed' });
  });

  test.each([
    ['context', ['item']],
    ['session', ['task', 'touched', 'progress']],
  ])('of the slice %s adds only what it holds', async (slice, kinds) => {
    const { at, id } = await twoSessions();
    const { context = [], options } = await restoreIn(at, id, { slice });
    expect(options.merge).toEqual([slice]);
    expect([...new Set(context.map(({ kind }) => kind))]).toEqual(kinds);
  });

  test('is taken back by undo and done again by redo, and later captures keep it', async () => {
    const { at, id } = await twoSessions();
    await at.with((repository) => capture({ repository }));
    const before = await recordsOf(at);
    const done = await restoreIn(at, id);
    const after = await recordsOf(at);
    expect(Object.keys(before).filter((name) => before[name] !== after[name])).toEqual([
      'content',
      'context',
      'session',
    ]);
    rmSync(at.fixture.path('.git/savepoint/cache'), { recursive: true });
    await at.snapshot('without a cache');
    expect(await recordsOf(at)).toEqual(after);
    const back = await at.with((repository) => undo({ repository }));
    expect(back.context?.every(({ action, from }) => action === 'remove' && from.snapshot === id)).toBe(true);
    expect(back.context?.map(({ text }) => text).sort()).toEqual(done.context?.map(({ text }) => text).sort());
    expect(back.note).toContain('Taken back out of the context: 1 task');
    expect(await recordsOf(at)).toEqual(before);
    const again = await at.with((repository) => redo({ repository }));
    expect(again.context).toEqual(done.context);
    await at.with((repository) => undo({ repository }));
    expect(await recordsOf(at)).toEqual(before);
    await expectValid(at);
  });

  test('undo leaves what another restore and hands added since', async () => {
    const { at, id } = await twoSessions();
    await restoreIn(at, id, { slice: 'session', session: B, force: true });
    await restoreIn(at, id, { slice: 'context' });
    await at.with((repository) => capture({ repository, transcript: false, items: HAND }));
    const hand = await itemsOf(at, 'manual');
    await at.with((repository) => undo({ repository }));
    const left = (await sessionsOf(at)).filter(({ origin }) => origin !== undefined);
    expect(left).toMatchObject([{ touched: expect.anything() as unknown, totals: { items: 0 } }]);
    expect(await itemsOf(at, 'manual')).toEqual(hand);
    const listed = await at.with((repository) => operations({ repository }));
    expect(listed.operations.map(({ kind }) => kind)).toEqual(['undo', 'restore', 'restore']);
    await expectValid(at);
  });

  test('of what a restore had brought there names the first origin', async () => {
    const { at, id } = await twoSessions();
    await restoreIn(at, id);
    const { id: second } = await at.with((repository) => capture({ repository, message: 'later' }));
    await at.with((repository) => undo({ repository }));
    const { context = [] } = await restoreIn(at, second, { slice: 'context' });
    const told = context.filter(({ from }) => from.session === A);
    expect(told.length).toBeGreaterThan(5);
    expect(new Set(told.map(({ from }) => from.snapshot))).toEqual(new Set([id]));
    const found = (await sessionsOf(at)).filter(({ origin }) => origin?.session === A);
    expect(found.map(({ origin }) => origin?.snapshot)).toEqual([id]);
  });

  test('into the session that it is of adds only what is in its window no more', async () => {
    const at = place();
    const log = at.agent(A, [prompt('one'), answer('two')]);
    const { id } = await at.with((repository) => capture({ repository }));
    log.append(`${JSON.stringify({ sessionId: A, cwd: at.fixture.root, ...prompt('three') })}\n`);
    log.append(`${JSON.stringify({ sessionId: A, cwd: at.fixture.root, ...answer('four') })}\n`);
    expect((await restoreIn(at, id)).context?.filter(({ kind }) => kind === 'item')).toEqual([]);
    const cut = [
      {
        type: 'system',
        subtype: 'compact_boundary',
        uuid: 'cut',
        timestamp: new Date().toISOString(),
        content: 'Compacted',
      },
      { ...prompt('summary'), isCompactSummary: true },
      answer('five'),
    ];
    for (const line of cut) log.append(`${JSON.stringify({ sessionId: A, cwd: at.fixture.root, ...line })}\n`);
    const { context = [] } = await restoreIn(at, id, { slice: 'context' });
    expect(context.map(({ text }) => text)).toEqual(['user one', 'assistant two']);
    await at.with((repository) => undo({ repository }));
    // With two at work it is the session that asks into which it is merged.
    at.agent(B, [prompt('begin'), answer('begun')]);
    const { id: now } = await at.with((repository) => capture({ repository, transcript: log.file, message: 'now' }));
    const told = async (session: string) =>
      (await restoreIn(at, now, { slice: 'context', session, dryRun: true })).context?.length;
    expect([await told(A), await told(B)]).toEqual([0, (await itemsOf(at, A)).length]);
  });

  test('of a snapshot that holds no context adds nothing, and is an operation all the same', async () => {
    const at = place();
    const first = await at.snapshot();
    const result = await restoreIn(at, first);
    expect(result).toMatchObject({ context: [], partial: false, files: [] });
    expect(result.operation).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('a context that cannot be trusted', () => {
  test('is refused whole where a bucket of it is gone, and nothing is captured', async () => {
    const { at, id } = await twoSessions();
    const commit = at.fixture.git('for-each-ref', '--format=%(objectname)', 'refs/savepoint/v1/timelines');
    const bucket = at.fixture.git('rev-parse', `${commit}:context/${A}/00.json`);
    loosen(at);
    rmSync(at.fixture.path(`.git/objects/${bucket.slice(0, 2)}/${bucket.slice(2)}`));
    const refs = at.fixture.git('for-each-ref');
    await expect(restoreIn(at, id)).rejects.toMatchObject({ code: 'object_missing', kind: 'corrupt' });
    expect(at.fixture.git('for-each-ref')).toBe(refs);
  });

  test.each([
    ['paths beside a slice of records', { slice: 'context', paths: ['a.txt'] }],
    ['another directory beside one', { slice: 'session', to: '/nowhere' }],
    ['a commit beside one', { slice: 'context', git: true }],
    ['the staged tree into a directory', { slice: 'index', to: '/nowhere' }],
  ])('%s is refused', async (_, more) => {
    const at = place();
    const first = await at.snapshot();
    await expect(restoreIn(at, first, more)).rejects.toMatchObject({ code: 'argument_malformed' });
  });
});
