/** The rules that every Store keeps, as one suite: memory and git run the same sentences. */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ObjectId, Store, TreeEntry } from '@savepoint/core';
import {
  must,
  bytes,
  latin1,
  blobId,
  pieces,
  gather,
  wholeBlob,
  commitFiles,
  folderOf,
  filesOf,
  commitSet,
  REF,
  OTHER_REF,
  type Bench,
  type ConformanceFormat,
} from './store/bench.js';
import { compareRules, editRules, entryRules, historyRules, readAheadRules } from './store/folder-rules.js';

export interface StoreFixture {
  readonly store: Store;
  /** Opens the same store anew, as another process would. */
  reopen(): Promise<Store>;
  dispose(): Promise<void>;
}

const SLOW = 60_000;

/** Declares the suite for one Store; `make` returns an empty one for each test. */
export function describeStore(
  name: string,
  make: (format: ConformanceFormat) => Promise<StoreFixture>,
  formats: readonly ConformanceFormat[] = ['sha1', 'sha256'],
): void {
  for (const format of formats) {
    describe(`${name} (${format})`, () => {
      let fixture: StoreFixture | undefined;
      beforeEach(async () => {
        fixture = await make(format);
      }, SLOW);
      afterEach(async () => {
        await fixture?.store.close();
        await fixture?.dispose();
        fixture = undefined;
      }, SLOW);
      const bench: Bench = {
        format,
        store: () => must(fixture).store,
        reopen: () => must(fixture).reopen(),
      };
      objectRules(bench);
      blobRules(bench);
      refRules(bench);
      commitRules(bench);
      editRules(bench);
      entryRules(bench);
      historyRules(bench);
      readAheadRules(bench);
      compareRules(bench);
    });
  }
}

