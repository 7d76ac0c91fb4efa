/** T05, T37: nothing of the user's history moves, and an operation of git in progress stays what it is. */
import { rmSync } from 'node:fs';
import {
  amStop,
  bisecting,
  cherryPickStop,
  mergeConflict,
  plainRepository,
  rebaseStop,
  revertStop,
  type FixtureRepository,
} from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { capture } from '../support/acts.js';
import { expectEqual, operate } from '../support/operations.js';

describe('a rewind', () => {
  it('moves no branch, commit, index, stash or reflog', async () => {
    const fixture = plainRepository();
    const { id } = await capture(fixture);
    fixture.git('commit', '-qam', 'Fourth');
    fixture.write('src/five.txt', 'five\n');
    fixture.git('add', '-A');
    fixture.git('commit', '-qm', 'Fifth');
    fixture.write('src/one.txt', 'to be stashed\n');
    fixture.git('stash', 'push', '-q');
    fixture.write('src/five.txt', 'staged hunk\n');
    fixture.git('add', 'src/five.txt');
    fixture.write('src/five.txt', 'staged hunk and more\n');
    await capture(fixture);
    // The oracle of `operate` holds the index, refs, reflogs and stash against what they were.
    await operate(fixture, ['rewind', id]);
    expectEqual(fixture, id);
    await operate(fixture, ['undo']);
    await operate(fixture, ['redo']);
    expectEqual(fixture, id);
  });

  it('with --index brings back what was to be added later, and flags of whole directories', async () => {
    const fixture = plainRepository();
    const names = ['intended.txt', 'deep/:(glob)*', 'gone.txt'];
    for (const name of names) fixture.write(name, 'not staged yet\n');
    fixture.git('--literal-pathspecs', 'add', '-N', ...names);
    fixture.git('update-index', '--skip-worktree', 'src/deep/er/leaf.txt', 'bin/run.sh');
    fixture.git('update-index', '--assume-unchanged', 'readme.md');
    const stood = fixture.git('ls-files', '-v', '--stage', '--debug');
    const state = (): readonly string[] => [fixture.git('ls-files', '-v', '-s'), fixture.git('diff', '--name-only')];
    const before = state();
    const { id } = await capture(fixture);
    fixture.git('rm', '-q', '--cached', 'intended.txt', 'gone.txt');
    rmSync(fixture.path('gone.txt'));
    fixture.git('--literal-pathspecs', 'add', 'deep/:(glob)*');
    fixture.git('update-index', '--no-skip-worktree', 'src/deep/er/leaf.txt');
    expect(state()).not.toEqual(before);
    await operate(fixture, ['rewind', id, '--index'], { alsoChanges: /^(?:index|git index)/ });
    expect(state()).toEqual(before);
    expect(stood.match(/flags: 20004000/g)).toHaveLength(3);
    expect(fixture.git('ls-files', '--debug').match(/flags: 20004000/g)).toHaveLength(3);
  });

  it('with --index brings the staged tree back, and without it does not', async () => {
    const fixture = plainRepository();
    const staged = fixture.git('ls-files', '-s');
    const { id } = await capture(fixture);
    fixture.git('add', '-A');
    fixture.git('commit', '-qm', 'All of it');
    await operate(fixture, ['rewind', id]);
    expect(fixture.git('ls-files', '-s')).not.toBe(staged);
    await operate(fixture, ['rewind', id, '--index'], { alsoChanges: /^(?:index|git index)/ });
    expect(fixture.git('ls-files', '-s')).toBe(staged);
    await operate(fixture, ['undo'], { alsoChanges: /^(?:index|git index)/ });
    expect(fixture.git('ls-files', '-s')).not.toBe(staged);
  });
});

const STOPPED: Readonly<Record<string, () => FixtureRepository>> = {
  merge: mergeConflict,
  rebase: rebaseStop,
  'cherry-pick': cherryPickStop,
  revert: revertStop,
  am: amStop,
  bisect: bisecting,
};

describe('a rewind in the middle of', () => {
  it.each(Object.entries(STOPPED))('a %s leaves its state files alone', async (_, make) => {
    const fixture = make();
    const { id } = await capture(fixture);
    const [tracked = ''] = fixture.git('ls-files').split('\n').slice(-1);
    fixture.write(tracked, 'half resolved\n');
    await operate(fixture, ['rewind', id]);
    expectEqual(fixture, id);
  });

  it('a merge lets it be finished with two parents', async () => {
    const fixture = mergeConflict();
    const { id } = await capture(fixture);
    fixture.write('shared.txt', 'resolved badly\n');
    await operate(fixture, ['rewind', id]);
    fixture.write('shared.txt', 'resolved\n');
    fixture.git('add', '-A');
    fixture.git('commit', '-qm', 'Merged');
    expect(fixture.git('rev-list', '--parents', '-1', 'HEAD').split(' ')).toHaveLength(3);
  });
});
