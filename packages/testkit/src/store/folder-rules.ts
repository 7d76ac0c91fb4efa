/** The rules of a Store about folders: how edits apply, how timelines are walked, how trees are compared. */
import { expect, test } from 'vitest';
import type { FolderEdit, ObjectId, StoredCommit } from '@savepoint/core';
import {
  must,
  bytes,
  latin1,
  blobId,
  gather,
  commitFiles,
  folderOf,
  filesOf,
  committedFiles,
  commitSet,
  REF,
  OTHER_REF,
  type Bench,
} from './bench.js';

export function editRules(bench: Bench): void {
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

export function entryRules(bench: Bench): void {
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
}

export function historyRules(bench: Bench): void {
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

export function readAheadRules(bench: Bench): void {
  test('what was read ahead is answered as if it had not been, once and again', async () => {
    const commits: StoredCommit[] = [];
    for (let n = 0; n < 6; n += 1) {
      const expected = commits[0]?.id;
      const root = { 'note.txt': `note ${String(n)}`, 'odd.txt': 'a\nb' };
      const plan = { files: { a: String(n) }, root, ...(expected !== undefined && { expected }) };
      commits.unshift(await commitFiles(bench.store(), plan));
    }
    const nowhere = 'f'.repeat(must(commits[0]).id.length);
    // A few go another way than many; what is no id or is not there must not disturb the others.
    for (const some of [commits.slice(0, 2), commits]) {
      const store = await bench.reopen();
      await store.readAhead(
        [nowhere, 'HEAD', 'a b', ...some.map(({ id }) => id)],
        ['note.txt', 'missing.txt', 'odd.txt'],
      );
      for (const { id, tree } of [...some, ...some]) {
        expect(await store.commit(id)).toEqual(await bench.store().commit(id));
        const entries = must(await store.tree(tree));
        expect(entries).toEqual(await bench.store().tree(tree));
        for (const entry of entries.filter(({ mode }) => mode === '100644')) {
          expect(await store.read(entry.id, 'tree')).toBeUndefined();
          expect(latin1(await store.read(entry.id, 'blob'))).toBe(latin1(await bench.store().read(entry.id, 'blob')));
        }
      }
      expect(await store.commit(nowhere)).toBeUndefined();
      await store.close();
    }
  });
}

export function compareRules(bench: Bench): void {
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
