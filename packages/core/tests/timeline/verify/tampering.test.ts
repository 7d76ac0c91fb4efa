/** T17: in a chain of 20, every change that somebody with access to the store can make is detected and named. */
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../src/base/bytes.js';
import { encodeBody, decodeBody } from '../../../src/format/v1/body.js';
import { encodeSignature } from '../../../src/format/v1/signature.js';
import { commitMessage } from '../../../src/format/v1/layout.js';
import { SNAPSHOT_FORMAT, type SnapshotBody } from '../../../src/model/snapshot.js';
import type { ObjectId, TreeEntry } from '../../../src/model/tree.js';
import type { Verdict } from '../../../src/model/verdict.js';
import { verify } from '../../../src/ops/verify.js';
import { keyRevoke } from '../../../src/ops/key.js';
import { parseTree } from '../../../src/store/git-objects.js';
import { appendFact } from '../../../src/timeline/facts.js';
import { loadSnapshot } from '../../../src/timeline/load.js';
import { signText } from '../../../src/trust/signature.js';
import type { SigningKey } from '../../../src/trust/key-ring.js';
import {
  addChain,
  addSnapshot,
  forgeCommit,
  headOf,
  makeKey,
  makeWorld,
  MANUAL,
  OTHER,
  putBlob,
  putTree,
  REPOSITORY,
  setHead,
  witnessOf,
  type World,
} from '../world.js';

const LENGTH = 20;
/** The one that is tampered with, counted from 1. */
const VICTIM = 7;

async function chain(world: World): Promise<readonly ObjectId[]> {
  return (await addChain(world, LENGTH)).map(({ commit }) => commit.id);
}

/** Verdicts in the order of the chain, oldest first; only those that are not `valid`. */
async function faults(world: World, deep = false): Promise<Record<string, Verdict>> {
  const { results } = await verify({ repository: world.repository, all: true, deep });
  const found = results.filter(({ timeline }) => timeline === MANUAL).reverse();
  return Object.fromEntries(
    found.flatMap(({ verdict }, at) => (verdict === 'valid' ? [] : [[String(at + 1), verdict]])),
  );
}

async function rootOf(world: World, commit: ObjectId): Promise<readonly TreeEntry[]> {
  return [...(await loadSnapshot(world.store, commit)).entries.values()];
}

/** Exchanges the root of one snapshot, and makes every commit after it anew, so that git finds nothing wrong. */
async function rewrite(
  world: World,
  commits: readonly ObjectId[],
  change: (root: TreeEntry[], at: number) => TreeEntry[],
) {
  let parents: ObjectId[] = [];
  for (const [at, commit] of commits.entries()) {
    const root = change([...(await rootOf(world, commit))], at + 1);
    const body = root.find(({ name }) => name === 'snapshot.json');
    const bytes = body && (await world.store.read(body.id, 'blob'));
    const sequence = bytes === undefined ? at + 1 : sequenceOf(bytes, at + 1);
    parents = [forgeCommit(world, { entries: root, parents, message: commitMessage(sequence) })];
  }
  setHead(world, parents[0] ?? '');
}

function sequenceOf(bytes: Uint8Array, otherwise: number): number {
  try {
    return decodeBody(bytes).sequence;
  } catch {
    return otherwise;
  }
}

function replaced(root: readonly TreeEntry[], name: string, id: ObjectId): TreeEntry[] {
  return root.map((entry) => (entry.name === name ? { ...entry, id } : entry));
}

async function blobOf(world: World, root: readonly TreeEntry[], name: string): Promise<Uint8Array> {
  const bytes = await world.store.read(root.find((entry) => entry.name === name)?.id ?? '', 'blob');
  if (bytes === undefined) throw new Error(`no ${name}`);
  return bytes;
}

function flipped(bytes: Uint8Array, at: number, bit = 1): Uint8Array {
  const copy = new Uint8Array(bytes);
  copy[at] = (copy[at] ?? 0) ^ bit;
  return copy;
}

/** One place for each kind of byte: digits, letters, quotes, brackets, colons, commas. */
function bytePlaces(bytes: Uint8Array): readonly number[] {
  const kinds = new Map<string, number>();
  for (const [at, byte] of bytes.entries()) {
    const char = String.fromCharCode(byte);
    const kind = /[0-9]/.test(char) ? 'digit' : /[a-z]/i.test(char) ? 'letter' : char;
    if (!kinds.has(kind)) kinds.set(kind, at);
  }
  return [...kinds.values()];
}

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

