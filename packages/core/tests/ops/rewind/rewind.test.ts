/** Rewind on real repositories: what it reaches, what it keeps, and that nothing is lost on the way. */
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/ops/rewind/operations.js';
import { rewind } from '../../../src/ops/rewind/rewind.js';
import { redo } from '../../../src/ops/rewind/redo.js';
import { undo } from '../../../src/ops/rewind/undo.js';
import { place, treeOf } from './place.js';

describe('a rewind', () => {
  test('makes the worktree equal to the snapshot, and undo and redo go back and forth', async () => {
    const { fixture, snapshot, ...at } = place();
    const { root } = fixture;
    fixture.write('gone.txt', 'gone\n');
    fixture.write('kind/of/file.txt', 'deep\n');
    mkdirSync(path.join(root, 'empty'));
    symlinkSync('a.txt', path.join(root, 'link'));
    const first = await snapshot();
    const before = treeOf(root);
    fixture.write('a.txt', 'changed\n');
    chmodSync(path.join(root, 'dir/b.txt'), 0o600);
    rmSync(path.join(root, 'gone.txt'));
    rmSync(path.join(root, 'kind'), { recursive: true });
    fixture.write('kind', 'now a file\n');
    rmSync(path.join(root, 'empty'), { recursive: true });
    rmSync(path.join(root, 'link'));
    mkdirSync(path.join(root, 'link'));
    fixture.write('link/inside.txt', 'x\n');
    fixture.write('new/file.txt', 'new\n');
    await snapshot();
    const after = treeOf(root);
    const result = await at.with((repository) => rewind({ repository, selector: first }));
    expect(result).toMatchObject({ partial: false, dryRun: false, target: { id: first } });
    expect(treeOf(root)).toEqual(before);
    const undone = await at.with((repository) => undo({ repository }));
    expect(undone).toMatchObject({ partial: false, of: { id: result.operation, kind: 'rewind' } });
    expect(treeOf(root)).toEqual(after);
    await at.with((repository) => redo({ repository }));
    expect(treeOf(root)).toEqual(before);
    const { operations: done } = await at.with((repository) => operations({ repository }));
    expect(done.map(({ kind }) => kind)).toEqual(['redo', 'undo', 'rewind']);
  });

  test('that cannot restore the index says so, and not that nothing was changed', async () => {
    const at = place();
    const selector = await at.snapshot();
    at.fixture.write('a.txt', 'changed\n');
    at.fixture.git('add', 'a.txt');
    at.fixture.write('.git/index.lock', '');
    const done = await at.with((repository) => rewind({ repository, selector, index: true }));
    const { notes, partial, note, stagedLeft } = done;
    expect([partial, stagedLeft]).toEqual([true, true]);
    expect(note).toMatch(/\nThe staged tree was not restored\.$/);
    expect(notes.join()).toMatch(/^The staged tree was not restored: .*index\.lock is there\.$/);
    expect(treeOf(at.fixture.root)).toMatchObject({ 'a.txt': '644 a\n' });
  });

  test('of all files by a path leaves the context alone, as one of some files does', async () => {
    const at = place();
    const selector = await at.snapshot();
    const { options } = await at.with((repository) => rewind({ repository, selector, paths: ['.'], dryRun: true }));
    expect(options).toMatchObject({ files: true, context: false });
  });
});
