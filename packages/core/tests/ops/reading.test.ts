import { describe, expect, test } from 'vitest';
import { utf8 } from '../../src/base/bytes.js';
import { at } from '../../src/ops/read/at.js';
import { diff } from '../../src/ops/read/diff.js';
import { list } from '../../src/ops/read/list.js';
import { show, showFile, showSlice } from '../../src/ops/read/show.js';
import { status } from '../../src/ops/read/status.js';
import { timeline } from '../../src/ops/read/timeline.js';
import { verify } from '../../src/ops/read/verify.js';
import { recordFailure } from '../../src/timeline/failures.js';
import { addChain, addSnapshot, makeKey, makeWorld, MINUTE, OTHER, START, type World } from '../timeline/world.js';

const messages = (result: { snapshots: readonly { message: string }[] }) =>
  result.snapshots.map(({ message }) => message);

async function whole(source: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces).toString('latin1');
}

/** Two timelines of this worktree, taken in turns, and one of another. */
async function mixed(): Promise<World> {
  const world = makeWorld();
  Object.assign(world.repository.self, { timelines: [...world.repository.self.timelines, OTHER] });
  for (let n = 1; n <= 6; n += 1) {
    const tags = n % 3 === 0 ? ['third'] : [];
    const anchor = { branch: n < 4 ? 'main' : 'topic', dirty: false, objectFormat: 'sha1' } as const;
    const session = { agent: 'claude-code', id: `session-${String(n % 2)}` };
    const body = { message: String(n), tags, anchor, session };
    await addSnapshot(world, { body, ...(n % 2 === 0 && { timeline: OTHER }) });
  }
  await addSnapshot(world, { timeline: 'c3'.repeat(16), body: { message: 'elsewhere' } });
  return world;
}

describe('list', () => {
  test('is newest first over the timelines of this worktree, and limited', async () => {
    const { repository } = await mixed();
    expect(messages(await list({ repository }))).toEqual(['6', '5', '4', '3', '2', '1']);
    const two = await list({ repository, limit: 2 });
    expect([messages(two), two.more]).toEqual([['6', '5'], true]);
    expect((await list({ repository, limit: 6 })).more).toBe(false);
    expect(messages(await list({ repository, all: true, limit: 1 }))).toEqual(['elsewhere']);
  });

  test('filters by tag, branch, session, time and by the view of an earlier snapshot', async () => {
    const { repository } = await mixed();
    expect(messages(await list({ repository, tag: 'third' }))).toEqual(['6', '3']);
    expect(messages(await list({ repository, branch: 'topic' }))).toEqual(['6', '5', '4']);
    expect(messages(await list({ repository, session: 'session-1' }))).toEqual(['5', '3', '1']);
    expect(messages(await list({ repository, session: 'sess', branch: 'main' }))).toEqual(['3', '2', '1']);
    expect(messages(await list({ repository, since: '2026-11-21T10:05:00.000Z' }))).toEqual(['6', '5']);
    expect(messages(await list({ repository, at: 'before:head' }))).toEqual(['4', '3', '2', '1']);
    expect(messages(await list({ repository, at: '2026-11-21T10:02:00.000Z', tag: 'third' }))).toEqual([]);
  });

  test('has the fields that scripts rely on', async () => {
    const { repository } = await mixed();
    const [first] = (await list({ repository })).snapshots;
    const expected = [
      'id',
      'shortId',
      'timeline',
      'sequence',
      'parents',
      'createdAt',
      'message',
      'tags',
      'trigger',
      'anchor',
      'complete',
      'verdict',
    ];
    expect(Object.keys(first ?? {})).toEqual(expect.arrayContaining(expected));
    expect(first?.verdict).toBe('valid');
  });

  test('passes over what cannot be read, and says so', async () => {
    const world = makeWorld();
    const built = await addChain(world, 3);
    const tree = (await world.store.commit(built[1]?.commit.id ?? ''))?.tree ?? '';
    world.store.backing.objects.delete(tree);
    for (const limit of [undefined, 10]) {
      const result = await list({ repository: world.repository, ...(limit !== undefined && { limit }) });
      expect(messages(result)).toEqual(['snapshot 3', 'snapshot 1']);
      expect(result.unreadable).toMatchObject([{ commit: built[1]?.commit.id, code: 'object_missing' }]);
    }
  });

  test('T51: each state of a key has its own verdict', async () => {
    const world = makeWorld();
    const [mine, other, named] = [world.keys.present, makeKey(), makeKey()];
    await addSnapshot(world, { body: { message: 'own' } });
    await addSnapshot(world, { body: { message: 'unsigned' }, key: null });
    await addSnapshot(world, { body: { message: 'unknown' }, key: other });
    await addSnapshot(world, { body: { message: 'named' }, key: named });
    world.keys.named.set(named.signer, 'a colleague');
    await world.keys.rotate();
    await addSnapshot(world, { body: { message: 'after rotation' } });
    const verdicts = (await list({ repository: world.repository })).snapshots.map(({ message, verdict }) => [
      message,
      verdict,
    ]);
    expect(Object.fromEntries(verdicts)).toEqual({
      own: 'valid',
      unsigned: 'unsigned',
      unknown: 'valid_unknown_signer',
      named: 'valid',
      'after rotation': 'valid',
    });
    expect(mine?.signer).not.toBe(world.keys.present?.signer);
  });
});

