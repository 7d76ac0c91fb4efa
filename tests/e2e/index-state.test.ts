/** T25, T31, T32, T37: the staged state, racy edits, unborn branches and operations in progress. */
import { lstatSync, utimesSync, writeFileSync } from 'node:fs';
import {
  assumeUnchanged,
  intentToAdd,
  mergeConflict,
  plainRepository,
  skipWorktree,
  splitIndex,
  stagedDelete,
  unborn,
  type FixtureRepository,
} from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { act, capture, expectExact, headCommit } from './support/acts.js';

/** The lines of `ls-tree` for the folder `index/` of the newest snapshot. */
function storedIndex(fixture: FixtureRepository): readonly string[] {
  return fixture.git('ls-tree', '-r', `${headCommit(fixture)}:index`).split('\n');
}

function indexLines(fixture: FixtureRepository): readonly string[] {
  const entries = fixture.git('ls-files', '-s').split('\n');
  return entries.map((line) => line.replace(/^(\d+) ([0-9a-f]+) 0\t/, '$1 blob $2\t'));
}

describe('the staged state', () => {
  it('is recorded where it differs from the worktree', async () => {
    const fixture = plainRepository();
    await capture(fixture);
    expect(storedIndex(fixture)).toEqual(indexLines(fixture));
  });

  it('is not repeated where it is that of HEAD', async () => {
    const fixture = plainRepository();
    fixture.git('reset', '-q', '--hard');
    const { slices } = await capture(fixture);
    expect(slices.map(({ name }) => name)).not.toContain('index');
  });

  it.each([
    ['split index', splitIndex],
    ['staged delete', stagedDelete],
  ] as const)('is recorded with a %s', async (_, make) => {
    const fixture = make();
    await capture(fixture);
    expect(storedIndex(fixture)).toEqual(indexLines(fixture));
  });

  it('keeps an intention to add apart from what is staged', async () => {
    const fixture = intentToAdd();
    await capture(fixture);
    const { staged } = (await act(fixture, ['--json', 'show'])).json();
    expect(staged.flagged).toEqual([{ path: 'planned.txt', flags: ['intent_to_add'] }]);
    expect(storedIndex(fixture).join('\n')).not.toContain('planned.txt');
  });

  it('keeps every stage of a conflict', async () => {
    const fixture = mergeConflict();
    await capture(fixture);
    const { staged } = (await act(fixture, ['--json', 'show'])).json();
    expect(staged.unmerged.map(({ path, stage }) => ({ path, stage }))).toEqual(
      [1, 2, 3].map((stage) => ({ path: 'shared.txt', stage })),
    );
    // Every stage can be read back once git has forgotten the conflict.
    fixture.git('merge', '--abort');
    fixture.git('gc', '-q', '--prune=now');
    for (const { blob } of staged.unmerged as readonly { readonly blob?: string }[]) {
      expect(fixture.git('cat-file', '-t', blob ?? '')).toBe('blob');
    }
  });

  it.each([
    ['assume-unchanged', assumeUnchanged, ['src/four.txt']],
    ['skip-worktree', skipWorktree, ['readme.md', 'src/four.txt']],
  ] as const)('keeps the flag %s and finds the change behind it', async (flag, make, paths) => {
    const fixture = make();
    await capture(fixture);
    expectExact(fixture);
    const { staged } = (await act(fixture, ['--json', 'show'])).json();
    expect(staged.flagged).toEqual(paths.map((path) => ({ path, flags: [flag.replace('-', '_')] })));
    fixture.write('src/four.txt', 'changed behind the bit AGAIN\n');
    expect(await capture(fixture)).toMatchObject({ unchanged: false });
    expectExact(fixture);
  });

  it('of an unborn branch leaves the staged file staged and the others unstaged', async () => {
    const fixture = unborn();
    const { anchor } = await capture(fixture);
    expect(anchor).toMatchObject({ branch: 'main', dirty: true });
    expect(anchor.commit).toBeUndefined();
    expect(storedIndex(fixture)).toEqual(indexLines(fixture));
    expect(fixture.git('diff', '--cached', '--name-only')).toBe('file 7.txt');
  });
});

describe('a merge that was captured while in conflict', () => {
  it('ends as a commit with two parents', async () => {
    const fixture = mergeConflict();
    await capture(fixture);
    fixture.write('shared.txt', 'resolved\n');
    await capture(fixture);
    fixture.git('add', '-A');
    await capture(fixture);
    fixture.git('commit', '-qm', 'Merged');
    expect(fixture.git('rev-list', '--parents', '-1', 'HEAD').split(' ')).toHaveLength(3);
    const { anchor } = await capture(fixture);
    expect(anchor).toMatchObject({ commit: fixture.git('rev-parse', 'HEAD'), dirty: false });
  });
});

describe('an edit that a careless index misses is found', () => {
  const edit = (fixture: FixtureRepository, path: string, text: string): void => {
    const { atime, mtime, size } = lstatSync(fixture.path(path));
    writeFileSync(fixture.path(path), text);
    expect(lstatSync(fixture.path(path)).size).toBe(size);
    utimesSync(fixture.path(path), atime, mtime);
  };

  it.each([
    ['with default settings', []],
    ['with core.trustctime=false', ['core.trustctime', 'false']],
    ['with core.checkStat=minimal', ['core.checkStat', 'minimal']],
  ] as const)('of the same size with its time set back, %s', async (_, setting) => {
    const fixture = plainRepository();
    fixture.write('readme.md', 'AAAA\n');
    if (setting.length > 0) fixture.git('config', ...setting);
    fixture.git('add', 'readme.md');
    await capture(fixture);
    edit(fixture, 'readme.md', 'BBBB\n');
    expect(await capture(fixture)).toMatchObject({ unchanged: false });
    expectExact(fixture);
    edit(fixture, 'new file.txt', 'UNTRACKED\n');
    expect(await capture(fixture)).toMatchObject({ unchanged: false });
    expectExact(fixture);
  });

  it('within one tick of the clock, again and again', async () => {
    const fixture = plainRepository();
    fixture.git('reset', '-q', '--hard');
    for (let round = 0; round < 8; round += 1) {
      fixture.write('readme.md', `round ${String(round)}\n`);
      fixture.write('new.txt', `round ${String(round)}\n`);
      expect(await capture(fixture)).toMatchObject({ unchanged: false, sequence: round + 1 });
      expectExact(fixture);
    }
  });

  it('while a capture just ended and the file was staged in the same tick', async () => {
    const fixture = plainRepository();
    for (const letter of 'ABCDE') {
      fixture.write('tick.txt', `${letter}\n`);
      fixture.git('add', 'tick.txt');
      fixture.write('tick.txt', `${letter.toLowerCase()}\n`);
      await capture(fixture);
      expectExact(fixture);
    }
  });
});
