/** T17: in a chain of 20, every change that somebody with access to the store can make is detected and named. */
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../src/base/bytes.js';
import { encodeBody } from '../../../src/format/v1/body.js';
import { commitMessage } from '../../../src/format/v1/layout.js';
import { type SnapshotBody } from '../../../src/model/snapshot.js';
import type { ObjectId, TreeEntry } from '../../../src/model/tree/tree.js';
import type { Verdict } from '../../../src/model/verdict.js';
import { verify } from '../../../src/ops/read/verify.js';
import { loadSnapshot } from '../../../src/timeline/snapshot/load.js';
import {
  addChain,
  forgeCommit,
  headOf,
  makeKey,
  makeWorld,
  OTHER,
  putBlob,
  putTree,
  setHead,
  type World,
} from '../world.js';
import {
  LENGTH,
  VICTIM,
  chain,
  faults,
  rootOf,
  rewrite,
  replaced,
  blobOf,
  flipped,
  bytePlaces,
  reachable,
} from './forgery.js';

describe('every field of a body', () => {
  const changes: Readonly<Record<string, (body: SnapshotBody) => Partial<SnapshotBody>>> = {
    repository: () => ({ repository: 'f'.repeat(32) }),
    timeline: () => ({ timeline: 'f'.repeat(32) }),
    sequence: ({ sequence }) => ({ sequence: sequence + 1 }),
    parents: () => ({ parents: ['0'.repeat(64)] }),
    origin: () => ({ origin: { kind: 'rewind', from: '1'.repeat(64) } }),
    createdAt: () => ({ createdAt: '2020-01-01T00:00:00.000Z' }),
    signer: () => ({ signer: makeKey().signer }),
    message: () => ({ message: 'another message' }),
    tags: () => ({ tags: ['new'] }),
    trigger: () => ({ trigger: { kind: 'automatic', reason: 'command' } }),
    session: () => ({ session: { agent: 'claude-code', id: 'x' } }),
    anchor: () => ({ anchor: { dirty: true, objectFormat: 'sha1' } }),
    slices: ({ slices }) => ({ slices: slices.slice(1) }),
    totals: () => ({ totals: { files: 1, bytes: 1 } }),
    redactions: () => ({ redactions: { count: 1, kinds: {} } }),
    boundaries: () => ({ boundaries: [{ path: 'sub', kind: 'submodule' }] }),
    omitted: () => ({ complete: false, omitted: [{ path: 'big', reason: 'too_large' }] }),
    complete: () => ({ complete: false }),
    seen: () => ({ seen: [{ timeline: OTHER, sequence: 1, id: '2'.repeat(64) }] }),
  };
  test.each(Object.keys(changes))(
    '%s changed in a written-anew body is a bad signature, and the next one no longer follows',
    async (field) => {
      const world = makeWorld();
      const commits = await chain(world);
      const victim = (await loadSnapshot(world.store, commits[VICTIM - 1] ?? '')).body;
      const { bytes } = encodeBody({ ...victim, ...changes[field]?.(victim) });
      await rewrite(world, commits, (root, at) =>
        at === VICTIM ? replaced(root, 'snapshot.json', putBlob(world, bytes)) : root,
      );
      const expected: Record<string, Verdict> = { [VICTIM]: 'bad_signature', [VICTIM + 1]: 'broken_chain' };
      expect(await faults(world)).toEqual(expected);
    },
  );
});

