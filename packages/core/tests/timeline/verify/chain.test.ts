/** T17: what was dropped, swapped, copied, signed anew or cut off a chain of 20. */
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../src/base/bytes.js';
import { encodeBody } from '../../../src/format/v1/body.js';
import { encodeSignature } from '../../../src/format/v1/signature.js';
import { commitMessage } from '../../../src/format/v1/layout.js';
import { SNAPSHOT_FORMAT } from '../../../src/model/snapshot.js';
import type { ObjectId, TreeEntry } from '../../../src/model/tree/tree.js';
import type { Verdict } from '../../../src/model/verdict.js';
import { verify } from '../../../src/ops/read/verify.js';
import { keyRevoke } from '../../../src/ops/key.js';
import { appendFact } from '../../../src/timeline/facts.js';
import { appendOperation } from '../../../src/timeline/operations/journal.js';
import { loadSnapshot } from '../../../src/timeline/snapshot/load.js';
import { signText } from '../../../src/trust/signature.js';
import type { SigningKey } from '../../../src/trust/key-ring.js';
import {
  addChain,
  addSnapshot,
  forgeCommit,
  makeKey,
  makeWorld,
  MANUAL,
  OTHER,
  putBlob,
  REPOSITORY,
  setHead,
  witnessOf,
  type World,
} from '../world.js';
import { LENGTH, VICTIM, chain, faults, rootOf, rewrite, replaced, blobOf } from './forgery.js';

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
async function resign(
  world: World,
  commits: readonly ObjectId[],
  { key, bodies }: { readonly key: SigningKey; readonly bodies: boolean },
): Promise<void> {
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
    await resign(world, await chain(world), { key: makeKey(), bodies: false });
    expect(Object.values(await faults(world))).toEqual(Array(LENGTH).fill('bad_signature'));
  });

  test('exchanged in bodies and signatures is an unknown signer, and a broken chain to whoever saw the old one', async () => {
    const world = makeWorld();
    const commits = await chain(world);
    await resign(world, commits, { key: makeKey(), bodies: true });
    expect(Object.values(await faults(world))).toEqual(Array(LENGTH).fill('valid_unknown_signer'));
    setHead(world, commits.at(-1) ?? '');
    await addSnapshot(world, { timeline: OTHER, body: { seen: [await witnessOf(world, MANUAL)] } });
    await resign(world, commits, { key: makeKey(), bodies: true });
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
    // Where the file with the repository's id is lost, its snapshots are no foreign ones, and its facts hold.
    Object.assign(world.repository, { id: '' });
    expect(await faults(world)).toEqual({ 3: 'revoked', 4: 'revoked' });
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

  test('is truncated where an operation saw it', async () => {
    const world = makeWorld();
    const commits = await chain(world);
    const { store, keys, clock, self } = world.repository;
    const place = { store, keys, clock, repository: REPOSITORY, worktree: self.id };
    const witness = await witnessOf(world, MANUAL);
    await appendOperation(place, {
      id: '1'.repeat(32),
      kind: 'rewind',
      target: witness.id,
      safety: witness.id,
      seen: [witness],
      options: { files: true, context: false, index: false, exact: false, force: false },
      files: [],
    });
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
