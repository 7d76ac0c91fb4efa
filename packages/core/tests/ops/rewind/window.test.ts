/** A rewind of the context: the recorded window becomes that of the target, and an undo gives exactly the former one back. */
import { rmSync } from 'node:fs';
import { differences, observe, recordedSession } from '@savepoint/testkit';
import { describe, expect, test } from 'vitest';
import { capture } from '../../../src/ops/capture.js';
import { operations } from '../../../src/ops/rewind/operations.js';
import { recover } from '../../../src/ops/rewind/recover.js';
import { redo } from '../../../src/ops/rewind/redo.js';
import { rewind, type RewindRequest, type RewindResult } from '../../../src/ops/rewind/rewind.js';
import { showItem, showWindow, type ShownWindow } from '../../../src/ops/read/show-context.js';
import { show } from '../../../src/ops/read/show.js';
import { undo } from '../../../src/ops/rewind/undo.js';
import { verify } from '../../../src/ops/read/verify.js';
import type { ItemInput } from '../../../src/timeline/save/records/hand-items.js';
import { age, loosen, meddledReplacement, place, placeAt, treeOf, withPrepare, type Place } from './place.js';

const A = '11111111-2222-4333-8444-555555555555';
const B = 'bbbbbbbb-2222-4333-8444-555555555555';
const RECORDED = (recordedSession(`projects/-home-dev-repo/${A}.jsonl`) ?? []).map(
  (line) => JSON.parse(line) as object,
);
const hint = (text: string): ItemInput => ({ kind: 'snippet', path: text, content: Buffer.from(`${text}\n`) });
const TURN = [
  { type: 'user', uuid: 'later-0', message: { role: 'user', content: 'later' } },
  {
    type: 'assistant',
    uuid: 'later-1',
    message: { role: 'assistant', stop_reason: 'end_turn', content: [{ type: 'text', text: 'later' }] },
  },
];

const rewindIn = (at: Place, selector: string, more: Partial<RewindRequest> = {}): Promise<RewindResult> =>
  at.with((repository) => rewind({ repository, selector, part: 'context', ...more }));

const take = (at: Place, items: readonly ItemInput[] = []): Promise<string> =>
  at.with(async (repository) => {
    const { id } = await capture({ repository, message: 'a moment', ...(items.length > 0 && { items }) });
    return id;
  });

const told = ({ context = [] }: RewindResult) => context.map(({ action, text, tokens }) => [action, text, tokens]);

async function windowsOf(at: Place, selector = 'head'): Promise<readonly ShownWindow[]> {
  return (await at.with((repository) => showWindow({ repository, selector }))).windows;
}

/** Without what says that they were set, and without the relevance, which is for the work of the present. */
async function bareWindows(at: Place, selector = 'head'): Promise<readonly object[]> {
  return (await windowsOf(at, selector)).map(({ rewoundTo, items, ...window }) => {
    void rewoundTo;
    return { ...window, items: items.map((item) => ({ ...item, relevance: 0 })) };
  });
}

async function digestOf(at: Place, selector: string): Promise<string | undefined> {
  const { slices } = await at.with((repository) => show({ repository, selector }));
  return slices.find(({ name }) => name === 'context')?.digest;
}

async function expectValid(at: Place): Promise<void> {
  const { results } = await at.with((repository) => verify({ repository, all: true, deep: true }));
  expect(results.filter(({ verdict }) => verdict !== 'valid')).toEqual([]);
}

/** A session, captured in the middle and at its end, with items by hand that came in between. */
async function session(at: Place = place()) {
  const half = Math.floor(RECORDED.length / 2);
  const log = at.agent(A, RECORDED.slice(0, half));
  const early = await take(at, [hint('early')]);
  const lines = RECORDED.slice(half).map((line) => JSON.stringify({ ...line, sessionId: A, cwd: at.fixture.root }));
  log.append(lines.map((line) => `${line}\n`).join(''));
  const late = await take(at, [hint('late')]);
  return { at, log, early, late };
}