function objectRules(bench: Bench): void {
  test('ids are those of git', async () => {
    const commit = await commitFiles(bench.store(), { files: { 'a.txt': 'hello\n' } });
    const folder = must(await bench.store().tree(must(await folderOf(bench.store(), commit))));
    expect(folder).toEqual<TreeEntry[]>([
      { mode: '100644', name: 'a.txt', id: blobId(bench.format, bytes('hello\n')) },
    ]);
    const raw = createHash(bench.format)
      .update(`commit ${String(commit.bytes.length)}\0`)
      .update(commit.bytes);
    expect(commit.id).toBe(raw.digest('hex'));
  });

  test('info answers in the order of the ids, and undefined for what is not there', async () => {
    const commit = await commitFiles(bench.store(), { files: { a: 'one', b: 'three' } });
    const nothing = 'e'.repeat(commit.id.length);
    const one = blobId(bench.format, bytes('one'));
    const answer = await bench.store().info([one, nothing, commit.id, one, commit.tree]);
    expect(answer.map((info) => info?.type)).toEqual(['blob', undefined, 'commit', 'blob', 'tree']);
    expect(answer[0]?.size).toBe(3);
    expect(answer[2]?.size).toBe(commit.bytes.length);
    expect(await bench.store().info([])).toEqual([]);
  });

  test('what is not there is undefined, and a stream of it rejects with object_missing', async () => {
    const nothing = 'd'.repeat(bench.format === 'sha1' ? 40 : 64);
    expect(await bench.store().read(nothing, 'blob')).toBeUndefined();
    expect(await bench.store().tree(nothing)).toBeUndefined();
    expect(await bench.store().commit(nothing)).toBeUndefined();
    await expect(gather(bench.store().stream(nothing))).rejects.toMatchObject({ code: 'object_missing' });
    await expect(gather(bench.store().history(nothing))).rejects.toMatchObject({ code: 'object_missing' });
  });

  test('an object is not found under another type', async () => {
    const commit = await commitFiles(bench.store(), { files: { a: 'x' } });
    expect(await bench.store().read(commit.id, 'blob')).toBeUndefined();
    expect(await bench.store().read(commit.tree, 'commit')).toBeUndefined();
    expect(await bench.store().tree(commit.id)).toBeUndefined();
    expect(await bench.store().commit(commit.tree)).toBeUndefined();
  });

  test('a hundred questions asked at once are each answered right', async () => {
    const files = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${String(n)}`, `content ${String(n)}`]));
    const commit = await commitFiles(bench.store(), { files });
    const folder = must(await bench.store().tree(must(await folderOf(bench.store(), commit))));
    const read = await Promise.all(folder.map(async ({ id }) => latin1(await bench.store().read(id, 'blob'))));
    expect(Object.fromEntries(folder.map(({ name }, at) => [name, read[at]]))).toEqual(files);
  });
}

function blobRules(bench: Bench): void {
  test('a big blob goes in and comes out piece by piece', async () => {
    const big = new Uint8Array(3 * 1024 * 1024).map((_, at) => (at * 31 + (at >> 8)) & 0xff);
    const writer = bench.store().writer();
    const id = await writer.blobFrom(big.length, pieces(big, 100_000));
    expect(id).toBe(blobId(bench.format, big));
    await commitSet(writer, [{ path: 'big', mode: '100644', id }]);
    expect(Buffer.compare(await wholeBlob(bench.store(), id), big)).toBe(0);
    expect((await bench.store().info([id]))[0]?.size).toBe(big.length);
  });

  test('empty content is a blob, whole or streamed', async () => {
    const writer = bench.store().writer();
    const whole = await writer.blob(new Uint8Array());
    const streamed = await writer.blobFrom(0, pieces(new Uint8Array()));
    expect(streamed).toBe(whole);
    await commitSet(writer, [{ path: 'empty', mode: '100644', id: whole }]);
    expect((await wholeBlob(bench.store(), whole)).length).toBe(0);
    expect(await bench.store().read(whole, 'blob')).toEqual(new Uint8Array());
  });

  test('a source that ends early or goes on rejects, and nothing becomes visible', async () => {
    for (const promised of [1500, 2500]) {
      const writer = bench.store().writer();
      await expect(writer.blobFrom(promised, pieces(new Uint8Array(2000)))).rejects.toThrow();
      await writer.discard();
    }
    expect(await bench.store().refs('')).toEqual([]);
  });

  test('bytes that the caller changes later do not change what was stored', async () => {
    const writer = bench.store().writer();
    // A Buffer is what a reader of files hands over, and its `slice` shares memory.
    const [content, buffer] = [bytes('before'), Buffer.from('in a buffer')];
    const [id, inBuffer] = [await writer.blob(content), await writer.blob(buffer)];
    content.fill(0x78);
    buffer.fill(0x78);
    await commitSet(writer, [
      { path: 'a', mode: '100644', id },
      { path: 'b', mode: '100644', id: inBuffer },
    ]);
    expect(latin1(await bench.store().read(id, 'blob'))).toBe('before');
    expect(latin1(await bench.store().read(inBuffer, 'blob'))).toBe('in a buffer');
  });

  test('bytes that a reader changes do not change what is stored', async () => {
    await commitFiles(bench.store(), { files: { a: 'original' } });
    const id = blobId(bench.format, bytes('original'));
    (await bench.store().read(id, 'blob'))?.fill(0x78);
    for (const piece of await gather(bench.store().stream(id))) piece.fill(0x78);
    expect(latin1(await bench.store().read(id, 'blob'))).toBe('original');
  });

  test('the same content given twice is one blob', async () => {
    const writer = bench.store().writer();
    const [one, two] = [await writer.blob(bytes('same')), await writer.blobFrom(4, pieces(bytes('same'), 1))];
    expect(one).toBe(two);
    await commitSet(writer, [
      { path: 'a', mode: '100644', id: one },
      { path: 'b', mode: '100755', id: two },
    ]);
    expect(await bench.store().refs('')).toHaveLength(1);
  });
}

function refRules(bench: Bench): void {
  test('refs come in the byte order of their names and by prefix', async () => {
    const { id } = await commitFiles(bench.store(), { files: { a: 'x' } });
    const names = ['facts/0011/aa', 'timelines/b', 'timelines/a', 'timelines-old/c'];
    for (const name of names) await bench.store().updateRef(name, id, undefined);
    await bench.store().updateRef(REF, undefined, id);
    expect((await bench.store().refs('')).map(({ name }) => name)).toEqual([...names].sort());
    expect(await bench.store().refs('timelines/')).toEqual([
      { name: 'timelines/a', target: id },
      { name: 'timelines/b', target: id },
    ]);
    expect(await bench.store().refs('nothing/')).toEqual([]);
  });

  test('a ref moves, is made and is deleted only from where it was expected', async () => {
    const first = await commitFiles(bench.store(), { files: { a: '1' } });
    const second = await commitFiles(bench.store(), { files: { a: '2' }, expected: first.id });
    const moved = { code: 'head_moved' };
    await expect(bench.store().updateRef(REF, first.id, first.id)).rejects.toMatchObject(moved);
    await expect(bench.store().updateRef(REF, first.id, undefined)).rejects.toMatchObject(moved);
    await expect(bench.store().updateRef(REF, undefined, first.id)).rejects.toMatchObject(moved);
    await expect(bench.store().updateRef(OTHER_REF, first.id, first.id)).rejects.toMatchObject(moved);
    await bench.store().updateRef(REF, first.id, second.id);
    expect(await bench.store().refs('')).toEqual([{ name: REF, target: first.id }]);
    await bench.store().updateRef(REF, undefined, first.id);
    expect(await bench.store().refs('')).toEqual([]);
  });

  test('of writers that race for one ref exactly one wins, the others get head_moved', async () => {
    const first = await commitFiles(bench.store(), { files: { a: '0' } });
    const race = await Promise.allSettled(
      [1, 2, 3, 4].map((n) => commitFiles(bench.store(), { files: { a: String(n) }, expected: first.id })),
    );
    const won = race.filter((result) => result.status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const result of race) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'head_moved' });
    }
    expect(await bench.store().refs('')).toEqual([{ name: REF, target: must(won[0]).value.id }]);
  });
}

function commitRules(bench: Bench): void {
  test('a commit has the drafted files, message and parent, and is what was returned', async () => {
    const first = await commitFiles(bench.store(), { files: { a: '1' } });
    const second = await commitFiles(bench.store(), { files: { a: '2' }, expected: first.id, message: 'second\n' });
    expect(first.parents).toEqual([]);
    expect(second.parents).toEqual([first.id]);
    const read = must(await bench.store().commit(second.id));
    expect(read).toEqual(second);
    const identity = 'savepoint <savepoint@localhost> 0 +0000';
    expect(latin1(read.bytes)).toBe(
      `tree ${second.tree}\nparent ${first.id}\nauthor ${identity}\ncommitter ${identity}\n\nsecond\n`,
    );
    const root = must(await bench.store().tree(second.tree));
    expect(root.map(({ mode, name }) => `${mode} ${name}`)).toEqual(['100644 snapshot.json', '040000 worktree']);
  });

  test('seal is given the ids of the folders and names the files at the root', async () => {
    const writer = bench.store().writer();
    const id = await writer.blob(bytes('x'));
    let seen: ReadonlyMap<string, ObjectId> = new Map();
    const commit = await writer.commit({
      ref: REF,
      message: 'm\n',
      folders: [
        { folder: 'worktree', remove: [], set: [{ path: 'd/x', mode: '100644', id }] },
        { folder: 'content', remove: [], set: [{ path: 'x', mode: '100644', id }] },
        { folder: 'empty', remove: ['nothing'], set: [] },
      ],
      seal: (folders) => {
        seen = folders;
        return new Map([
          ['one.json', bytes('1')],
          ['two.json', bytes('2')],
        ]);
      },
    });
    const root = must(await bench.store().tree(commit.tree));
    expect(root.map(({ name }) => name)).toEqual(['content', 'one.json', 'two.json', 'worktree']);
    const folders = root.filter(({ mode }) => mode === '040000').map(({ name, id: tree }) => [name, tree]);
    expect([...seen].sort()).toEqual(folders.sort());
  });

  test('a lost race shows nothing of the loser', async () => {
    const first = await commitFiles(bench.store(), { files: { a: '1' } });
    await expect(commitFiles(bench.store(), { files: { a: '2' } })).rejects.toMatchObject({ code: 'head_moved' });
    expect(await bench.store().refs('')).toEqual([{ name: REF, target: first.id }]);
  });

  test('a commit and the one beside it become visible together', async () => {
    const record = {
      ref: OTHER_REF,
      message: 'beside\n',
      folders: [],
      seal: () => new Map([['one.json', bytes('1')]]),
    };
    const first = await commitFiles(bench.store(), { files: { a: '1' } }, record);
    const target = must(await bench.store().resolve(OTHER_REF));
    expect(await bench.store().resolve(REF)).toBe(first.id);
    const second = await commitFiles(
      bench.store(),
      { files: { a: '2' }, expected: first.id },
      { ...record, expected: target },
    );
    const beside = must(await bench.store().commit(must(await bench.store().resolve(OTHER_REF))));
    expect(beside.parents).toEqual([target]);
    expect(must(await bench.store().tree(beside.tree)).map(({ name }) => name)).toEqual(['one.json']);
    expect(second.parents).toEqual([first.id]);
    expect(await filesOf(bench.store(), await folderOf(bench.store(), second))).toEqual({ a: '2' });
  });

  test('where one of two refs has moved, neither moves, and the error names it', async () => {
    const first = await commitFiles(bench.store(), { files: { a: '1' } });
    const other = await commitFiles(bench.store(), { files: { a: 'other' }, ref: OTHER_REF });
    const before = await bench.store().refs('');
    const record = { ref: OTHER_REF, message: 'beside\n', folders: [], seal: () => new Map() };
    await expect(commitFiles(bench.store(), { files: { a: '2' }, expected: first.id }, record)).rejects.toMatchObject({
      code: 'head_moved',
      data: { ref: expect.stringContaining(OTHER_REF) as string },
    });
    const late = commitFiles(bench.store(), { files: { a: '2' } }, { ...record, expected: other.id });
    await expect(late).rejects.toMatchObject({ code: 'head_moved' });
    expect(await bench.store().refs('')).toEqual(before);
  });

  test('discard leaves no ref, and is safe before, after and without a commit', async () => {
    const given = bench.store().writer();
    await given.blob(bytes('never seen'));
    await given.discard();
    await given.discard();
    const unused = bench.store().writer();
    await unused.discard();
    expect(await bench.store().refs('')).toEqual([]);
    const writer = bench.store().writer();
    const commit = await commitSet(writer, [{ path: 'a', mode: '100644', id: await writer.blob(bytes('a')) }]);
    await writer.discard();
    expect(await bench.store().refs('')).toEqual([{ name: REF, target: commit.id }]);
    expect(await filesOf(bench.store(), await folderOf(bench.store(), commit))).toEqual({ a: 'a' });
  });

  test('a base that is gone rejects with object_missing and moves nothing', async () => {
    const base = 'c'.repeat(bench.format === 'sha1' ? 40 : 64);
    const draft = commitFiles(bench.store(), { files: { 'd/a': '1' }, base });
    await expect(draft).rejects.toMatchObject({ code: 'object_missing' });
    expect(await bench.store().refs('')).toEqual([]);
  });

  test('a seal that throws rejects with its error and moves nothing', async () => {
    const writer = bench.store().writer();
    const set = [{ path: 'a', mode: '100644' as const, id: await writer.blob(bytes('a')) }];
    const seal = () => {
      throw new Error('no key');
    };
    await expect(commitSet(writer, set, { seal })).rejects.toThrow('no key');
    await writer.discard();
    expect(await bench.store().refs('')).toEqual([]);
  });

  test('another process sees what was committed, and this one sees what another commits', async () => {
    const first = await commitFiles(bench.store(), { files: { a: '1' } });
    const other = await bench.reopen();
    expect(await filesOf(other, await folderOf(other, must(await other.commit(first.id))))).toEqual({ a: '1' });
    const second = await commitFiles(other, { files: { a: '2' }, expected: first.id });
    expect(await bench.store().refs('')).toEqual([{ name: REF, target: second.id }]);
    expect(await bench.store().commit(second.id)).toEqual(second);
    const folder = await folderOf(bench.store(), second);
    expect(await filesOf(bench.store(), folder)).toEqual({ a: '2' });
    await other.close();
  });

  test('a store can be used again after close', async () => {
    const first = await commitFiles(bench.store(), { files: { a: '1' } });
    await bench.store().close();
    expect(await bench.store().commit(first.id)).toEqual(first);
    const second = await commitFiles(bench.store(), { files: { a: '2' }, expected: first.id });
    expect(second.parents).toEqual([first.id]);
  });
}