describe('timeline', () => {
  test('names each timeline and its newest snapshot', async () => {
    const { repository } = await mixed();
    const result = await timeline({ repository, all: true });
    expect(result.snapshots).toHaveLength(7);
    expect(result.timelines.map(({ label }) => label).sort()).toEqual([
      'an unknown worktree',
      'claude-code session-0, /project',
      'manual, /project',
    ]);
  });
});

describe('show', () => {
  test('gives body, files with their modes, staged state and transcripts', async () => {
    const world = makeWorld();
    await addChain(world, 2, {
      modes: { 'd/b.txt': '100755' },
      filesystem: { exceptions: [{ path: 'a.txt', mode: '0600' }] },
    });
    const shown = await show({ repository: world.repository, files: true });
    expect([shown.message, shown.verdict, shown.shortId]).toEqual(['snapshot 2', 'valid', shown.id.slice(0, 12)]);
    expect(shown.files?.map(({ path, mode, bytes }) => `${mode} ${path} ${String(bytes)}`)).toEqual([
      '0600 a.txt 10',
      '0755 d/b.txt 4',
      '0644 d/e/c.txt 6',
    ]);
    expect(shown.staged?.tree).toBeDefined();
    expect(shown.transcripts).toMatchObject([{ session: 's1', parts: 2 }]);
  });

  test('--slice gives the JSON of a file or the list of a folder, and names what there is', async () => {
    const { repository } = await (async () => {
      const world = makeWorld();
      await addChain(world, 1);
      return world;
    })();
    expect(await showSlice({ repository, slice: 'filesystem' })).toMatchObject({ modes: { file: '0644' } });
    const { files } = (await showSlice({ repository, slice: 'worktree' })) as {
      files: { path: string; mode: string; bytes: number }[];
    };
    expect(files.map(({ path }) => path)).toEqual(['a.txt', 'd/b.txt', 'd/e/c.txt']);
    await expect(showSlice({ repository, slice: 'ledger' })).rejects.toMatchObject({
      code: 'slice_not_found',
      data: { available: 'content, filesystem, index, transcript, worktree' },
    });
  });

  test('--file streams bytes of the worktree, of a refused name, and the transcript', async () => {
    const world = makeWorld();
    const blob = '5'.repeat(40);
    await addChain(world, 3, {
      content: [],
      filesystem: { diverted: [{ path: '.gitmodules', type: 'link', mode: '0777', blob }] },
    });
    world.store.backing.objects.set(blob, { type: 'blob', bytes: utf8('elsewhere') });
    const read = async (path: string) => whole(await showFile({ repository: world.repository, path }));
    expect(await read('a.txt')).toBe('version 3\n');
    expect(await read('.gitmodules')).toBe('elsewhere');
    expect(await read('transcript')).toBe('{"line":0}\n{"line":1}\n{"line":2}\n');
    expect(await read('transcript/s1')).toBe('{"line":0}\n{"line":1}\n{"line":2}\n');
    for (const path of ['nothing', 'd', 'd/', '../x', 'transcript/other', 'transcripts']) {
      await expect(read(path)).rejects.toMatchObject({ code: 'path_not_found' });
    }
  });

  test.each([
    ['big.bin', 'it was larger than `capture.maxFileBytes`'],
    ['locked.txt', 'it could not be read'],
    ['log.txt', 'it kept changing while it was read'],
    ['late.bin', '`capture.maxNewBytes` was reached before it'],
    ['gone/x/y', 'gone could not be read'],
    ['sub/f', 'sub is a repository of its own'],
    ['module', 'it is a submodule'],
    ['pipe', 'it is neither a file nor a link nor a directory'],
    ['far/x', 'it lies outside the sparse checkout'],
    ['out.log', 'it was ignored'],
    ['build/a.js', 'build was ignored'],
  ])('of %s that the snapshot left out says so, and why: %s', async (path, reason) => {
    const world = makeWorld();
    await addSnapshot(world, {
      filesystem: {
        omitted: [
          { path: 'big.bin', reason: 'too_large', bytes: 1000 },
          { path: 'gone/', reason: 'unreadable' },
          { path: 'late.bin', reason: 'over_limit' },
          { path: 'locked.txt', reason: 'unreadable' },
          { path: 'log.txt', reason: 'changing' },
        ],
        boundaries: [
          { path: 'far/x', kind: 'sparse' },
          { path: 'module', kind: 'submodule' },
          { path: 'pipe', kind: 'special' },
          { path: 'sub', kind: 'repository' },
        ],
        ignored: [{ path: 'build/' }, { path: 'out.log' }],
      },
    });
    const { repository } = world;
    await expect(showFile({ repository, path })).rejects.toMatchObject({
      code: 'path_left_out',
      kind: 'not_found',
      data: { path, reason },
    });
    await expect(showFile({ repository, path: 'builder' })).rejects.toMatchObject({ code: 'path_not_found' });
  });

  test('at says how the selector was read', async () => {
    const world = makeWorld();
    await addChain(world, 2);
    const result = await at({ repository: world.repository, selector: '2026-11-21T10:01:30.000Z' });
    expect(result.reading).toBe('the newest snapshot at or before 2026-11-21T10:01:30.000Z');
    expect(result.snapshot.message).toBe('snapshot 1');
  });
});

