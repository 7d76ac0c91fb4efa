/** A repository that was copied whole, and both copies go on: two chains that are each sound, with one name. */
import { beforeEach, describe, expect, test } from 'vitest';
import { verify } from '../../../src/ops/read/verify.js';
import { appendFact } from '../../../src/timeline/facts.js';
import { importBytes, publishBytes } from '../bundle/bundles.js';
import {
  addChain,
  addSnapshot,
  makeKey,
  makeWorld,
  MANUAL,
  MINUTE,
  OTHER,
  REPOSITORY,
  setHead,
  type World,
} from '../world.js';

let [here, copy] = [makeWorld(), makeWorld()];

beforeEach(async () => {
  here = makeWorld();
  copy = makeWorld('sha1', here.keys);
  await addChain(here, 2);
  copyStore(here, copy);
});

/** As `cp -a` does. */
function copyStore(from: World, to: World): void {
  to.now = from.now;
  for (const [id, object] of from.store.backing.objects) to.store.backing.objects.set(id, object);
  for (const [name, id] of from.store.backing.refs) to.store.backing.refs.set(name, id);
}

async function goOn(world: World, text: string) {
  return addSnapshot(world, { files: { 'a.txt': text }, after: MINUTE });
}

async function take(from: World, selector: string) {
  await importBytes(here, (await publishBytes(from, { selector })).bytes);
}

async function verdicts(selector?: string) {
  const { results, exitCode, completeness } = await verify({
    repository: here.repository,
    ...(selector === undefined ? { all: true } : { selector }),
  });
  return { byId: Object.fromEntries(results.map(({ id, verdict }) => [id, verdict])), exitCode, completeness, results };
}

describe('a timeline that goes two ways', () => {
  test('is called forked at both of its snapshots, alone and with all', async () => {
    const [mine, other] = [await goOn(here, 'here'), await goOn(copy, 'copy')];
    await take(copy, other.id);
    const all = await verdicts();
    expect(all).toMatchObject({ exitCode: 15, completeness: 'not_proven' });
    expect(Object.values(all.byId).sort()).toEqual(['broken_chain', 'broken_chain', 'valid', 'valid']);
    expect(all.byId).toMatchObject({ [mine.id]: 'broken_chain', [other.id]: 'broken_chain' });
    for (const [id, wrong] of [
      [mine.id, other.id],
      [other.id, mine.id],
    ] as const) {
      const { results, exitCode } = await verdicts(id);
      expect(exitCode).toBe(15);
      const details = results[0]?.checks.filter(({ ok }) => !ok).map(({ detail }) => detail);
      expect(details).toEqual([
        expect.stringContaining(`the timeline forked: snapshot 3 is also ${wrong.slice(0, 12)}`),
      ]);
    }
  });

  test('is found by what a later snapshot of the copy follows', async () => {
    const mine = await goOn(here, 'here');
    const parent = await goOn(copy, 'copy');
    const later = await goOn(copy, 'more');
    await take(copy, later.id);
    const { byId, results } = await verdicts();
    expect(byId).toMatchObject({ [mine.id]: 'broken_chain', [later.id]: 'broken_chain' });
    expect(JSON.stringify(results)).toContain(`snapshot 3 is also ${parent.id.slice(0, 12)}`);
    expect(JSON.stringify(results)).not.toContain('ends before it');
  });

  test('is found among the imports of two copies', async () => {
    const third = makeWorld('sha1', here.keys);
    copyStore(here, third);
    const [one, two] = [await goOn(copy, 'copy'), await goOn(third, 'third')];
    await take(copy, one.id);
    await take(third, two.id);
    expect((await verdicts()).byId).toMatchObject({ [one.id]: 'broken_chain', [two.id]: 'broken_chain' });
  });

  test('is found where its other way was fetched under another name', async () => {
    const [mine, other] = [await goOn(here, 'here'), await goOn(copy, 'copy')];
    for (const [id, object] of copy.store.backing.objects) here.store.backing.objects.set(id, object);
    setHead(here, other.commit.id, OTHER);
    const { results, byId } = await verdicts();
    expect(byId).toMatchObject({ [mine.id]: 'broken_chain', [other.id]: 'wrong_place' });
    expect(results.filter(({ checks }) => checks.some(({ detail }) => detail.includes('forked')))).toHaveLength(2);
  });

  test('is truncated as long as only the other way goes on', async () => {
    const other = await goOn(copy, 'copy');
    await take(copy, other.id);
    const { byId, results } = await verdicts();
    expect(Object.values(byId).sort()).toEqual(['truncated', 'valid', 'valid']);
    expect(byId[other.id]).toBe('valid');
    expect(JSON.stringify(results)).toContain(`snapshot 3 of this timeline, ${other.id.slice(0, 12)}, was published`);
  });

  test('is no fork for snapshots before the copy, nor for what was deleted on purpose', async () => {
    await take(copy, 'seq:1');
    expect(await verdicts()).toMatchObject({ exitCode: 0 });
    const other = await goOn(copy, 'copy');
    await take(copy, other.id);
    const { store, replica, clock } = here.repository;
    const writer = { store, key: here.keys.present ?? makeKey(), repository: REPOSITORY, replica, clock };
    await appendFact(writer, { kind: 'tombstone', snapshots: [other.id], reason: 'the test' });
    await goOn(here, 'here');
    expect(Object.values((await verdicts()).byId).filter((one) => one !== 'valid')).toEqual(['broken_chain']);
  });

  test('speaks against this store only by a signer of its own, or one that is trusted', async () => {
    const stranger = makeKey();
    const mine = await goOn(here, 'here');
    const other = await addSnapshot(copy, { files: { 'a.txt': 'copy' }, key: stranger });
    await take(copy, other.id);
    expect((await verdicts()).byId).toMatchObject({ [mine.id]: 'valid', [other.id]: 'broken_chain' });
    await here.keys.trust(stranger.signer, 'colleague');
    expect((await verdicts()).byId).toMatchObject({ [mine.id]: 'broken_chain', [other.id]: 'broken_chain' });
  });

  test('a tail that was cut off is missed where its end was published', async () => {
    const end = await goOn(here, 'here');
    await publishBytes(here, { selector: end.id });
    expect(await verdicts()).toMatchObject({ exitCode: 0 });
    setHead(here, end.commit.parents[0] ?? '', MANUAL);
    const { byId, exitCode } = await verdicts();
    expect(exitCode).toBe(15);
    expect(Object.values(byId)).toContain('truncated');
  });
});
