/** What came from others: kept apart, marked as foreign, looked into, never gone back to. */
import { beforeEach, describe, expect, test } from 'vitest';
import { diff } from '../../../src/ops/read/diff.js';
import { list } from '../../../src/ops/read/list.js';
import { restore } from '../../../src/ops/rewind/restore.js';
import { rewind } from '../../../src/ops/rewind/rewind.js';
import { show, showFile, showSlice } from '../../../src/ops/read/show.js';
import { verify } from '../../../src/ops/read/verify.js';
import { verifyFile } from '../../../src/ops/share/verify-file.js';
import {
  filesOf,
  importBytes,
  inPieces,
  keptBundle,
  publishBytes,
  refusalBy,
  storeText,
  withIndex,
  archiveOf,
} from '../../timeline/bundle/bundles.js';
import {
  addChain,
  addSnapshot,
  makeKey,
  makeWorld,
  putBlob,
  putTree,
  testKeys,
  type World,
} from '../../timeline/world.js';
import { objectId } from '../../../src/model/tree/object-id.js';

let author: World;
let reader: World;
let chain: readonly { readonly id: string }[];

beforeEach(async () => {
  author = makeWorld('sha1', testKeys(makeKey()));
  reader = makeWorld('sha1', testKeys(makeKey()));
  // Two stores have two names.
  Object.assign(reader.repository, { id: 'f'.repeat(32), replica: 'c'.repeat(32) });
  chain = await addChain(author, 2);
});

const head = (): string => chain[1]?.id ?? '';

async function bytesOf(file: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of file) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

describe('import', () => {
  test('takes a bundle in once, however it is cut into pieces, and again changes nothing', async () => {
    const { bytes } = await publishBytes(author, { files: ['a.txt'] });
    const first = await importBytes(reader, bytes, { piece: 7, again: true });
    expect(first).toMatchObject({
      unchanged: false,
      snapshots: [{ id: head(), verdict: 'valid_unknown_signer', own: false }],
    });
    expect(first.snapshots[0]?.parents).toEqual([{ id: chain[0]?.id, state: 'withheld' }]);
    const before = storeText(reader);
    expect(await importBytes(reader, bytes)).toMatchObject({ unchanged: true });
    expect(storeText(reader)).toBe(before);
    expect((await keptBundle(reader, head())).equals(bytes)).toBe(true);
    const refs = (await reader.store.refs('')).map(({ name }) => name);
    expect(refs).toEqual([expect.stringMatching(/^remotes\/bundle\/[0-9a-f]{12}\/c{32}$/)]);
  });

  test('adds what a second bundle of the same snapshot has more, and the parent that comes later', async () => {
    await importBytes(reader, (await publishBytes(author, { slices: ['filesystem'] })).bytes);
    await importBytes(reader, (await publishBytes(author, { slices: ['transcript'], files: ['d/b.txt'] })).bytes);
    const whole = (await publishBytes(author, { slices: ['transcript', 'filesystem'], files: ['d/b.txt'] })).bytes;
    expect((await keptBundle(reader, head())).equals(whole)).toBe(true);
    await importBytes(reader, (await publishBytes(author, { selector: chain[0]?.id ?? '' })).bytes);
    const again = await importBytes(reader, whole);
    expect(again.snapshots[0]?.parents).toEqual([{ id: chain[0]?.id, state: 'here' }]);
    expect((await verify({ repository: reader.repository, all: true })).results.map(({ verdict }) => verdict)).toEqual([
      'valid_unknown_signer',
      'valid_unknown_signer',
    ]);
  });

  test('trusts whom the user trusts, and no one else where that is asked for', async () => {
    const { bytes } = await publishBytes(author);
    for (const again of [true, false]) {
      const error = await refusalBy(reader, bytes, { requireTrusted: true, again });
      expect(error).toMatchObject({ code: 'signer_unknown', kind: 'untrusted' });
    }
    await reader.keys.trust(author.keys.present?.signer ?? '', 'ada');
    expect((await importBytes(reader, bytes, { requireTrusted: true })).snapshots[0]?.verdict).toBe('valid');
  });

  test('of one`s own snapshot takes nothing in', async () => {
    const { bytes } = await publishBytes(author);
    const before = storeText(author);
    expect(await importBytes(author, bytes)).toMatchObject({
      unchanged: true,
      snapshots: [{ own: true, verdict: 'valid' }],
    });
    expect(storeText(author)).toBe(before);
  });

  test('works between the two object formats of git', async () => {
    const other = makeWorld('sha256', testKeys(makeKey()));
    const { bytes } = await publishBytes(author, { files: ['d/e/c.txt'] });
    await importBytes(other, bytes);
    expect((await keptBundle(other, head())).equals(bytes)).toBe(true);
    expect(await bytesOf(await showFile({ repository: other.repository, selector: head(), path: 'd/e/c.txt' }))).toBe(
      'three\n',
    );
  });

  test('takes a chain in one bundle', async () => {
    const bundles = [];
    for (const { id } of chain) bundles.push(filesOf((await publishBytes(author, { selector: id })).bytes));
    const [first = [], second = []] = bundles;
    const two = JSON.parse(second[0]?.content.toString() ?? '') as { snapshots: never[] };
    const both = withIndex([...first, ...second.slice(1)], (index) => index.snapshots.push(...two.snapshots));
    const { snapshots } = await importBytes(reader, archiveOf(both));
    expect(snapshots.map(({ id }) => id)).toEqual(chain.map(({ id }) => id));
    expect(snapshots[1]?.parents[0]?.state).toBe('here');
    expect((await verify({ repository: reader.repository, all: true })).exitCode).toBe(0);
  });

  test('of files too large to be looked at as a whole notices a byte that was changed', async () => {
    await addSnapshot(author, { content: ['large '.repeat(400_000)] });
    const { bytes } = await publishBytes(author);
    const changed = Buffer.from(bytes);
    changed[changed.lastIndexOf('large ')] = 0x4c;
    expect(await refusalBy(reader, changed)).toMatchObject({ data: { verdict: 'digest_mismatch' } });
    expect(await importBytes(reader, bytes)).toMatchObject({ unchanged: false });
  });

  test('that is interrupted by a failing store leaves nothing', async () => {
    const { bytes } = await publishBytes(author);
    const before = storeText(reader);
    const store = {
      ...reader.store,
      writer: () => ({ ...reader.store.writer(), commit: () => Promise.reject(new Error('no space')) }),
    };
    const failing = { ...reader, repository: { ...reader.repository, store } };
    await expect(importBytes(failing, bytes)).rejects.toThrow('no space');
    expect(storeText(reader)).toBe(before);
  });
});

