/** Captures of a recorded session: the records are those of the log, however it came to the store. */
import * as fs from 'node:fs';
import * as os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeCode } from '../../src/agents/claude-code/claude-code.js';
import { openLogFile } from '../../src/agents/log-file.js';
import type { Slice } from '../../src/model/snapshot.js';
import { capture, type CaptureResult } from '../../src/ops/capture.js';
import { diff } from '../../src/ops/read/diff.js';
import { ledger } from '../../src/ops/read/ledger.js';
import { list } from '../../src/ops/read/list.js';
import type { ShownItem } from '../../src/ops/recorded/shown-item.js';
import type { Repository } from '../../src/ops/repository/repository.js';
import type { SessionRecord } from '../../src/model/context/session.js';
import { objectId } from '../../src/model/tree/object-id.js';
import { showItem, showWindow } from '../../src/ops/read/show-context.js';
import { show, showSlice } from '../../src/ops/read/show.js';
import { verify } from '../../src/ops/read/verify.js';
import type { ItemInput } from '../../src/timeline/save/records/hand-items.js';
import { makeWorld, type World } from '../timeline/world.js';

const SESSION = '11111111-2222-4333-8444-555555555555';
const FIXTURE = path.join(import.meta.dirname, '../fixtures/agents/claude/projects/-home-dev-repo', SESSION);
const LOG = fs.readFileSync(`${FIXTURE}.jsonl`);

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'records-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

function repositoryOf(world: World): Repository {
  world.scan = { files: { 'a.txt': 'a\n' } };
  return {
    ...world.repository,
    worktree: {
      ...world.repository.worktree,
      scan: async (request) => ({
        ...(await world.repository.worktree.scan(request)),
        remember: () => Promise.resolve(),
      }),
    },
    agents: [claudeCode({ configDirectory: undefined })],
    openLog: (file) => Promise.resolve(openLogFile(file)),
    enrol: () => Promise.resolve(repositoryOf(world)),
  };
}

/** Captures the log as it is after each of these lengths. */
async function captureAt(
  lengths: readonly number[],
  between: (world: World) => Promise<void> = () => Promise.resolve(),
): Promise<{ readonly world: World; readonly result: CaptureResult }> {
  const world = makeWorld();
  const log = path.join(folder, `${SESSION}.jsonl`);
  let result: CaptureResult | undefined;
  for (const length of lengths) {
    fs.writeFileSync(log, LOG.subarray(0, length));
    world.now += 1000;
    result = await capture({ repository: repositoryOf(world), transcript: log });
    expect(result.notes).toEqual([]);
    await between(world);
  }
  if (result === undefined) throw new Error('nothing was captured');
  return { world, result };
}

const NAMES = ['actions', 'context', 'ledger', 'session'];
const recordsOf = ({ slices }: CaptureResult): readonly Slice[] => slices.filter(({ name }) => NAMES.includes(name));

describe('a capture with a transcript', () => {
  it('holds its items, actions, ledger and session', async () => {
    const { world, result } = await captureAt([LOG.length]);
    expect(recordsOf(result).map(({ name }) => name)).toEqual(NAMES);
    const { results } = await verify({ repository: repositoryOf(world), deep: true });
    expect(results.map(({ verdict }) => verdict)).toEqual(['valid']);
  });

  it('has the same records whether the log came at once or in pieces, cut anywhere', async () => {
    const whole = recordsOf((await captureAt([LOG.length])).result);
    const steps = [900, 5000, 5001, 40_000, 64_000, 70_000, 131_072];
    const lengths = [...steps.filter((step) => step < LOG.length), LOG.length];
    const { world, result } = await captureAt(lengths);
    expect(recordsOf(result)).toEqual(whole);
    const { results } = await verify({ repository: repositoryOf(world), all: true, deep: true });
    expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(['valid']));
  });

  it.each<[string, (world: World) => Promise<void>]>([
    ['is gone', async ({ local }) => local.remove(`cache/records/${'a1'.repeat(16)}.json`)],
    [
      'is garbage',
      async ({ local }) => local.write(`cache/records/${'a1'.repeat(16)}.json`, Buffer.from('{"trees":{},"files":1}')),
    ],
    [
      'is of another version',
      async ({ local }) => {
        const name = `cache/records/${'a1'.repeat(16)}.json`;
        const text = Buffer.from((await local.read(name)) ?? '').toString();
        expect(text).toContain('"version":"');
        await local.write(name, Buffer.from(text.replaceAll('"version":"', '"version":"0')));
      },
    ],
  ])('makes them again from the store where the cache %s', async (_, between) => {
    const whole = recordsOf((await captureAt([LOG.length])).result);
    const { result } = await captureAt([20_000, 90_000, LOG.length], between);
    expect(recordsOf(result)).toEqual(whole);
  });

  it('hands the records on to a capture without a transcript', async () => {
    const { world, result } = await captureAt([LOG.length]);
    world.now += 1000;
    const next = await capture({ repository: repositoryOf(world), transcript: false, message: 'later' });
    expect(next.sequence).toBe(2);
    expect(recordsOf(next)).toEqual(recordsOf(result));
    const { results } = await verify({ repository: repositoryOf(world), deep: true });
    expect(results[0]?.verdict).toBe('valid');
  });
});