describe('queries', () => {
  test('T50: repeat the same bytes after a hundred later snapshots, take no lock and write nothing', async () => {
    const world = makeWorld();
    const { repository } = world;
    await addChain(world, 5);
    world.local.locked = () => Promise.reject(new Error('a query took a lock'));
    const id = (await show({ repository })).id;
    const time = new Date(START + 3 * MINUTE).toISOString();
    const ask = async () =>
      JSON.stringify([
        await show({ repository, selector: id, files: true }),
        await show({ repository, selector: 'seq:2' }),
        await at({ repository, selector: time }),
        await list({ repository, at: id }),
        await timeline({ repository, at: id }),
        await diff({ repository, from: 'seq:1', to: id, patch: true }),
        await verify({ repository, selector: id, at: id }),
        await showSlice({ repository, slice: 'transcript', selector: id }),
        await show({ repository, at: id }),
      ]);
    const [before, objects, files] = [await ask(), world.store.backing.objects.size, new Map(world.local.files)];
    expect(await ask()).toBe(before);
    expect(world.store.backing.objects.size).toBe(objects);
    expect(new Map(world.local.files)).toEqual(files);
    await addChain(world, 100, { transcript: ['{"x":1}\n'], staged: {}, content: [] });
    expect(await ask()).toBe(before);
  }, 60_000);
});

describe('status', () => {
  test('counts what is there and is silent when all is well', async () => {
    const world = makeWorld();
    await addChain(world, 2);
    const result = await status({ repository: world.repository });
    expect(result).toMatchObject({
      root: '/project',
      snapshots: 2,
      timelines: 1,
      head: { message: 'snapshot 2' },
      warnings: [],
    });
    expect(result.key.signer).toBe(world.keys.present?.signer);
  });

  test('without snapshots there is no head, and asking makes no key', async () => {
    const world = makeWorld();
    world.keys.present = undefined;
    world.keys.signingKey = () => Promise.reject(new Error('a key would be made'));
    const result = await status({ repository: world.repository });
    expect([result.snapshots, result.head, result.key]).toEqual([0, undefined, {}]);
  });

  test('warns of failed captures, unsigned and incomplete heads, mirrors, and a missing guard', async () => {
    const world = makeWorld();
    world.keys.present = undefined;
    await addSnapshot(world, { body: { complete: false, omitted: [{ path: 'big', reason: 'too_large' }] } });
    await recordFailure(world.local, { at: '2026-11-21T10:00:00.000Z', code: 'disk_full', message: 'No space.' });
    await recordFailure(world.local, { at: '2026-11-21T10:01:00.000Z', code: 'disk_full', message: 'Still no space.' });
    const hook = { hook: 'pre-push', path: 'x', installed: false, changed: false } as const;
    const state = () => Promise.resolve(hook);
    const result = await status({
      repository: world.repository,
      hooks: { state, install: state, uninstall: state },
      remotes: { mirrorRemotes: () => Promise.resolve(['backup']) },
    });
    expect(result.warnings.map(({ code }) => code)).toEqual([
      'capture_failed',
      'head_unsigned',
      'head_incomplete',
      'key_unusable',
      'mirror_remote',
      'no_push_guard',
    ]);
    expect(result.failures).toMatchObject({ count: 2, last: { message: 'Still no space.' } });
  });
});
