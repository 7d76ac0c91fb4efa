import { describe, expect, test } from 'vitest';
import { verify, type VerifyResult } from '../../../src/ops/read/verify.js';
import { appendFact } from '../../../src/timeline/facts.js';
import { addChain, addSnapshot, makeKey, makeWorld, putBlob, REPOSITORY, testKeys, type World } from '../world.js';

const all = (world: World, deep = false): Promise<VerifyResult> =>
  verify({ repository: world.repository, all: true, deep });
const bad = (result: VerifyResult) =>
  result.results.flatMap(({ checks }) => checks.filter(({ ok }) => !ok).map(({ detail }) => detail));

describe.each(['sha1', 'sha256'] as const)('verify (%s)', (format) => {
  test('a chain that nobody touched is valid, quick and deep', async () => {
    const world = makeWorld(format);
    await addChain(world, 5);
    for (const deep of [false, true]) {
      const result = await all(world, deep);
      expect(bad(result)).toEqual([]);
      expect(result.results.map(({ verdict }) => verdict)).toEqual(Array(5).fill('valid'));
      expect(result.exitCode).toBe(0);
      expect(result.completeness).toBe('not_proven');
    }
    expect((await all(world)).notProven.join(' ').includes('collision-detecting SHA-1')).toBe(format === 'sha1');
  });
});

describe('verify', () => {
  test('an empty worktree and a snapshot without other slices are valid', async () => {
    const world = makeWorld();
    await addSnapshot(world, { files: {} });
    expect(bad(await all(world, true))).toEqual([]);
  });

  test('what a snapshot leaves out is named, and said not to be proven', async () => {
    const world = makeWorld();
    const omitted = Array.from({ length: 7 }, (_, n) => ({ path: `big ${String(n)}`, reason: 'too_large' as const }));
    await addSnapshot(world, { filesystem: { omitted }, body: { omitted, complete: false } });
    await addSnapshot(world);
    const { results, notProven, exitCode } = await all(world);
    const slices = results.map(({ checks }) => checks.find(({ name }) => name === 'slices')?.detail ?? '');
    expect(slices.filter((detail) => detail.includes('left out when it was taken'))).toHaveLength(1);
    expect(slices.join()).toContain('left out when it was taken: big 0, big 1, big 2, big 3, big 4 and 2 more.');
    expect(notProven.filter((sentence) => sentence.startsWith('Contents: what 1 snapshot leaves out'))).toHaveLength(1);
    expect(exitCode).toBe(0);
  });

  test('without a key the verdict is unsigned and the exit code 14', async () => {
    const world = makeWorld('sha1', testKeys());
    world.keys.present = undefined;
    await addSnapshot(world);
    const result = await all(world);
    expect(result.results[0]?.verdict).toBe('unsigned');
    expect(result.exitCode).toBe(14);
  });

  test('of nothing says that there is nothing', async () => {
    const result = await all(makeWorld());
    expect(result).toEqual({
      results: [],
      completeness: 'not_proven',
      proven: [],
      notProven: ['There is no snapshot to verify.'],
      exitCode: 0,
    });
  });

  test('an operation that cannot be read is no witness, and named', async () => {
    const world = makeWorld();
    await addChain(world, 1);
    const blob = putBlob(world, Buffer.from('no commit'));
    world.store.backing.refs.set(`operations/${'1'.repeat(32)}`, blob);
    const said = (await all(world)).notProven.filter((sentence) => sentence.startsWith('Operations: '));
    expect(said).toEqual([
      expect.stringMatching(/^Operations: an operation on operations\/1+ is not believed: .*[^.]\.$/),
    ]);
  });

  test('a fact that cannot be read is named in one sentence', async () => {
    const world = makeWorld();
    const [snapshot] = await addChain(world, 1);
    const { store, keys, repository } = world;
    const { replica, clock } = repository;
    const writer = { store, key: keys.present ?? makeKey(), repository: REPOSITORY, replica, clock };
    const fact = await appendFact(writer, { kind: 'pin', snapshot: snapshot?.id ?? '' });
    const tree = (await store.commit(fact.commit))?.tree ?? '';
    const file = (await store.tree(tree))?.find(({ name }) => name === 'fact.json')?.id ?? '';
    for (const damage of [
      () => store.backing.objects.set(file, { type: 'blob', bytes: Buffer.from('{}') }),
      () => store.backing.objects.delete(file),
    ]) {
      damage();
      const said = (await all(world)).notProven.filter((sentence) => sentence.startsWith('Facts: '));
      expect(said).toEqual([expect.stringMatching(/^Facts: a fact on facts\/\S+ is not believed: .*[^.]\.$/)]);
      expect(said.join()).not.toContain('Nothing was changed');
    }
  });
});
