import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { utf8 } from '../../src/base/bytes.js';
import { blake3 } from '../../src/format/digest.js';
import type { TreeEntry } from '../../src/model/tree/tree.js';
import { list } from '../../src/ops/read/list.js';
import { PROOFS } from '../../src/timeline/proof-memory.js';
import { addChain, headOf, makeWorld, putBlob, setHead, type World } from './world.js';
import { blobOf, flipped, replaced, rewrite, rootOf } from './verify/forgery.js';

const COUNT = 4;

let world: World;
beforeEach(async () => {
  world = makeWorld();
  await addChain(world, COUNT);
});

const look = async (of = world) => {
  const { snapshots, unreadable } = await list({ repository: of.repository });
  return { said: snapshots.map(({ message, verdict }) => `${message}: ${verdict}`), snapshots, unreadable };
};
const marks = (of = world) => Buffer.from(of.local.files.get(PROOFS) ?? '').toString();
const write = (content: string) => world.local.files.set(PROOFS, utf8(content));
const filesOfHead = async () => {
  const root = await rootOf(world, await headOf(world));
  return {
    root,
    body: await blobOf(world, root, 'snapshot.json'),
    signature: await blobOf(world, root, 'signature.json'),
  };
};

/** What the memory writes of a snapshot, made here from what its head says of it. */
function markOf(secret: Uint8Array, body: Uint8Array, signature: Uint8Array): string {
  return blake3(Buffer.concat([secret, utf8(`savepoint.proof/1\n${blake3(body)}\n`), signature])).slice(0, 32);
}

/** Exchanges the signature of the newest snapshot by one that does not hold; returns its bytes. */
async function breakSignature(): Promise<Uint8Array> {
  const { signature } = await filesOfHead();
  const digit = Buffer.from(signature).indexOf('"value":"') + '"value":"'.length;
  const broken = flipped(signature, digit);
  await rewriteHead((entries) => replaced(entries, 'signature.json', putBlob(world, broken)));
  return broken;
}

async function rewriteHead(change: (root: TreeEntry[]) => TreeEntry[]) {
  const commits: string[] = [];
  for await (const commit of world.store.history(await headOf(world))) commits.unshift(commit);
  await rewrite(world, commits, (root, at) => (at === COUNT ? change(root) : root));
}

describe('what was proven', () => {
  test('is said again in the same words, and remembered once', async () => {
    const first = await look();
    expect(first.said).toEqual([4, 3, 2, 1].map((n) => `snapshot ${String(n)}: valid`));
    const kept = marks();
    expect(kept.split('\n')).toHaveLength(COUNT + 1);
    expect(await look()).toEqual(first);
    expect(marks()).toBe(kept);
  });

  test('is believed under the own secret alone', async () => {
    const broken = await breakSignature();
    const { body } = await filesOfHead();
    expect((await look()).said[0]).toBe('snapshot 4: bad_signature');
    write(`${markOf(randomBytes(32), body, broken)}\n`);
    expect((await look()).said[0]).toBe('snapshot 4: bad_signature');
    // Only who can read the secret can do this: it shows that the memory is asked at all.
    write(`${markOf(world.keys.secret ?? new Uint8Array(), body, broken)}\n`);
    expect((await look()).said[0]).toBe('snapshot 4: valid');
  });

  test('says nothing of other bytes at the same place', async () => {
    await look();
    await breakSignature();
    expect((await look()).said[0]).toBe('snapshot 4: bad_signature');
  });

  test('says nothing of a body that was changed under its own object id', async () => {
    await look();
    const { root, body } = await filesOfHead();
    const id = root.find(({ name }) => name === 'snapshot.json')?.id ?? '';
    const forged = utf8(Buffer.from(body).toString().replace('snapshot 4', 'snapshot 5'));
    world.store.backing.objects.set(id, { type: 'blob', bytes: forged });
    expect((await look()).said[0]).toBe('snapshot 5: bad_signature');
  });

  test('does not list what is gone', async () => {
    await look();
    const { root } = await filesOfHead();
    world.store.backing.objects.delete(root.find(({ name }) => name === 'snapshot.json')?.id ?? '');
    const { said, unreadable } = await look();
    expect([said.length, unreadable]).toMatchObject([COUNT - 1, [{ code: 'object_missing' }]]);
  });

  test('leaves open who is believed', async () => {
    await look();
    const key = world.keys.present;
    world.keys.present = undefined;
    expect((await look()).said[0]).toBe('snapshot 4: valid_unknown_signer');
    world.keys.present = key;
    expect((await look()).said[0]).toBe('snapshot 4: valid');
  });
});

describe('a memory', () => {
  test('of another repository proves nothing here', async () => {
    const other = makeWorld('sha1', world.keys);
    await addChain(other, COUNT);
    await look(other);
    await breakSignature();
    write(marks(other));
    expect((await look()).said[0]).toBe('snapshot 4: bad_signature');
  });

  test.each<[string, (kept: string) => string]>([
    ['empty', () => ''],
    ['torn in the middle of a line', (kept) => kept.slice(0, -20)],
    ['of zeros', (kept) => '\0'.repeat(kept.length)],
    ['of newlines', () => '\n'.repeat(500)],
    ['far too long', (kept) => 'f'.repeat(1_000_000) + kept],
  ])('that is %s costs time only', async (_, damage) => {
    const first = await look();
    write(damage(marks()));
    expect(await look()).toEqual(first);
    expect(await look()).toEqual(first);
  });

  test('without a secret is not begun, and one under a lost secret begins anew', async () => {
    const { secret } = world.keys;
    world.keys.secret = undefined;
    const first = await look();
    expect(marks()).toBe('');
    world.keys.secret = secret;
    await look();
    world.keys.secret = new Uint8Array(randomBytes(32));
    expect(await look()).toEqual(first);
    expect(marks().split('\n')).toHaveLength(2 * COUNT + 1);
  });

  test('stays small', async () => {
    const old = 'a'.repeat(32) + '\n';
    write(old.repeat(2000));
    await look();
    expect(marks().split('\n')).toHaveLength(1000 + COUNT + 1);
    expect(marks().startsWith(old)).toBe(true);
    const kept = marks();
    await look();
    expect(marks()).toBe(kept);
  });

  test('holds nothing of a snapshot whose signature does not hold or that has none', async () => {
    await breakSignature();
    await look();
    expect(marks().split('\n')).toHaveLength(COUNT);
    const empty = makeWorld();
    await addChain(empty, 2, { key: null });
    await look(empty);
    expect(marks(empty)).toBe('');
  });
});

test('a head that is no snapshot is passed over as before', async () => {
  await look();
  setHead(world, putBlob(world, utf8('no commit')));
  expect((await look()).unreadable).toHaveLength(1);
});