describe('a rewind of the context', () => {
  test('makes the window that of the target, and an undo gives the former one back, byte for byte', async () => {
    const { at, early, late } = await session();
    const [before, tree, former] = [observe(at.fixture), treeOf(at.fixture.root), await bareWindows(at, late)];
    expect(await bareWindows(at, early)).not.toEqual(former);
    const result = await rewindIn(at, early);
    expect(await bareWindows(at)).toEqual(await bareWindows(at, early));
    expect((await windowsOf(at)).map(({ rewoundTo }) => rewoundTo)).toEqual([early, early]);
    expect(differences(before, observe(at.fixture))).toEqual([]);
    expect(treeOf(at.fixture.root)).toEqual(tree);
    const left = result.context?.filter(({ action }) => action === 'remove') ?? [];
    expect(left.map(({ text }) => text)).toContain('snippet late');
    expect(result.note).toContain(`Out of the window: ${String(left.length)} items.`);
    expect(result.note).toContain('Only the recorded window was set');
    const undone = await at.with((repository) => undo({ repository }));
    expect(undone.context?.filter(({ action }) => action === 'add')).toHaveLength(left.length);
    expect(await digestOf(at, 'head')).toBe(await digestOf(at, late));
    await at.with((repository) => redo({ repository }));
    expect(await bareWindows(at)).toEqual(await bareWindows(at, early));
    await at.with((repository) => undo({ repository }));
    expect(await bareWindows(at)).toEqual(former);
    await expectValid(at);
  });

  test('says beforehand what it does, and is the default beside the files', async () => {
    const { at, early } = await session();
    at.fixture.write('a.txt', 'changed\n');
    const planned = await rewindIn(at, early, { dryRun: true });
    expect(planned.context?.length).toBeGreaterThan(0);
    const files = await at.with((repository) => rewind({ repository, selector: early, part: 'files', force: true }));
    expect(files.context).toBeUndefined();
    const both = await at.with((repository) => rewind({ repository, selector: early, force: true }));
    expect(told(both)).toEqual(told(planned));
    expect(await bareWindows(at)).toEqual(await bareWindows(at, early));
    const again = await rewindIn(at, early);
    expect(again.context).toBeUndefined();
  });

  test('holds until the log of the agent says again what was sent', async () => {
    const { at, log, early } = await session();
    await rewindIn(at, early);
    await take(at);
    expect(await bareWindows(at)).toEqual(await bareWindows(at, early));
    const lines = TURN.map((line) => JSON.stringify({ ...line, sessionId: A, cwd: at.fixture.root }));
    log.append(lines.map((line) => `${line}\n`).join(''));
    await take(at);
    const [agent, hand] = await windowsOf(at);
    expect([agent?.rewoundTo, hand?.rewoundTo]).toEqual([undefined, early]);
    const ofAgent = agent?.items.map(({ preview }) => preview) ?? [];
    expect(ofAgent.at(-1)).toContain('later');
    // What was said is kept; what hands had added is given back.
    await at.with((repository) => undo({ repository }));
    const [after, given] = await windowsOf(at);
    expect(after?.items.map(({ preview }) => preview)).toEqual(ofAgent);
    expect(given?.items.map(({ path }) => path)).toEqual(['early', 'late']);
  });

  test('takes out what another session and hands brought since, and keeps what comes after it', async () => {
    const { at, log, early } = await session();
    age(log.file, 30);
    at.agent(B, TURN);
    const late = await take(at);
    expect((await windowsOf(at)).map(({ session: of }) => of)).toContain(B);
    await rewindIn(at, early);
    expect(await bareWindows(at)).toEqual(await bareWindows(at, early));
    await take(at, [hint('new')]);
    await at.with((repository) => undo({ repository }));
    const paths = (windows: readonly ShownWindow[]) => windows.flatMap(({ items }) => items.map(({ path }) => path));
    expect(paths(await windowsOf(at))).toEqual([...paths(await windowsOf(at, late)), 'new']);
    await expectValid(at);
  });

  test('brings the items of another worktree, each with where it came from', async () => {
    const { at, early } = await session();
    const root = at.fixture.path('../other');
    at.fixture.git('worktree', 'add', '-q', '--detach', root);
    const other = placeAt({ ...at.fixture, root });
    await take(other, [hint('there')]);
    const result = await rewindIn(other, early);
    const [wanted, windows] = [await windowsOf(at, early), await windowsOf(other)];
    const items = windows.flatMap((window) => window.items);
    const sources = wanted.flatMap((window) => window.items.map(({ id, blob }) => `${id} ${blob ?? ''}`));
    expect(items.map(({ origin, blob }) => `${origin?.item ?? ''} ${blob ?? ''}`).sort()).toEqual(sources.sort());
    expect(new Set(items.map(({ origin }) => origin?.snapshot))).toEqual(new Set([early]));
    for (const { id, origin } of items) {
      const brought = await other.with((repository) => showItem({ repository, item: id }));
      const source = at.with((repository) => showItem({ repository, selector: early, item: origin?.item ?? '' }));
      expect(Buffer.from(brought)).toEqual(Buffer.from(await source));
    }
    expect(result.note).toMatch(/Back in the window: \d+ items\.\nOut of the window: 1 item\./);
    await other.with((repository) => undo({ repository }));
    expect((await windowsOf(other)).flatMap((window) => window.items.map(({ path }) => path))).toEqual(['there']);
    await expectValid(other);
  });

  test.each([false, true])('that was interrupted is completed, or rolled back (%s)', async (rollBack) => {
    const { at, early, late } = await session();
    at.fixture.write('a.txt', 'changed\n');
    const stopped = at.with(async (repository) => {
      const world = await withPrepare(repository, async (request, replacements) => {
        const replacement = await replacements.prepare(request);
        const close = (): Promise<never> => Promise.reject(new Error('killed'));
        return meddledReplacement(replacement, rollBack ? { close } : { apply: close });
      });
      return rewind({ repository: world, selector: early, force: true });
    });
    await expect(stopped).rejects.toThrow('killed');
    await at.with((repository) => recover({ repository, rollBack }));
    expect(await bareWindows(at)).toEqual(await bareWindows(at, rollBack ? late : early));
    const { operations: listed } = await at.with((repository) => operations({ repository }));
    expect(listed.map(({ kind }) => kind)).toEqual(rollBack ? ['undo', 'rewind'] : ['rewind']);
    await expectValid(at);
  });

  test('that is damaged stands in the way of the files no longer than until they are asked for alone', async () => {
    const { at, early } = await session();
    const commit = at.fixture.git('for-each-ref', '--format=%(objectname)', 'refs/savepoint/v1/timelines');
    const blobs = (of: string) =>
      at.fixture
        .git('ls-tree', '-r', `${of}:context`)
        .split('\n')
        .map((line) => line.slice(12, 52));
    const gone = blobs(`${commit}^`).find((blob) => !blobs(commit).includes(blob)) ?? '';
    loosen(at);
    rmSync(at.fixture.path(`.git/objects/${gone.slice(0, 2)}/${gone.slice(2)}`));
    at.fixture.write('a.txt', 'today\n');
    const both = await at.with((repository) =>
      rewind({ repository, selector: early }).catch((error: unknown) => error),
    );
    expect(both).toMatchObject({ code: 'context_damaged', kind: 'corrupt', data: { snapshot: early.slice(0, 12) } });
    expect(both).toHaveProperty('hint', expect.stringContaining(`savepoint rewind ${early.slice(0, 12)} --files`));
    await expect(rewindIn(at, early)).rejects.toMatchObject({ kind: 'corrupt' });
    expect(await at.with((repository) => rewind({ repository, selector: early, part: 'files' }))).toMatchObject({
      partial: false,
      files: [{ path: 'a.txt' }],
    });
  });
});