describe('what was imported', () => {
  beforeEach(async () => {
    await addSnapshot(reader, {
      files: { 'mine.txt': 'mine\n' },
      body: { message: 'mine', repository: 'f'.repeat(32) },
    });
    await importBytes(
      reader,
      (await publishBytes(author, { files: ['a.txt'], slices: ['transcript', 'filesystem'] })).bytes,
    );
  });
  const repository = () => reader.repository;

  test('is listed with all, in its place in time and marked, and else not', async () => {
    const messages = async (all: boolean) =>
      (await list({ repository: repository(), all })).snapshots.map(
        ({ message, foreign }) => `${message} ${String(foreign)}`,
      );
    expect(await messages(false)).toEqual(['mine undefined']);
    expect(await messages(true)).toEqual(['snapshot 2 true', 'mine undefined']);
    expect((await list({ repository: repository(), all: true, tag: 'none' })).snapshots).toEqual([]);
    expect((await list({ repository: repository(), all: true, limit: 1 })).more).toBe(true);
    expect((await list({ repository: repository(), all: true, at: 'head' })).snapshots).toHaveLength(1);
  });

  test('is shown by its id, with what is there and what is withheld', async () => {
    const shown = await show({ repository: repository(), selector: head().slice(0, 8), files: true });
    expect(shown).toMatchObject({ id: head(), foreign: true, verdict: 'valid_unknown_signer', message: 'snapshot 2' });
    expect(shown.withheld).toEqual(['content', 'index', 'worktree']);
    expect(shown.files?.map(({ path }) => path)).toEqual(['a.txt']);
    expect(shown.transcripts).toHaveLength(1);
    const selector = head();
    expect(await bytesOf(await showFile({ repository: repository(), selector, path: 'a.txt' }))).toBe('version 2\n');
    expect(await bytesOf(await showFile({ repository: repository(), selector, path: 'transcript' }))).toContain(
      '"line":1',
    );
    await expect(showFile({ repository: repository(), selector, path: 'd/b.txt' })).rejects.toMatchObject({
      code: 'slice_withheld',
    });
    await expect(showSlice({ repository: repository(), selector, slice: 'content' })).rejects.toMatchObject({
      code: 'slice_withheld',
      kind: 'not_found',
    });
    await expect(show({ repository: repository(), selector, at: 'head' })).rejects.toMatchObject({
      code: 'snapshot_not_found',
    });
  });

  test('is never said to lack what it withholds', async () => {
    const result = await diff({ repository: repository(), from: 'head', to: head() });
    expect(result.files).toEqual([]);
    expect(result.withheld).toContainEqual({ side: 'to', slice: 'worktree' });
  });

  test('is no place to go back to', async () => {
    const refused = {
      code: 'snapshot_foreign',
      kind: 'untrusted',
      message: expect.stringContaining('was imported') as string,
      hint: expect.stringContaining(`savepoint show ${head().slice(0, 12)} --file PATH`) as string,
    };
    for (const act of [rewind, restore]) {
      for (const more of [{ paths: ['a.txt'] }, {}])
        await expect(act({ repository: repository(), selector: head(), ...more })).rejects.toMatchObject(refused);
    }
    const elsewhere = restore({ repository: repository(), selector: head(), to: '/nowhere' });
    await expect(elsewhere).rejects.toMatchObject(refused);
    await expect(publishBytes(reader, { selector: head() })).rejects.toMatchObject({ code: 'snapshot_foreign' });
  });

  test('verifies, alone and with all', async () => {
    const one = await verify({ repository: repository(), selector: head() });
    expect(one).toMatchObject({ exitCode: 0, completeness: 'not_proven', results: [{ id: head(), foreign: true }] });
    const all = await verify({ repository: repository(), all: true });
    expect(all.results.map(({ verdict }) => verdict)).toEqual(['valid', 'valid_unknown_signer']);
  });

  test.each(['snapshot.json', 'signature.json', 'filesystem.json', 'transcript', 'worktree', 'proof'])(
    'is found out when %s of it is changed, taken away or joined by something in the store',
    async (name) => {
      const { store } = reader;
      const [ref = { name: '', target: '' }] = await store.refs('remotes/');
      const root = await store.commit(ref.target);
      const [top] = (await store.tree(root?.tree ?? '')) ?? [];
      const [folder] = (await store.tree(top?.id ?? '')) ?? [];
      const entries = (await store.tree(folder?.id ?? '')) ?? [];
      const stranger = putBlob(reader, Buffer.from('stranger'));
      const tampered: readonly (typeof entries)[] = [
        entries.filter((entry) => entry.name !== name),
        entries.map((entry) => (entry.name === name ? { ...entry, mode: '100644' as const, id: stranger } : entry)),
        [...entries, { name: 'zz', mode: '100644' as const, id: stranger }],
      ];
      for (const [at, changed] of tampered.entries()) {
        const inner = putTree(reader, changed);
        const outer = putTree(reader, [{ name: folder?.name ?? '', mode: '040000', id: inner }]);
        const tree = putTree(reader, [{ name: top?.name ?? '', mode: '040000', id: outer }]);
        const text = Buffer.from(root?.bytes ?? [])
          .toString()
          .replace(root?.tree ?? '', tree);
        const commit = objectId('sha1', 'commit', Buffer.from(text));
        store.backing.objects.set(commit, { type: 'commit', bytes: Buffer.from(text) });
        store.backing.refs.set(ref.name, commit);
        const { results } = await verify({ repository: repository(), all: true });
        const found = results.find(({ foreign }) => foreign === true);
        const isLess = at === 0 && ['filesystem.json', 'transcript', 'worktree'].includes(name);
        // What is gone whole is as if it had been withheld; nothing proves that it was ever taken in.
        if (!isLess || name === 'worktree')
          expect(['valid', 'valid_unknown_signer'], `${name} ${String(at)}`).not.toContain(found?.verdict);
        expect(results.find(({ foreign }) => foreign !== true)?.verdict).toBe('valid');
      }
    },
  );
});

