/** Restore: named files, the staged tree, another directory, a commit; and undo and redo over several operations. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { differences, observe } from '@savepoint/testkit';
import { describe, expect, test } from 'vitest';
import { list } from '../../../src/ops/read/list.js';
import { operations } from '../../../src/ops/rewind/operations.js';
import { redo } from '../../../src/ops/rewind/redo.js';
import { restore, type RestoreRequest } from '../../../src/ops/rewind/restore.js';
import { rewind } from '../../../src/ops/rewind/rewind.js';
import { undo } from '../../../src/ops/rewind/undo.js';
import { place, treeOf, type Place } from './place.js';

function restoreFrom(at: Place, selector: string, more: Partial<RestoreRequest> = {}) {
  return at.with((repository) => restore({ repository, selector, ...more }));
}

test('named files come back, nothing else changes, and it can be undone', async () => {
  const at = place();
  const first = await at.snapshot();
  at.fixture.write('a.txt', 'changed\n');
  at.fixture.write('dir/b.txt', 'changed\n');
  const before = treeOf(at.fixture.root);
  const result = await restoreFrom(at, first, { paths: ['a.txt'] });
  expect(result).toMatchObject({
    kind: 'restore',
    options: { files: true, context: false, paths: [{ path: 'a.txt' }] },
  });
  expect(treeOf(at.fixture.root)).toEqual({ ...before, 'a.txt': '644 a\n' });
  expect(await at.with((repository) => undo({ repository }))).toMatchObject({ of: { kind: 'restore' } });
  expect(treeOf(at.fixture.root)).toEqual(before);
});

test('without paths it is about the context: no file is touched', async () => {
  const at = place();
  const first = await at.snapshot();
  at.fixture.write('a.txt', 'changed\n');
  const before = observe(at.fixture);
  const result = await restoreFrom(at, first);
  expect(result).toMatchObject({ options: { files: false, context: true }, files: [], partial: false });
  expect(differences(before, observe(at.fixture))).toEqual([]);
});

test.each([
  ['worktree', { files: true, index: false, context: false }],
  ['index', { files: false, index: true, context: false }],
])('the slice %s can be named', async (slice, options) => {
  const at = place();
  const first = await at.snapshot();
  at.fixture.write('a.txt', 'changed\n');
  at.fixture.git('add', 'a.txt');
  expect(await restoreFrom(at, first, { slice })).toMatchObject({ options, partial: false });
  expect(at.fixture.git('diff', '--cached', '--name-only')).toBe(slice === 'index' ? '' : 'a.txt');
  expect(readFileSync(at.fixture.path('a.txt'), 'utf8')).toBe(slice === 'index' ? 'changed\n' : 'a\n');
});

test('a slice that cannot be restored is refused', async () => {
  const at = place();
  const first = await at.snapshot();
  await expect(restoreFrom(at, first, { slice: 'transcript' })).rejects.toMatchObject({ code: 'argument_malformed' });
});

describe('into another directory', () => {
  test('files are written exactly, nothing here changes, and everything was captured first', async () => {
    const at = place();
    at.fixture.write('secret/key', 'key\n', 0o600);
    mkdirSync(at.fixture.path('empty'));
    symlinkSync('a.txt', at.fixture.path('link'));
    const first = await at.snapshot();
    const tree = treeOf(at.fixture.root);
    at.fixture.write('a.txt', 'changed\n');
    const before = observe(at.fixture);
    const to = path.join(at.fixture.base, 'out', 'deep');
    const result = await restoreFrom(at, first, { to });
    expect(result).toMatchObject({ to, partial: false, totals: { create: Object.keys(tree).length - 2 } });
    expect(result.safety).toMatch(/^[0-9a-f]{64}$/);
    expect(treeOf(to)).toEqual(tree);
    expect(differences(before, observe(at.fixture))).toEqual([]);
    const { operations: done } = await at.with((repository) => operations({ repository }));
    expect(done).toEqual([]);
  });

  test('that is not empty, nothing is written', async () => {
    const at = place();
    const first = await at.snapshot();
    const refs = at.fixture.git('for-each-ref');
    const to = at.fixture.beside;
    const before = observe(at.fixture);
    await expect(restoreFrom(at, first, { to })).rejects.toMatchObject({ code: 'directory_unusable' });
    expect(differences(before, observe(at.fixture))).toEqual([]);
    expect(at.fixture.git('for-each-ref')).toBe(refs);
  });

  test('a dry run does not make the directory', async () => {
    const at = place();
    const first = await at.snapshot();
    const to = path.join(at.fixture.base, 'out');
    const { files } = await restoreFrom(at, first, { to, dryRun: true, paths: ['dir'] });
    expect(files.map(({ path, action }) => [path, action])).toEqual([['dir/b.txt', 'write']]);
    expect(existsSync(to)).toBe(false);
  });
});

describe('with git', () => {
  /** On another branch than that of the snapshot, where everything is committed. */
  async function elsewhere(at: Place): Promise<string> {
    at.fixture.write('a.txt', 'not committed then\n');
    const first = await at.snapshot();
    at.fixture.git('checkout', '-q', '-b', 'other');
    at.fixture.git('commit', '-qam', 'Second');
    return first;
  }

  test.each([
    ['a path that is nowhere', { paths: ['nowhere.txt'] }, 'path_unknown'],
    ['a plan that does not fit', { plan: 'f'.repeat(64) }, 'plan_changed'],
  ])('%s is refused before another commit is checked out', async (_, more, code) => {
    const at = place();
    const first = await elsewhere(at);
    const before = observe(at.fixture);
    await expect(restoreFrom(at, first, { git: true, ...more })).rejects.toMatchObject({ code });
    expect(differences(before, observe(at.fixture))).toEqual([]);
  });

  test('the plan of a dry run is what is done', async () => {
    const at = place();
    const first = await elsewhere(at);
    at.fixture.write('b.txt', 'later\n');
    at.fixture.git('add', 'b.txt');
    at.fixture.git('commit', '-qm', 'Third');
    const { plan } = await restoreFrom(at, first, { git: true, dryRun: true });
    expect(await restoreFrom(at, first, { git: true, plan })).toMatchObject({ kind: 'restore', partial: false });
    expect(treeOf(at.fixture.root)).toMatchObject({ 'a.txt': '644 not committed then\n' });
    expect(existsSync(at.fixture.path('b.txt'))).toBe(false);
  });

  test('what fails after the checkout leaves HEAD, index and files as they were', async () => {
    const at = place();
    const first = await elsewhere(at);
    const before = { tree: treeOf(at.fixture.root), head: at.fixture.git('symbolic-ref', 'HEAD') };
    const stop = new AbortController();
    const failing = at.with(async (repository) => {
      const { worktree } = repository;
      const checkOut: typeof worktree.checkOut = async (request) => {
        const done = await worktree.checkOut(request);
        stop.abort();
        return done;
      };
      const stopped = { ...repository, worktree: { ...worktree, checkOut } };
      return restore({
        repository: { ...stopped, enrol: () => Promise.resolve(stopped) },
        ...{ selector: first, git: true, signal: stop.signal },
      });
    });
    await expect(failing).rejects.toMatchObject({ code: 'interrupted' });
    expect({ tree: treeOf(at.fixture.root), head: at.fixture.git('symbolic-ref', 'HEAD') }).toEqual(before);
    expect(at.fixture.git('status', '--porcelain')).toBe('');
  });

  test('the anchored commit is checked out on its branch, and what was not committed then comes back', async () => {
    const at = place();
    const branch = at.fixture.git('symbolic-ref', '--short', 'HEAD');
    const commit = at.fixture.git('rev-parse', 'HEAD');
    at.fixture.write('a.txt', 'not committed then\n');
    const first = await at.snapshot();
    at.fixture.git('checkout', '-q', '-b', 'other');
    at.fixture.git('commit', '-qam', 'Second');
    const result = await restoreFrom(at, first, { git: true });
    expect(result.git).toEqual({ commit, branch });
    expect(at.fixture.git('symbolic-ref', '--short', 'HEAD')).toBe(branch);
    expect(at.fixture.git('rev-parse', 'HEAD')).toBe(commit);
    expect(readFileSync(at.fixture.path('a.txt'), 'utf8')).toBe('not committed then\n');
    expect(at.fixture.git('status', '--porcelain')).toBe('M a.txt'.padStart(8));
  });

  test.each([
    ['a change', (at: Place) => at.fixture.write('a.txt', 'changed\n')],
    ['a staged change', (at: Place) => (at.fixture.write('a.txt', 'x\n'), at.fixture.git('add', 'a.txt'))],
    ['an untracked file', (at: Place) => at.fixture.write('new.txt', 'new\n')],
  ])('%s refuses, and nothing changes', async (_, meddle) => {
    const at = place();
    const first = await at.snapshot();
    at.fixture.git('commit', '-q', '--allow-empty', '-m', 'Second');
    meddle(at);
    const before = observe(at.fixture);
    await expect(restoreFrom(at, first, { git: true })).rejects.toMatchObject({
      code: 'worktree_dirty',
      kind: 'refused',
    });
    expect(differences(before, observe(at.fixture))).toEqual([]);
  });
});