describe('flipped bytes', () => {
  test('of each kind in snapshot.json are a body that is not canonical, or one that nobody signed', async () => {
    const world = makeWorld();
    const commits = await chain(world);
    const bytes = await blobOf(world, await rootOf(world, commits[VICTIM - 1] ?? ''), 'snapshot.json');
    const verdicts = new Set<Verdict | undefined>();
    for (const at of [...bytePlaces(bytes), bytes.length - 1]) {
      const blob = putBlob(world, flipped(bytes, at));
      await rewrite(world, commits, (root, n) => (n === VICTIM ? replaced(root, 'snapshot.json', blob) : root));
      const found = await faults(world);
      expect(['not_canonical', 'bad_signature', 'too_new']).toContain(found[VICTIM]);
      expect(found[VICTIM + 1]).toBe('broken_chain');
      expect(Object.keys(found)).toHaveLength(2);
      verdicts.add(found[VICTIM]);
    }
    expect(verdicts).toContain('not_canonical');
    expect(verdicts).toContain('bad_signature');
  });

  test('a space added to the body is not canonical', async () => {
    const world = makeWorld();
    const commits = await chain(world);
    const bytes = await blobOf(world, await rootOf(world, commits[VICTIM - 1] ?? ''), 'snapshot.json');
    const blob = putBlob(world, new Uint8Array([...bytes, 0x20]));
    await rewrite(world, commits, (root, n) => (n === VICTIM ? replaced(root, 'snapshot.json', blob) : root));
    expect(await faults(world)).toEqual({ [VICTIM]: 'not_canonical', [VICTIM + 1]: 'broken_chain' });
  });

  test('in any place of signature.json are a bad signature of this one alone', async () => {
    const world = makeWorld();
    const commits = await chain(world);
    const bytes = await blobOf(world, await rootOf(world, commits[VICTIM - 1] ?? ''), 'signature.json');
    for (let at = 0; at < bytes.length; at += 5) {
      const blob = putBlob(world, flipped(bytes, at));
      await rewrite(world, commits, (root, n) => (n === VICTIM ? replaced(root, 'signature.json', blob) : root));
      expect(await faults(world)).toEqual({ [VICTIM]: 'bad_signature' });
    }
  });

  test.each(['filesystem.json', 'index.json'])('in %s are a digest mismatch', async (name) => {
    const world = makeWorld();
    const commits = await chain(world);
    const bytes = await blobOf(world, await rootOf(world, commits[VICTIM - 1] ?? ''), name);
    for (const at of bytePlaces(bytes)) {
      const blob = putBlob(world, flipped(bytes, at));
      await rewrite(world, commits, (root, n) => (n === VICTIM ? replaced(root, name, blob) : root));
      expect(await faults(world)).toEqual({ [VICTIM]: 'digest_mismatch' });
    }
  });

  test.each(['worktree', 'index', 'transcript', 'content'])(
    'in a file of %s/, written anew as git would, are a digest mismatch',
    async (folder) => {
      const world = makeWorld();
      const commits = await chain(world);
      const entry = (await rootOf(world, commits[VICTIM - 1] ?? '')).find(({ name }) => name === folder);
      const tree = await flipFirstFile(world, entry?.id ?? '');
      await rewrite(world, commits, (root, n) => (n === VICTIM ? replaced(root, folder, tree) : root));
      expect(await faults(world)).toEqual({ [VICTIM]: 'digest_mismatch' });
    },
  );

  test('in each object in place, under its old name, are a digest mismatch where the object is read', async () => {
    const world = makeWorld();
    const [commit = ''] = (await addChain(world, 3)).map(({ commit: { id } }) => id).slice(2);
    const objects = await reachable(world, commit);
    for (const [path, id] of objects) {
      const saved = world.store.backing.objects.get(id);
      if (saved === undefined) throw new Error(path);
      world.store.backing.objects.set(id, { ...saved, bytes: flipped(saved.bytes, saved.bytes.length - 1) });
      const found = await faults(world, true);
      world.store.backing.objects.set(id, saved);
      // A damaged signature is no signature, whatever else it is.
      expect([path, found['3']]).toEqual([path, path === 'signature.json' ? 'bad_signature' : 'digest_mismatch']);
    }
    expect(objects.size).toBeGreaterThan(12);
    expect(await faults(world, true)).toEqual({});
  });

  test('of a worktree file in place are found by --deep, and a quick look says that it did not look', async () => {
    const world = makeWorld();
    const [, commit = ''] = (await addChain(world, 2)).map(({ commit: { id } }) => id);
    const blob = (await reachable(world, commit)).get('worktree/a.txt') ?? '';
    world.store.backing.objects.set(blob, { type: 'blob', bytes: utf8('version X\n') });
    expect(await faults(world)).toEqual({});
    const quick = await verify({ repository: world.repository, all: true });
    expect(quick.notProven.join('\n')).toContain('--deep');
    expect(await faults(world, true)).toEqual({ 2: 'digest_mismatch' });
  });
});