it('the log of a subagent is a session of its own, which names the one that began it', async () => {
  const world = makeWorld();
  const result = await capture({ repository: repositoryOf(world), transcript: `${FIXTURE}.jsonl` });
  const { sessions } = (await showSlice({ repository: repositoryOf(world), slice: 'session' })) as unknown as {
    readonly sessions: readonly SessionRecord[];
  };
  expect(sessions.map(({ id, parent, children }) => ({ id, parent, children }))).toEqual([
    { id: SESSION, parent: undefined, children: ['agent-a8510ad433299cb3e'] },
    { id: 'agent-a8510ad433299cb3e', parent: SESSION, children: undefined },
  ]);
  expect(result.session?.id).toBe(SESSION);
});

describe('what a capture recorded', () => {
  it('can be shown: every item with the bytes that its blob names', async () => {
    const world = makeWorld();
    const repository = repositoryOf(world);
    await capture({ repository, transcript: `${FIXTURE}.jsonl` });
    const { items } = (await showSlice({ repository, slice: 'context' })) as unknown as {
      readonly items: readonly ShownItem[];
    };
    expect(items.length).toBeGreaterThan(20);
    for (const { session, sequence, blob, bytes } of items) {
      const content = await showItem({ repository, item: `${session}:${String(sequence)}` });
      expect([objectId('sha1', 'blob', content), content.length]).toEqual([blob, bytes]);
    }
    const { windows } = await showWindow({ repository });
    const inside = items.filter(({ window }) => window === 'in').map(({ id }) => id);
    expect(windows.flatMap((window) => window.items.map(({ id }) => id)).sort()).toEqual(inside.sort());
    await expect(showItem({ repository, item: 'nothing' })).rejects.toMatchObject({ code: 'item_not_found' });
  });

  it('adds up: the ledgers of intervals are that of the whole', async () => {
    const { world, result } = await captureAt([40_000, 90_000, LOG.length]);
    const repository = repositoryOf(world);
    const whole = await ledger({ repository });
    expect(whole.totals.requests).toBeGreaterThan(3);
    const intervals = [
      await ledger({ repository, selector: 'seq:1' }),
      await ledger({ repository, selector: 'seq:2', since: 'seq:1' }),
      await ledger({ repository, selector: 'seq:3', since: 'seq:2' }),
    ];
    for (const name of ['requests', 'input', 'output', 'cacheRead', 'cacheWrite'] as const)
      expect(intervals.reduce((sum, { totals }) => sum + totals[name], 0)).toBe(whole.totals[name]);
    const { snapshots } = await list({ repository });
    expect(snapshots.map(({ spent }) => spent?.requests)).toEqual([
      whole.totals.requests,
      (intervals[0]?.totals.requests ?? 0) + (intervals[1]?.totals.requests ?? 0),
      intervals[0]?.totals.requests,
    ]);
    const { items, actions, ledger: spent } = await diff({ repository, from: 'seq:1', to: result.id });
    expect(items.filter(({ change }) => change === 'entered').length).toBeGreaterThan(0);
    expect(actions.length).toBeGreaterThan(0);
    expect(spent.totals?.requests).toBe(whole.totals.requests - (intervals[0]?.totals.requests ?? 0));
  });

  it('takes another price table, and refuses one that is none', async () => {
    const { world } = await captureAt([LOG.length]);
    const repository = repositoryOf(world);
    const models = Object.keys((await ledger({ repository })).byModel);
    const price = { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0 };
    const table = { date: '2026-01-02', models: Object.fromEntries(models.map((name) => [name, price])) };
    const prices = Buffer.from(JSON.stringify(table));
    const priced = await ledger({ repository, prices });
    expect([priced.prices.date, priced.totals.costMicros]).toEqual(['2026-01-02', priced.totals.input]);
    for (const wrong of [
      'x',
      'null',
      '{}',
      '{"date":"2026-01-02"}',
      '{"date":"2026-01-02","models":{"m":{"input":0.5}}}',
    ])
      await expect(ledger({ repository, prices: Buffer.from(wrong) })).rejects.toMatchObject({
        code: 'argument_malformed',
      });
  });

  it("says what it cost by the table that the user's settings name, wherever money is spoken of", async () => {
    const { world } = await captureAt([LOG.length]);
    const plain = repositoryOf(world);
    const models = Object.keys((await ledger({ repository: plain })).byModel);
    const price = { input: 2_000_000, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0 };
    let text = JSON.stringify({ date: '2026-01-02', models: Object.fromEntries(models.map((name) => [name, price])) });
    const settings = { ...plain.settings, 'ledger.prices': '/home/me/prices.json' };
    const repository = { ...plain, settings, priceTable: () => Buffer.from(text) };
    const before = (await list({ repository: plain })).snapshots[0]?.spent;
    const told = await ledger({ repository });
    expect(told.prices).toEqual({ date: '2026-01-02', source: '/home/me/prices.json' });
    const cost = told.totals.input * 2;
    expect(told.totals.costMicros).toBe(cost);
    expect((await show({ repository })).conversation?.ledger.costMicros).toBe(cost);
    expect(await showSlice({ repository, slice: 'ledger' })).toMatchObject({ totals: { costMicros: cost } });
    expect((await list({ repository })).snapshots[0]?.spent?.costMicros).toBe(cost);
    // What was summed with another table is not remembered for this one, nor the other way round.
    expect((await list({ repository: plain })).snapshots[0]?.spent).toEqual(before);
    text = '{"date":"yesterday","models":{}}';
    await expect(ledger({ repository })).rejects.toMatchObject({ code: 'prices_unreadable' });
  });
});