describe('verify FILE', () => {
  const check = (bytes: Uint8Array, keys = testKeys(makeKey())) =>
    verifyFile({ input: { again: true, open: () => inPieces(bytes) }, keys });

  test('says what a bundle proves, without a repository', async () => {
    const { bytes } = await publishBytes(author, { slices: ['transcript'] });
    const result = await check(bytes);
    expect(result).toMatchObject({ exitCode: 0, completeness: 'not_proven' });
    expect(result.results).toMatchObject([
      {
        id: head(),
        verdict: 'valid_unknown_signer',
        slices: [
          { name: 'content', state: 'withheld' },
          { name: 'filesystem', state: 'withheld' },
          { name: 'index', state: 'withheld' },
          { name: 'transcript', state: 'present' },
          { name: 'worktree', state: 'withheld' },
        ],
      },
    ]);
    expect((await check(bytes, author.keys)).results[0]?.verdict).toBe('valid');
  });

  test('says of a broken one what is wrong, and throws nothing', async () => {
    const { bytes } = await publishBytes(author);
    const broken = Buffer.from(bytes);
    broken[broken.indexOf('"line":1')] = 0x7b;
    expect(await check(broken)).toMatchObject({ exitCode: 15, results: [{ id: head(), verdict: 'digest_mismatch' }] });
    expect(await check(bytes.subarray(0, 5000))).toMatchObject({ exitCode: 15, results: [{ verdict: 'truncated' }] });
    expect(await check(Buffer.from('hello'))).toMatchObject({ exitCode: 15, results: [{ id: '' }] });
    const later = archiveOf([{ path: 'bundle.json', content: Buffer.from('{"format":"savepoint.bundle/2"}') }]);
    expect(await check(later)).toMatchObject({ exitCode: 16, results: [{ verdict: 'too_new' }] });
  });
});
