/** T38: unusual repositories either work or are refused once and clearly; nothing is fetched unasked. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  giveTo,
  linkedWorktree,
  partialClone,
  plainRepository,
  shallow,
  storedSnapshots,
  fixtureAt,
} from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { act, capture, expectError, expectExact, NOBODY, noOtherUser, run, verify } from './support/acts.js';

describe('a partial clone', () => {
  it('is captured and read without a fetch', async () => {
    const fixture = partialClone();
    const mark = join(fixture.base, 'fetched');
    fixture.git('config', 'protocol.ext.allow', 'always');
    fixture.git('config', 'remote.origin.url', `ext::touch ${mark.replaceAll(' ', '% ')}`);
    await capture(fixture);
    expectExact(fixture);
    fixture.git('rm', '-q', '--cached', 'readme.md');
    await capture(fixture, { args: ['-m', 'second'] });
    for (const args of [
      ['diff', 'seq:1', 'seq:2'],
      ['verify', '--all', '--deep'],
      ['show', '--files'],
      ['diff', 'head'],
    ]) {
      const answer = await act(fixture, args);
      expect(answer.code, `${args.join(' ')}: ${answer.stderr}`).toBe(0);
    }
    expect(existsSync(mark)).toBe(false);
  });
});

describe('a shallow clone', () => {
  it('can be deepened afterwards', async () => {
    const fixture = shallow();
    await capture(fixture);
    fixture.git('fetch', '-q', '--unshallow');
    await verify(fixture);
    await capture(fixture);
    expectExact(fixture);
  });
});

describe('linked worktrees', () => {
  it('have timelines of their own in one store', async () => {
    const linked = linkedWorktree();
    const main = fixtureAt(linked.base, join(linked.base, 'Arbeit & Spiel/repo'));
    const mine = await capture(linked, { args: ['-m', 'linked'] });
    const theirs = await capture(main, { args: ['-m', 'main'] });
    expect(mine.timeline).not.toBe(theirs.timeline);
    expect(mine.anchor.branch).toBe('side');
    const listed = async (place: typeof main, ...args: readonly string[]): Promise<unknown> =>
      (await act(place, ['--json', 'list', ...args])).json().snapshots.map(({ message }) => message);
    expect(await listed(linked)).toEqual(['linked']);
    expect(await listed(main)).toEqual(['main']);
    expect(await listed(main, '--all')).toEqual(['main', 'linked']);
    expect((await verify(main)).results).toHaveLength(2);
  });

  it('keep apart when one is removed and another takes its name', async () => {
    const first = linkedWorktree();
    const main = fixtureAt(first.base, join(first.base, 'Arbeit & Spiel/repo'));
    const before = await capture(first, { args: ['-m', 'first of that name'] });
    main.git('worktree', 'remove', '--force', first.root);
    main.git('worktree', 'add', '-q', first.root, 'other');
    const after = await capture(first, { args: ['-m', 'second of that name'] });
    expect(after.timeline).not.toBe(before.timeline);
    expect(after.sequence).toBe(1);
    expect(storedSnapshots(main)).toHaveLength(2);
  });

  it('that moved are the same worktree', async () => {
    const linked = linkedWorktree();
    const { timeline } = await capture(linked, { args: ['-m', 'before'] });
    const moved = fixtureAt(linked.base, join(linked.base, 'moved'));
    linked.run({ cwd: join(linked.base, 'Arbeit & Spiel/repo'), args: ['worktree', 'move', linked.root, moved.root] });
    expect(await capture(moved, { args: ['-m', 'after'] })).toMatchObject({ timeline, sequence: 2 });
  });
});

describe('a clone', () => {
  it('of a repository is a store of its own', async () => {
    const fixture = plainRepository();
    await capture(fixture);
    const clone = fixtureAt(fixture.base, join(fixture.base, 'clone'));
    fixture.run({ cwd: fixture.base, args: ['clone', '-q', fixture.root, clone.root] });
    await capture(clone);
    expectExact(clone);
    await verify(clone);
    expect(storedSnapshots(clone)).toHaveLength(1);
  });
});

describe('a repository of another user', () => {
  it.skipIf(noOtherUser() !== undefined)('is refused as git refuses it, with the way out', async () => {
    const fixture = plainRepository();
    giveTo(fixture.root, NOBODY);
    await expectError(fixture, ['capture'], { exit: 17, code: 'repository_refused' });
    fixture.run({ args: ['config', '--global', 'safe.directory', fixture.root] });
    expect((await run(fixture, ['capture'])).code).toBe(0);
  });
});

describe('a user whom the system has no name for, as in a container', () => {
  it.skipIf(noOtherUser() !== undefined)('captures and rewinds as anybody', async () => {
    const fixture = plainRepository();
    const uid = 54_321;
    giveTo(fixture.base, uid);
    const { id } = (await run(fixture, ['--json', 'capture'], { uid })).json();
    fixture.write('src/two.txt', 'changed\n');
    giveTo(fixture.base, uid);
    const answer = await run(fixture, ['rewind', id, '--yes'], { uid });
    expect(answer.code, answer.stderr).toBe(0);
  });
});

describe('the caches of the program', () => {
  it('can all be lost: the next capture is exact', async () => {
    const fixture = plainRepository();
    const first = await capture(fixture);
    rmSync(fixture.path('.git/savepoint/scan'), { recursive: true, force: true });
    fixture.write('src/two.txt', 'changed while the caches were lost\n');
    expect(await capture(fixture)).toMatchObject({ parents: [first.id], sequence: 2 });
    expectExact(fixture);
    await verify(fixture);
  });
});
