/** The rules that every Store keeps, as one suite: memory and git run the same sentences. */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CommitDraft, FolderEdit, ObjectId, Store, StoredCommit, TreeEntry } from '@savepoint/core';

export interface StoreFixture {
  readonly store: Store;
  /** Opens the same store anew, as another process would. */
  reopen(): Promise<Store>;
  dispose(): Promise<void>;
}

export type ConformanceFormat = 'sha1' | 'sha256';

const REF = `timelines/${'a'.repeat(32)}`;
const OTHER_REF = `timelines/${'b'.repeat(32)}`;
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
      historyRules(bench);
      compareRules(bench);
    });
  }
}

interface Bench {
  readonly format: ConformanceFormat;
  store(): Store;
  reopen(): Promise<Store>;
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('expected a value');
  return value;
}

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const latin1 = (content: Uint8Array | undefined): string | undefined =>
  content === undefined ? undefined : Buffer.from(content).toString('latin1');

/** Git's id of a blob, computed here so that a store is not judged by its own code. */
function blobId(format: ConformanceFormat, content: Uint8Array): ObjectId {
  return createHash(format)
    .update(`blob ${String(content.length)}\0`)
    .update(content)
    .digest('hex');
}

async function* pieces(content: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield Promise.resolve(content.subarray(at, at + size));
}

async function gather<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}

async function wholeBlob(store: Store, id: ObjectId): Promise<Buffer> {
  return Buffer.concat(await gather(store.stream(id)));
}

interface QuickCommit extends Partial<Omit<CommitDraft, 'folders' | 'seal'>> {
  /** Path to content, one character per byte. */
  readonly files?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
  readonly base?: ObjectId;
  readonly root?: Readonly<Record<string, string>>;
}

/** Commits one folder `worktree` and files at the root. */
async function commitFiles(store: Store, quick: QuickCommit): Promise<StoredCommit> {
  const writer = store.writer();
  const set = [];
  for (const [path, content] of Object.entries(quick.files ?? {})) {
    set.push({ path, mode: '100644' as const, id: await writer.blob(bytes(content)) });
  }
  const folder: FolderEdit = {
    folder: 'worktree',
    ...(quick.base !== undefined && { base: quick.base }),
    remove: quick.remove ?? [],
    set,
  };
  return writer.commit({
    ref: quick.ref ?? REF,
    ...(quick.expected !== undefined && { expected: quick.expected }),
    message: quick.message ?? 'a message\n',
    folders: [folder],
    seal: () =>
      new Map(Object.entries(quick.root ?? { 'snapshot.json': '{}' }).map(([name, text]) => [name, bytes(text)])),
  });
}

async function folderOf(store: Store, commit: StoredCommit): Promise<ObjectId | undefined> {
  return must(await store.tree(commit.tree)).find(({ name }) => name === 'worktree')?.id;
}

/** Path to content of every file below a tree. */
async function filesOf(store: Store, tree: ObjectId | undefined, prefix = ''): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of tree === undefined ? [] : must(await store.tree(tree))) {
    if (entry.mode === '040000') Object.assign(found, await filesOf(store, entry.id, `${prefix}${entry.name}/`));
    else found[prefix + entry.name] = must(latin1(await store.read(entry.id, 'blob')));
  }
  return found;
}

