/** What is added by hand, over several captures: items that go again, runs of agents without a log, savings. */
import * as fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { claudeCode } from '../../src/agents/claude-code/claude-code.js';
import { openLogFile } from '../../src/agents/log-file.js';
import type { CaptureRequest } from '../../src/ops/capture-step/capture-step.js';
import { capture, type CaptureResult } from '../../src/ops/capture.js';
import { diff } from '../../src/ops/read/diff.js';
import { ledger } from '../../src/ops/read/ledger.js';
import { list } from '../../src/ops/read/list.js';
import { showItem, showWindow } from '../../src/ops/read/show-context.js';
import { showSlice } from '../../src/ops/read/show.js';
import { verify } from '../../src/ops/read/verify.js';
import type { Repository } from '../../src/ops/repository/repository.js';
import type { ItemInput } from '../../src/timeline/save/records/hand-items.js';
import { temporaryDirectory } from '../../../testkit/src/repositories/temporary.js';
import { makeWorld, type World } from '../timeline/world.js';

function repositoryOf(world: World): Repository {
  return {
    ...world.repository,
    agents: [claudeCode({ configDirectory: undefined })],
    openLog: (file) => Promise.resolve(openLogFile(file)),
    enrol: () => Promise.resolve(repositoryOf(world)),
  };
}

interface Bench {
  readonly repository: Repository;
  add(more: Partial<CaptureRequest>): Promise<CaptureResult>;
}

function bench(): Bench {
  const world = makeWorld();
  world.scan = { files: { 'a.txt': 'a\n' } };
  const repository = repositoryOf(world);
  return {
    repository,
    add: (more) => {
      world.now += 1000;
      return capture({ repository, transcript: false, ...more });
    },
  };
}

const snippet = (text: string): ItemInput => ({ kind: 'snippet', content: Buffer.from(text) });