describe('items that are added by hand', () => {
  const SECRET = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oRx'}`;
  const inputs: readonly ItemInput[] = [
    { kind: 'file', path: 'a.txt', content: Buffer.from('a\n') },
    { kind: 'file', path: 'b.txt', content: Buffer.from('1\n2\n3\n4'), range: { from: 2, to: 3 } },
    { kind: 'url', path: 'https://ada:hunter2hunter2@example.org/', content: Buffer.from(`<p>${SECRET}</p>`) },
    { kind: 'snippet', content: Buffer.from('remember the milk'), selection: 'heuristic', pinned: true },
    { kind: 'image', path: 'shot.png', content: Buffer.from('\x89PNG\r\n\x1a\n\0\xff', 'latin1') },
    { kind: 'command', path: 'npm test', content: Buffer.from('1 failed'), ran: { status: 'error', exitCode: 1 } },
  ];

  it('are kept with their bytes, also by the captures that follow', async () => {
    const world = makeWorld();
    const repository = repositoryOf(world);
    await capture({ repository, transcript: false, items: inputs.slice(0, 3) });
    world.now += 1000;
    await capture({ repository, transcript: `${FIXTURE}.jsonl`, items: inputs.slice(3) });
    world.now += 1000;
    await world.local.remove(`cache/records/${'a1'.repeat(16)}.json`);
    const last = await capture({ repository, transcript: false, message: 'later' });
    const { windows } = await showWindow({ repository });
    const manual = windows.find(({ session }) => session === 'manual')?.items ?? [];
    expect(manual.map(({ kind, selection, pinned }) => [kind, selection, pinned])).toEqual([
      ['file', 'explicit', false],
      ['file', 'explicit', false],
      ['url', 'explicit', false],
      ['snippet', 'heuristic', true],
      ['image', 'explicit', false],
      ['command', 'explicit', false],
    ]);
    const contents = await Promise.all(manual.map(async ({ id }) => showItem({ repository, item: id })));
    expect(contents.map((bytes) => Buffer.from(bytes).toString('latin1'))).toEqual([
      'a\n',
      '2\n3\n',
      '<p>[REDACTED:github-token]</p>',
      'remember the milk',
      '\x89PNG\r\n\x1a\n\0\xff',
      '1 failed',
    ]);
    expect(JSON.stringify(manual)).not.toContain('hunter2');
    const { actions } = (await showSlice({ repository, slice: 'actions' })) as unknown as {
      readonly actions: readonly { readonly session: string; readonly command?: string; readonly exitCode?: number }[];
    };
    expect(actions.filter(({ session }) => session === 'manual')).toMatchObject([{ command: 'npm test', exitCode: 1 }]);
    const { results } = await verify({ repository, all: true, deep: true });
    expect(results.map(({ verdict }) => verdict)).toEqual(['valid', 'valid', 'valid']);
    expect(last.slices.map(({ name }) => name)).toContain('content');
  });

  it('name the blob of a file that is in the worktree, which is stored once', async () => {
    const world = makeWorld();
    const repository = repositoryOf(world);
    await capture({ repository, transcript: false, items: inputs.slice(0, 1) });
    const { windows } = await showWindow({ repository });
    expect(windows[0]?.items[0]?.blob).toBe(objectId('sha1', 'blob', Buffer.from('a\n')));
  });

  it.each<[string, readonly ItemInput[]]>([
    ['none at all', []],
    ['a line of zero', [{ kind: 'file', path: 'a', content: Buffer.from('a'), range: { from: 0, to: 1 } }]],
    ['lines of a snippet', [{ kind: 'snippet', content: Buffer.from('a'), range: { from: 1, to: 1 } }]],
    ['an empty name', [{ kind: 'url', path: '', content: Buffer.from('a') }]],
    ['too many bytes', [{ kind: 'snippet', content: new Uint8Array(60 * 1024 * 1024) }]],
  ])('are refused where there are %s', async (_, items) => {
    const repository = repositoryOf(makeWorld());
    const failed = capture({ repository, transcript: false, items });
    await expect(failed).rejects.toMatchObject({ code: 'argument_malformed' });
  });
});