test('three rewinds, three undos, two redos, a capture and an undo: each says what it takes, and all stays listed', async () => {
  const at = place();
  const states: string[] = [];
  const trees: unknown[] = [];
  for (const state of ['one', 'two', 'three']) {
    at.fixture.write('a.txt', `${state}\n`);
    at.fixture.write(`only-${state}.txt`, `${state}\n`);
    states.push(await at.snapshot(state));
    trees.push(treeOf(at.fixture.root));
  }
  const [one = '', two = '', three = ''] = states;
  const done: string[] = [];
  for (const selector of [one, two, three]) {
    const { operation = '' } = await at.with((repository) => rewind({ repository, selector }));
    done.push(operation);
  }
  // Before the first rewind, the second and the third, the tree was that of the third state, the first and the second.
  for (const [index, tree] of [trees[1], trees[0], trees[2]].entries()) {
    const { of } = await at.with((repository) => undo({ repository }));
    expect(of?.id).toBe(done[2 - index]);
    expect(treeOf(at.fixture.root)).toEqual(tree);
  }
  await expect(at.with((repository) => undo({ repository }))).rejects.toMatchObject({ code: 'nothing_to_undo' });
  const first = await at.with((repository) => redo({ repository }));
  const second = await at.with((repository) => redo({ repository }));
  expect([first.of?.id, second.of?.id]).toEqual([done[0], done[1]]);
  expect(treeOf(at.fixture.root)).toEqual(trees[1]);
  await at.snapshot('in between');
  const last = await at.with((repository) => undo({ repository }));
  expect(last.of).toMatchObject({ id: second.operation, kind: 'redo' });
  expect(treeOf(at.fixture.root)).toEqual(trees[0]);
  const { snapshots } = await at.with((repository) => list({ repository }));
  expect(snapshots.map(({ message }) => message)).toEqual(
    expect.arrayContaining(['one', 'two', 'three', 'in between']),
  );
  expect(snapshots.filter(({ origin }) => origin?.kind === 'undo')).toHaveLength(4);
  const listed = await at.with((repository) => operations({ repository }));
  expect(listed.operations.map(({ kind }) => kind)).toEqual([
    ...['undo', 'redo', 'redo', 'undo', 'undo', 'undo', 'rewind', 'rewind', 'rewind'],
  ]);
  await at.with((repository) => rewind({ repository, selector: three }));
  await expect(at.with((repository) => redo({ repository }))).rejects.toMatchObject({ code: 'nothing_to_redo' });
});