async function inWindow({ repository }: Bench, selector = 'head'): Promise<Record<string, readonly string[]>> {
  const { windows } = await showWindow({ repository, selector });
  const texts = windows.map(async ({ session, items }) => {
    const bytes = await Promise.all(items.map(({ id }) => showItem({ repository, selector, item: id })));
    return [session, bytes.map((one) => Buffer.from(one).toString())] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

it('an item goes again, from the window and not from the snapshots that had it', async () => {
  const here = bench();
  await here.add({ items: [snippet('one'), snippet('two'), snippet('three')] });
  const { windows } = await showWindow({ repository: here.repository });
  const [first] = windows[0]?.items ?? [];
  await here.add({ evict: [first?.id ?? '?', 'manual:2'] });
  expect(await inWindow(here)).toEqual({ manual: ['two'] });
  expect(await inWindow(here, 'seq:1')).toEqual({ manual: ['one', 'two', 'three'] });
  const { items } = await diff({ repository: here.repository, from: 'seq:1', to: 'seq:2' });
  expect(items.map(({ change, window }) => [change, window])).toEqual([
    ['left', 'evicted'],
    ['left', 'evicted'],
  ]);
  await here.add({ items: [snippet('four')] });
  expect(await inWindow(here)).toEqual({ manual: ['two', 'four'] });
  expect((await here.add({ evict: ['manual:2'] })).unchanged).toBe(true);
  const { results } = await verify({ repository: here.repository, all: true, deep: true });
  expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(['valid']));
});

it('an item that is not there, or is meant by a beginning that several have, cannot go, and nothing is captured', async () => {
  const here = bench();
  await here.add({ items: Array.from({ length: 40 }, (_, index) => snippet(String(index))) });
  const { windows } = await showWindow({ repository: here.repository });
  const ids = windows[0]?.items.map(({ id }) => id.slice(0, 1)) ?? [];
  const twice = ids.find((digit, index) => ids.indexOf(digit) !== index) ?? '?';
  for (const name of ['nothing', 'manual:40', twice])
    await expect(here.add({ evict: [name] })).rejects.toMatchObject({ code: 'item_not_found' });
  await expect(here.add({ evict: [''] })).rejects.toMatchObject({ code: 'argument_malformed' });
  expect((await list({ repository: here.repository })).snapshots).toHaveLength(1);
});

it('a run names what it sees at its start and adds to it, beside others and what a person adds', async () => {
  const here = bench();
  const by = { agent: 'my-agent', id: 'run/7' };
  const start = await here.add({ by, items: [snippet('seen at the start')] });
  expect(start.session).toEqual({ agent: 'my-agent', id: 'run/7' });
  await here.add({ by: { ...by, id: 'run-8' }, items: [snippet('of another run')] });
  await here.add({ items: [snippet('by a person')] });
  await here.add({ by, items: [{ ...snippet('a frame'), selection: 'heuristic' }] });
  expect(Object.values(await inWindow(here)).sort()).toEqual([
    ['by a person'],
    ['of another run'],
    ['seen at the start', 'a frame'],
  ]);
  expect(Object.values(await inWindow(here, 'seq:1'))).toEqual([['seen at the start']]);
  const listed = await list({ repository: here.repository, session: 'run/7' });
  expect(listed.snapshots.map(({ sequence }) => sequence)).toEqual([4, 1]);
  const { sessions } = (await showSlice({ repository: here.repository, slice: 'session' })) as unknown as {
    readonly sessions: readonly { readonly id: string; readonly agent: string; readonly agentSessionId: string }[];
  };
  expect(sessions.map(({ agent, agentSessionId }) => [agent, agentSessionId])).toContainEqual(['my-agent', 'run/7']);
});

it('what tools left out is counted once for each name, and a loss is said to be one', async () => {
  const here = bench();
  const saving = { tool: 'lean-ctx', baseline: 12_000, sent: 3000, id: 'call-7' };
  await here.add({ savings: [saving] });
  expect((await here.add({ savings: [saving] })).unchanged).toBe(true);
  await here.add({ savings: [saving, { ...saving, id: 'call-8', sent: 2000 }], by: { agent: 'x', id: 'y' } });
  const { repository } = here;
  const told = await ledger({ repository });
  expect(told.totals).toMatchObject({ requests: 0, saved: { tools: 19_000, briefs: 0, negative: [] } });
  expect(told.entries.map(({ source, baseline, sent }) => [source, baseline, sent])).toEqual([
    ['lean-ctx', 12_000, 3000],
    ['lean-ctx', 12_000, 2000],
  ]);
  const since = await ledger({ repository, since: 'seq:1' });
  expect(since.totals.saved.tools).toBe(10_000);
  await here.add({ savings: [{ tool: 'other', baseline: 0, sent: 20_000 }] });
  const { saved } = (await ledger({ repository })).totals;
  expect([saved.tools, saved.negative]).toEqual([-1000, ['tools']]);
  // Without a name, each report is another saving.
  await here.add({ savings: [{ tool: 'other', baseline: 5, sent: 0 }] });
  await here.add({ savings: [{ tool: 'other', baseline: 5, sent: 0 }] });
  expect((await ledger({ repository })).totals.saved.tools).toBe(-990);
  const { results } = await verify({ repository, all: true, deep: true });
  expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(['valid']));
});

it('each tool is told of by itself, so that no loss hides behind what another one left out', async () => {
  const here = bench();
  await here.add({
    savings: [
      { tool: 'b', baseline: 5, sent: 9 },
      { tool: 'a', baseline: 100, sent: 40 },
      { tool: 'a', baseline: 3, sent: 1 },
    ],
  });
  const { saved } = (await ledger({ repository: here.repository })).totals;
  expect([saved.tools, saved.byTool, saved.negative]).toEqual([58, { a: 62, b: -4 }, []]);
});

it('what a brief saves is what would be read again, less its own tokens; told again, it counts once', async () => {
  const here = bench();
  const { repository } = here;
  const by = { agent: 'my-agent', id: 'run-1' };
  await here.add({ by, items: [snippet('x'.repeat(4000)), snippet('y'.repeat(400))] });
  await here.add({ items: [snippet('what a person added is in no window of the run')] });
  await here.add({ by, evict: ['manual-run-1:1'] });
  // 1,000 tokens are left in the window of the run, and the brief has 100.
  const brief = { text: Buffer.from('z'.repeat(400)) };
  await here.add({ brief, by: { ...by, id: 'run-2' } });
  const { entries, totals } = await ledger({ repository });
  expect(entries).toMatchObject([
    { source: 'brief', baseline: 1000, sent: 100, estimated: true, session: 'manual-run-2' },
  ]);
  expect(totals.saved).toEqual({ tools: 0, byTool: {}, briefs: 900, negative: [] });
  const of = (await list({ repository })).snapshots[1]?.id ?? '?';
  expect((await here.add({ brief: { ...brief, of }, by: { ...by, id: 'run-2' } })).unchanged).toBe(true);
  await here.add({ brief: { ...brief, of }, by: { ...by, id: 'run-3' } });
  expect((await ledger({ repository })).totals.saved.briefs).toBe(1800);
  // All of it was in the brief, and more.
  await here.add({ brief: { text: Buffer.from('z'.repeat(16_000)), of }, by: { ...by, id: 'run-4' } });
  expect((await ledger({ repository })).totals.saved).toMatchObject({ briefs: -1200, negative: ['briefs'] });
});

it('a brief stands for a conversation: without one, or without a text, it is refused', async () => {
  const here = bench();
  await here.add({ message: 'no conversation' });
  await expect(here.add({ brief: { text: Buffer.from('x') } })).rejects.toMatchObject({ code: 'argument_malformed' });
  await here.add({ items: [snippet('x')] });
  for (const brief of [{ text: new Uint8Array() }, { text: new Uint8Array(60 * 1024 * 1024) }])
    await expect(here.add({ brief })).rejects.toMatchObject({ code: 'argument_malformed' });
  await expect(here.add({ brief: { text: Buffer.from('x'), of: 'seq:9' } })).rejects.toMatchObject({
    code: 'snapshot_not_found',
  });
  expect((await list({ repository: here.repository })).snapshots).toHaveLength(2);
});

it('items that are alike but for their session or their lines are not the same item', async () => {
  const here = bench();
  const file = { kind: 'file', path: 'a.txt', content: Buffer.from('1\n2\n3') } as const;
  await here.add({ items: [{ ...file, range: { from: 1, to: 2 } }] });
  await here.add({ items: [{ ...file, range: { from: 3, to: 99 } }], by: { agent: 'x', id: 'y' } });
  const { windows } = await showWindow({ repository: here.repository });
  const items = windows.flatMap((window) => window.items);
  expect(new Set(items.map(({ id }) => id)).size).toBe(2);
  expect(await inWindow(here)).toEqual({ manual: ['1\n2\n'], 'manual-y': ['3'] });
  expect(items.map(({ range }) => range)).toContainEqual({ from: 3, to: 3 });
  const beyond = { ...file, range: { from: 4, to: 4 } };
  await expect(here.add({ items: [beyond] })).rejects.toMatchObject({ code: 'argument_malformed' });
});

it.each<[string, Partial<CaptureRequest>]>([
  ['of no tool', { savings: [{ tool: '', baseline: 1, sent: 1 }] }],
  ['of a brief, which Savepoint counts itself', { savings: [{ tool: 'brief', baseline: 1, sent: 0 }] }],
  ['of half a token', { savings: [{ tool: 'x', baseline: 0.5, sent: 0 }] }],
  ['that are negative', { savings: [{ tool: 'x', baseline: 1, sent: -1 }] }],
  ['of no number', { savings: [{ tool: 'x', baseline: Number.NaN, sent: 1 }] }],
  ['without a name in their id', { savings: [{ tool: 'x', baseline: 1, sent: 1, id: '' }] }],
  [
    'of a tool whose name is a secret',
    { savings: [{ tool: `${'ghp'}_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oRx`, baseline: 1, sent: 1 }] },
  ],
  ['that are none', { savings: [] }],
  ['of an agent with a path for a name', { items: [snippet('x')], by: { agent: '../x', id: 'y' } }],
  ['of a session with a line feed in its name', { items: [snippet('x')], by: { agent: 'x', id: 'a\nb' } }],
])('savings and runs are refused: %s', async (_, request) => {
  await expect(bench().add(request)).rejects.toMatchObject({ code: 'argument_malformed' });
});

it('a log that calls itself as the items by hand are called takes nothing from them', async () => {
  const here = bench();
  await here.add({ items: [snippet('mine')] });
  const log = path.join(temporaryDirectory(), 'manual.jsonl');
  const line = { type: 'user', uuid: 'u', sessionId: 'manual', message: { role: 'user', content: 'hello' } };
  fs.writeFileSync(log, `${JSON.stringify(line)}\n`);
  await here.add({ transcript: log });
  expect(Object.entries(await inWindow(here)).map(([, texts]) => texts)).toContainEqual(['mine']);
  expect(Object.keys(await inWindow(here))).toHaveLength(2);
});