async function committedFiles(store: Store, quick: QuickCommit): Promise<Record<string, string>> {
  return filesOf(store, await folderOf(store, await commitFiles(store, quick)));
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

type Writer = ReturnType<Store['writer']>;

function commitSet(writer: Writer, set: FolderEdit['set'], draft: Partial<CommitDraft> = {}): Promise<StoredCommit> {
  return writer.commit({
    ref: REF,
    message: 'a message\n',
    folders: [{ folder: 'worktree', remove: [], set }],
    seal: () => new Map([['snapshot.json', bytes('{}')]]),
    ...draft,
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

function editRules(bench: Bench): void {
  const start = { 'a.txt': '1', 'd/x': '2', 'd/e/y': '3', 'd/e/z': '4', k: '5' };
  async function edited(
    files: Record<string, string>,
    remove: readonly string[] = [],
  ): Promise<Record<string, string>> {
    const first = await commitFiles(bench.store(), { files: start });
    const base = must(await folderOf(bench.store(), first));
    return committedFiles(bench.store(), { expected: first.id, base, files, remove });
  }

  test('an edit keeps what it does not name, changes what it sets and adds what is new', async () => {
    const now = await edited({ 'd/e/y': 'new', 'n/m/o': 'added' });
    expect(now).toEqual({ ...start, 'd/e/y': 'new', 'n/m/o': 'added' });
  });

  test('removals come before settings, so that a path may be removed and set', async () => {
    expect(await edited({ 'd/x': 'kept' }, ['d'])).toEqual({ 'a.txt': '1', k: '5', 'd/x': 'kept' });
    expect(await edited2({ k: 'again' }, ['k'])).toEqual({ ...start, k: 'again' });
  });

  test("a directory's path removes all below it, and what is not there is no failure", async () => {
    expect(await edited({}, ['d/e', 'nothing', 'no/such/path', 'a.txt/below'])).toEqual({
      'a.txt': '1',
      'd/x': '2',
      k: '5',
    });
  });

  test('a file becomes a directory and a directory a file', async () => {
    expect(await edited({ 'k/inside': 'now a directory' })).toEqual({
      'a.txt': '1',
      'd/x': '2',
      'd/e/y': '3',
      'd/e/z': '4',
      'k/inside': 'now a directory',
    });
    expect(await edited2({ d: 'now a file' })).toEqual({ 'a.txt': '1', d: 'now a file', k: '5' });
  });

  test('directories and folders without entries are absent', async () => {
    expect(await edited({}, ['d/e/y', 'd/e/z', 'd/x'])).toEqual({ 'a.txt': '1', k: '5' });
    const first = await commitFiles(bench.store(), { ref: OTHER_REF, files: { a: '1' } });
    const base = must(await folderOf(bench.store(), first));
    const emptied = await commitFiles(bench.store(), { ref: OTHER_REF, expected: first.id, base, remove: ['a'] });
    expect(await folderOf(bench.store(), emptied)).toBeUndefined();
  });

  test('an unchanged base keeps its id', async () => {
    const first = await commitFiles(bench.store(), { files: start });
    const base = must(await folderOf(bench.store(), first));
    const second = await commitFiles(bench.store(), { expected: first.id, base });
    expect(await folderOf(bench.store(), second)).toBe(base);
  });

  test('modes and links are kept, and an order of entries that differs is the same tree', async () => {
    const modes = async (ref: string, turn: boolean) => {
      const writer = bench.store().writer();
      const id = await writer.blob(bytes('target'));
      const set: FolderEdit['set'] = [
        { path: 'a-b', mode: '100644', id },
        { path: 'a/x', mode: '100755', id },
        { path: 'a.c', mode: '120000', id },
        { path: 'sub', mode: '160000', id: id.replace(/./g, '1') },
      ];
      return commitSet(writer, turn ? [...set].reverse() : set, { ref });
    };
    const [one, two] = [await modes(REF, false), await modes(OTHER_REF, true)];
    expect(one.tree).toBe(two.tree);
    const folder = must(await bench.store().tree(must(await folderOf(bench.store(), one))));
    expect(folder.map(({ mode, name }) => `${mode} ${name}`)).toEqual([
      '100644 a-b',
      '120000 a.c',
      '040000 a',
      '160000 sub',
    ]);
  });

  test('names of any bytes are kept: newline, quote, tab, backslash, spaces, invalid UTF-8, leading dashes', async () => {
    const names = [
      'new\nline',
      'quo"te',
      'tab\there',
      'back\\slash',
      ' lead and trail ',
      '\xff\xfe bad',
      '-rf',
      ':(glob)*',
    ];
    const files = Object.fromEntries(
      [...names, ...names.map((name) => `dir ${name}/${name}`)].map((name) => [name, 'x']),
    );
    const first = await commitFiles(bench.store(), { files });
    const base = must(await folderOf(bench.store(), first));
    expect(await filesOf(bench.store(), base)).toEqual(files);
    const rest = Object.fromEntries(Object.entries(files).filter(([name]) => !name.startsWith('dir ')));
    const removed = names.map((name) => `dir ${name}`);
    expect(await committedFiles(bench.store(), { expected: first.id, base, remove: removed })).toEqual(rest);
    const differing = await gather(bench.store().compare(base, undefined));
    expect(differing.map(({ path }) => path).sort()).toEqual(Object.keys(files).sort());
  });

  // A second edit within one test starts from the present head.
  async function edited2(
    files: Record<string, string>,
    remove: readonly string[] = [],
  ): Promise<Record<string, string>> {
    const head = must((await bench.store().refs(REF))[0]).target;
    const first = await commitFiles(bench.store(), { files: start, expected: head });
    const base = must(await folderOf(bench.store(), first));
    return committedFiles(bench.store(), { expected: first.id, base, files, remove });
  }
}

function historyRules(bench: Bench): void {
  test('history goes from new to old, and stops at until and limit', async () => {
    const ids: ObjectId[] = [];
    for (let n = 0; n < 6; n += 1) {
      const expected = ids[0];
      const commit = await commitFiles(bench.store(), { files: { a: String(n) }, ...(expected && { expected }) });
      ids.unshift(commit.id);
    }
    const [head, second, , fourth] = ids.map(must);
    const walk = (options?: { until?: ObjectId; limit?: number }) => gather(bench.store().history(must(head), options));
    expect(await walk()).toEqual(ids);
    expect(await walk({ limit: 2 })).toEqual(ids.slice(0, 2));
    expect(await walk({ until: must(fourth) })).toEqual(ids.slice(0, 3));
    expect(await walk({ until: must(head) })).toEqual([]);
    expect(await walk({ until: must(fourth), limit: 1 })).toEqual([head]);
    expect(await gather(bench.store().history(must(second), { limit: 1 }))).toEqual([second]);
  });
}

function compareRules(bench: Bench): void {
  test('compare yields each path that differs, with both sides', async () => {
    const before = { same: '0', 'd/changed': '1', 'd/gone': '2', 'file-to-dir': '3', 'dir-to-file/x': '4' };
    const after = { same: '0', 'd/changed': 'new', 'd/added': '5', 'file-to-dir/y': '6', 'dir-to-file': '7' };
    const first = await commitFiles(bench.store(), { files: before });
    const second = await commitFiles(bench.store(), { ref: OTHER_REF, files: after });
    const [a, b] = [await folderOf(bench.store(), first), await folderOf(bench.store(), second)];
    const found = new Map<string, string>();
    for (const { path, before: old, after: young } of await gather(bench.store().compare(a, b))) {
      const content = async (side?: { id: ObjectId }) =>
        side ? latin1(await bench.store().read(side.id, 'blob')) : '-';
      found.set(path, `${String(await content(old))} ${String(await content(young))}`);
    }
    expect(Object.fromEntries(found)).toEqual({
      'd/changed': '1 new',
      'd/gone': '2 -',
      'd/added': '- 5',
      'file-to-dir': '3 -',
      'file-to-dir/y': '- 6',
      'dir-to-file/x': '4 -',
      'dir-to-file': '- 7',
    });
  });

  test('compare with an empty side yields every file, and equal trees yield nothing', async () => {
    const commit = await commitFiles(bench.store(), { files: { a: '1', 'd/b': '2' } });
    const tree = must(await folderOf(bench.store(), commit));
    expect((await gather(bench.store().compare(undefined, tree))).map(({ path }) => path)).toEqual(['a', 'd/b']);
    expect((await gather(bench.store().compare(tree, undefined))).map(({ path }) => path)).toEqual(['a', 'd/b']);
    expect(await gather(bench.store().compare(tree, tree))).toEqual([]);
    expect(await gather(bench.store().compare(undefined, undefined))).toEqual([]);
  });

  test('compare yields a change of mode alone', async () => {
    const tree = async (ref: string, mode: '100644' | '100755' | '120000') => {
      const writer = bench.store().writer();
      const id = await writer.blob(bytes('same'));
      return folderOf(bench.store(), await commitSet(writer, [{ path: 'a', mode, id }], { ref }));
    };
    const [a, b] = [await tree(REF, '100644'), await tree(OTHER_REF, '100755')];
    const id = blobId(bench.format, bytes('same'));
    expect(await gather(bench.store().compare(a, b))).toEqual([
      { path: 'a', before: { mode: '100644', id }, after: { mode: '100755', id } },
    ]);
  });
}