/** Path to id of everything that a snapshot holds. */
async function reachable(world: World, commit: ObjectId): Promise<Map<string, ObjectId>> {
  const stored = await world.store.commit(commit);
  const found = new Map([
    ['commit', commit],
    ['root', stored?.tree ?? ''],
  ]);
  const walk = (tree: ObjectId, prefix: string): void => {
    const bytes = world.store.backing.objects.get(tree)?.bytes ?? new Uint8Array();
    for (const { name, mode, id } of parseTree('sha1', bytes, tree)) {
      found.set(prefix + name, id);
      if (mode === '040000') walk(id, `${prefix}${name}/`);
    }
  };
  walk(stored?.tree ?? '', '');
  return found;
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

describe('the chain', () => {
  test('without a middle one is broken where it was', async () => {
    const world = makeWorld();
    const commits = await chain(world);
    await rewrite(
      world,
      commits.filter((_, at) => at !== VICTIM - 1),
      (root) => root,
    );
    expect(await faults(world)).toEqual({ [VICTIM]: 'broken_chain' });
  });

  test('with two swapped is broken at both and after them', async () => {
    const world = makeWorld();
    const commits = [...(await chain(world))];
    [commits[VICTIM - 1], commits[VICTIM]] = [commits[VICTIM] ?? '', commits[VICTIM - 1] ?? ''];
    await rewrite(world, commits, (root) => root);
    const broken: Verdict = 'broken_chain';
    expect(await faults(world)).toEqual({ [VICTIM]: broken, [VICTIM + 1]: broken, [VICTIM + 2]: broken });
  });

  test('without its first ones is broken at its new beginning', async () => {
    const world = makeWorld();
    const commits = await chain(world);
    await rewrite(world, commits.slice(3), (root) => root);
    expect(await faults(world)).toEqual({ 1: 'broken_chain' });
  });

  test('with a snapshot of another repository names it as foreign', async () => {
    const [world, foreign] = [makeWorld(), makeWorld('sha1')];
    const commits = [...(await chain(world))];
    foreign.keys.present = world.keys.present;
    const other = await addChain(foreign, VICTIM, { body: { repository: 'c'.repeat(32) } });
    for (const [id, object] of foreign.store.backing.objects) world.store.backing.objects.set(id, object);
    commits[VICTIM - 1] = other[VICTIM - 1]?.commit.id ?? '';
    await rewrite(world, commits, (root) => root);
    expect(await faults(world)).toEqual({ [VICTIM]: 'foreign_repository', [VICTIM + 1]: 'broken_chain' });
  });

  test('with a snapshot of another timeline names it as in the wrong place', async () => {
    const world = makeWorld();
    const commits = [...(await chain(world))];
    const other = await addChain(world, VICTIM, { timeline: OTHER });
    commits[VICTIM - 1] = other[VICTIM - 1]?.commit.id ?? '';
    await rewrite(world, commits, (root) => root);
    expect(await faults(world)).toEqual({ [VICTIM]: 'wrong_place', [VICTIM + 1]: 'broken_chain' });
  });
});

/** Signs the whole chain anew: only the signature files, or the bodies as well. */
async function resign(world: World, commits: readonly ObjectId[], key: SigningKey, bodies: boolean): Promise<void> {
  let parent: string | undefined;
  const roots: TreeEntry[][] = [];
  for (const commit of commits) {
    const { body, entries, id: oldId } = await loadSnapshot(world.store, commit);
    const parents = parent === undefined ? [] : [parent];
    const made = bodies ? encodeBody({ ...body, signer: key.signer, parents }) : undefined;
    const id = made?.id ?? oldId;
    const signature = putBlob(world, encodeSignature(signText(key, SNAPSHOT_FORMAT, id)));
    let root = replaced([...entries.values()], 'signature.json', signature);
    if (made !== undefined) root = replaced(root, 'snapshot.json', putBlob(world, made.bytes));
    roots.push(root);
    parent = id;
  }
  await rewrite(world, commits, (_, at) => roots[at - 1] ?? []);
}

describe('the signer', () => {
  test('exchanged in the signature files alone is a bad signature everywhere', async () => {
    const world = makeWorld();
    await resign(world, await chain(world), makeKey(), false);
    expect(Object.values(await faults(world))).toEqual(Array(LENGTH).fill('bad_signature'));
  });

  test('exchanged in bodies and signatures is an unknown signer, and a broken chain to whoever saw the old one', async () => {
    const world = makeWorld();
    const commits = await chain(world);
    await resign(world, commits, makeKey(), true);
    expect(Object.values(await faults(world))).toEqual(Array(LENGTH).fill('valid_unknown_signer'));
    setHead(world, commits.at(-1) ?? '');
    await addSnapshot(world, { timeline: OTHER, body: { seen: [await witnessOf(world, MANUAL)] } });
    await resign(world, commits, makeKey(), true);
    expect((await faults(world))[LENGTH]).toBe('broken_chain');
  });

  test('of a later format is too new, and does not hide what else is wrong', async () => {
    const world = makeWorld();
    const commits = (await addChain(world, 3)).map(({ commit }) => commit.id);
    const bytes = await blobOf(world, await rootOf(world, commits[2] ?? ''), 'snapshot.json');
    const later = utf8(Buffer.from(bytes).toString('utf8').replace('savepoint.snapshot/1', 'savepoint.snapshot/2'));
    await rewrite(world, commits, (root, n) =>
      n === 3 ? replaced(root, 'snapshot.json', putBlob(world, later)) : root,
    );
    const result = await verify({ repository: world.repository, all: true });
    expect(result.results.map(({ verdict }) => verdict)).toEqual(['too_new', 'valid', 'valid']);
    expect(result.exitCode).toBe(16);
  });

  test('that was revoked is named, except where the last good snapshots reach', async () => {
    const world = makeWorld();
    const old = world.keys.present?.signer ?? '';
    const built = await addChain(world, 4);
    await world.keys.rotate();
    await keyRevoke({ keys: world.keys, repository: world.repository, key: old, lastGood: [built[1]?.id ?? ''] });
    expect(await faults(world)).toEqual({ 3: 'revoked', 4: 'revoked' });
    expect((await verify({ repository: world.repository, all: true })).exitCode).toBe(14);
  });
});

describe('a tail that was cut off', () => {
  async function cut(world: World, commits: readonly ObjectId[]): Promise<void> {
    setHead(world, commits.at(-4) ?? '');
    await Promise.resolve();
  }

  test('without any witness is not noticed, and completeness is said not to be proven', async () => {
    const world = makeWorld();
    await cut(world, await chain(world));
    const result = await verify({ repository: world.repository, all: true });
    expect(result.exitCode).toBe(0);
    expect(result.completeness).toBe('not_proven');
    expect(result.notProven.join('\n')).toContain('cut off');
  });

  test('is truncated where another timeline saw it', async () => {
    const world = makeWorld();
    const commits = await chain(world);
    await addSnapshot(world, { timeline: OTHER, body: { seen: [await witnessOf(world, MANUAL)] } });
    await cut(world, commits);
    expect(await faults(world)).toEqual({ [LENGTH - 3]: 'truncated' });
    expect((await verify({ repository: world.repository, all: true })).exitCode).toBe(15);
  });

  test('is truncated where a signed fact saw it', async () => {
    const world = makeWorld();
    const commits = await chain(world);
    const { store, replica, clock } = world.repository;
    const key = world.keys.present ?? makeKey();
    const [snapshot = ''] = [(await loadSnapshot(store, commits[0] ?? '')).id];
    await appendFact({ store, key, repository: REPOSITORY, replica, clock }, { kind: 'pin', snapshot });
    expect((await verify({ repository: world.repository, all: true })).completeness).toBe('proven');
    await cut(world, commits);
    expect(await faults(world)).toEqual({ [LENGTH - 3]: 'truncated' });
  });

  test('and grown again is a broken chain where the two differ', async () => {
    const world = makeWorld();
    const commits = await chain(world);
    await addSnapshot(world, { timeline: OTHER, body: { seen: [await witnessOf(world, MANUAL)] } });
    await cut(world, commits);
    await addChain(world, 5);
    expect(await faults(world)).toEqual({ [LENGTH]: 'broken_chain' });
  });

  test('of all snapshots is reported under the timeline that is gone', async () => {
    const world = makeWorld();
    await chain(world);
    const witness = await witnessOf(world, MANUAL);
    await addSnapshot(world, { timeline: OTHER, body: { seen: [witness] } });
    world.store.backing.refs.delete(`timelines/${MANUAL}`);
    const result = await verify({ repository: world.repository, all: true });
    expect(result.results).toContainEqual(expect.objectContaining({ id: witness.id, verdict: 'truncated' }));
    expect(result.exitCode).toBe(15);
  });

  test('by a signed tombstone is no damage', async () => {
    const world = makeWorld();
    const commits = await chain(world);
    const witness = await witnessOf(world, MANUAL);
    await addSnapshot(world, { timeline: OTHER, body: { seen: [witness] } });
    await cut(world, commits);
    const { store, replica, clock } = world.repository;
    const key = world.keys.present ?? makeKey();
    await appendFact(
      { store, key, repository: REPOSITORY, replica, clock },
      { kind: 'tombstone', snapshots: [witness.id], reason: 'asked for' },
    );
    expect(await faults(world)).toEqual({});
  });

  test('claimed by a snapshot with a bad signature is not believed', async () => {
    const world = makeWorld();
    await chain(world);
    const seen = [{ timeline: MANUAL, sequence: LENGTH + 5, id: '9'.repeat(64) }];
    const built = await addSnapshot(world, { timeline: OTHER, body: { seen } });
    const root = await rootOf(world, built.commit.id);
    const forged = putBlob(world, encodeSignature(signText(makeKey(), SNAPSHOT_FORMAT, built.id)));
    setHead(
      world,
      forgeCommit(world, { entries: replaced(root, 'signature.json', forged), parents: [], message: commitMessage(1) }),
      OTHER,
    );
    expect(await faults(world)).toEqual({});
  });

  test('completeness is proven only where every newest snapshot was seen from outside', async () => {
    const world = makeWorld();
    await addChain(world, 2);
    const seen = [await witnessOf(world, MANUAL)];
    await addSnapshot(world, { timeline: OTHER, body: { seen } });
    const both = await verify({ repository: world.repository, all: true });
    expect(both.completeness).toBe('not_proven');
    const one = await verify({ repository: world.repository, selector: 'seq:2' });
    expect([one.completeness, one.results.length]).toEqual(['proven', 1]);
  });
});