async function flipFirstFile(world: World, tree: ObjectId): Promise<ObjectId> {
  const entries = (await world.store.tree(tree)) ?? [];
  const [first, ...rest] = entries;
  if (first === undefined) throw new Error('an empty folder');
  if (first.mode === '040000') return putTree(world, [{ ...first, id: await flipFirstFile(world, first.id) }, ...rest]);
  const bytes = await blobOf(world, entries, first.name);
  return putTree(world, [{ ...first, id: putBlob(world, flipped(bytes, 0)) }, ...rest]);
}

describe('missing and additional objects', () => {
  test('each object that is gone is a missing object, also without --deep', async () => {
    const world = makeWorld();
    const [commit = ''] = (await addChain(world, 3)).map(({ commit: { id } }) => id).slice(2);
    for (const [path, id] of await reachable(world, commit)) {
      const saved = world.store.backing.objects.get(id);
      if (saved === undefined) throw new Error(path);
      world.store.backing.objects.delete(id);
      const { results } = await verify({ repository: world.repository, all: true });
      world.store.backing.objects.set(id, saved);
      expect([path, results[0]?.verdict]).toEqual([path, 'missing_object']);
    }
  });

  test('a slice that the tree no longer has is a missing object', async () => {
    for (const name of ['worktree', 'index', 'transcript', 'content', 'filesystem.json', 'index.json']) {
      const world = makeWorld();
      const commits = (await addChain(world, 3)).map(({ commit }) => commit.id);
      await rewrite(world, commits, (root, n) => (n === 2 ? root.filter((entry) => entry.name !== name) : root));
      expect([name, await faults(world)]).toEqual([name, { 2: 'missing_object' }]);
    }
  });

  test('a removed signature is a bad signature, not an unsigned snapshot', async () => {
    const world = makeWorld();
    const commits = await chain(world);
    await rewrite(world, commits, (root, n) =>
      n === VICTIM ? root.filter(({ name }) => name !== 'signature.json') : root,
    );
    expect(await faults(world)).toEqual({ [VICTIM]: 'bad_signature' });
  });

  test('anything that no slice covers is an unexpected entry', async () => {
    const world = makeWorld();
    const commits = await chain(world);
    const blob = putBlob(world, utf8('hidden'));
    const additions: TreeEntry[] = [
      { mode: '100644', name: 'note.txt', id: blob },
      { mode: '040000', name: 'understanding', id: putTree(world, [{ mode: '100644', name: 'x', id: blob }]) },
      { mode: '040000', name: 'filesystem', id: putTree(world, [{ mode: '100644', name: 'x', id: blob }]) },
    ];
    for (const addition of additions) {
      await rewrite(world, commits, (root, n) => (n === VICTIM ? [...root, addition] : root));
      expect(await faults(world)).toEqual({ [VICTIM]: 'unexpected_entry' });
      await rewrite(world, commits, (root) => root);
    }
  });

  test('modes that no digest covers are an unexpected entry', async () => {
    const world = makeWorld();
    const commits = await chain(world);
    const executable = (entry: TreeEntry): TreeEntry =>
      entry.name === 'filesystem.json' ? { ...entry, mode: '100755' } : entry;
    await rewrite(world, commits, (root, n) => (n === VICTIM ? root.map(executable) : root));
    expect(await faults(world)).toEqual({ [VICTIM]: 'unexpected_entry' });
  });

  test('a commit that says more than Savepoint writes is an unexpected entry', async () => {
    const world = makeWorld();
    await chain(world);
    const head = await headOf(world);
    const [parent = ''] = (await world.store.commit(head))?.parents ?? [];
    setHead(
      world,
      forgeCommit(world, {
        entries: await rootOf(world, head),
        parents: [parent],
        message: `${commitMessage(LENGTH)}more`,
      }),
    );
    expect(await faults(world)).toEqual({ [LENGTH]: 'unexpected_entry' });
  });
});
