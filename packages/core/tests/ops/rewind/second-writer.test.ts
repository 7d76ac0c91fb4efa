/** Somebody else writes at the same moment: nothing of his is lost, and two operations never mix. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { capture } from '../../../src/ops/capture.js';
import { operations } from '../../../src/ops/rewind/operations.js';
import { rewind } from '../../../src/ops/rewind/rewind.js';
import { undo } from '../../../src/ops/rewind/undo.js';
import { meddledWorld, place, treeOf, type Place } from './place.js';

/** Runs a rewind in which `meddle` happens after the plan was made and before the first file is replaced. */
function meddled(at: Place, selector: string, meddle: () => void) {
  return at.with(async (repository) => {
    const world = await meddledWorld(repository, meddle);
    return rewind({ repository: world, selector });
  });
}

test('an edit between plan and replacement is left alone, reported, recorded, and is no part of the undo', async () => {
  const at = place();
  const first = await at.snapshot();
  at.fixture.write('a.txt', 'changed\n');
  at.fixture.write('dir/b.txt', 'changed\n');
  at.fixture.write('new/file.txt', 'new\n');
  await at.snapshot();
  const result = await meddled(at, first, () => {
    writeFileSync(at.fixture.path('a.txt'), 'edited in between\n');
    mkdirSync(at.fixture.path('new/inside'));
    writeFileSync(at.fixture.path('new/inside/more.txt'), 'more\n');
  });
  expect(result.files).toEqual([
    expect.objectContaining({ path: 'a.txt', action: 'conflict', reason: 'changed' }),
    expect.objectContaining({ path: 'dir/b.txt', action: 'write' }),
    expect.objectContaining({ path: 'new', action: 'skip', reason: 'occupied', type: 'directory' }),
    expect.objectContaining({ path: 'new/file.txt', action: 'delete' }),
  ]);
  expect(result.partial).toBe(true);
  expect(readFileSync(at.fixture.path('a.txt'), 'utf8')).toBe('edited in between\n');
  expect(readFileSync(at.fixture.path('new/inside/more.txt'), 'utf8')).toBe('more\n');
  const undone = await at.with((repository) => undo({ repository }));
  expect(undone.files.map(({ path }) => path)).toEqual(['dir/b.txt', 'new/file.txt']);
  expect(readFileSync(at.fixture.path('a.txt'), 'utf8')).toBe('edited in between\n');
  expect(readFileSync(at.fixture.path('dir/b.txt'), 'utf8')).toBe('changed\n');
});

test('an undo of a tree that was edited since brings back what was there, and the edit is in its safety snapshot', async () => {
  const at = place();
  const first = await at.snapshot();
  at.fixture.write('a.txt', 'changed\n');
  await at.snapshot();
  await at.with((repository) => rewind({ repository, selector: first }));
  at.fixture.write('a.txt', 'edited after the rewind\n');
  at.fixture.write('untouched.txt', 'made after the rewind\n');
  const { safety } = await at.with((repository) => undo({ repository }));
  expect(readFileSync(at.fixture.path('a.txt'), 'utf8')).toBe('changed\n');
  expect(readFileSync(at.fixture.path('untouched.txt'), 'utf8')).toBe('made after the rewind\n');
  await at.with((repository) => rewind({ repository, selector: safety ?? '', paths: ['a.txt'] }));
  expect(readFileSync(at.fixture.path('a.txt'), 'utf8')).toBe('edited after the rewind\n');
});

describe('operations at once', () => {
  test('come one after the other, each complete, and the tree is that of the last one', async () => {
    const at = place();
    const states = ['one\n', 'two\n', 'three\n'];
    const ids: string[] = [];
    const trees: unknown[] = [];
    for (const state of states) {
      at.fixture.write('a.txt', state);
      at.fixture.write('dir/b.txt', state);
      ids.push(await at.snapshot());
      trees.push(treeOf(at.fixture.root));
    }
    const results = await Promise.allSettled([
      ...ids.map((selector) => at.with((repository) => rewind({ repository, selector }))),
      at.with((repository) => capture({ repository, transcript: false, message: 'meanwhile' })),
    ]);
    for (const result of results) {
      // Whoever meets a replacement at work is told so, and has changed nothing.
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: 'restore_running', kind: 'locked' });
    }
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(trees).toContainEqual(treeOf(at.fixture.root));
    const { operations: done, open, problems } = await at.with((repository) => operations({ repository }));
    const rewinds = results.slice(0, 3).filter(({ status }) => status === 'fulfilled');
    expect([done.length, open, problems]).toEqual([rewinds.length, false, []]);
  });
});
