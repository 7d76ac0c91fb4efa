/** T23: nothing that git's own clean-up does loses a snapshot. */
import { join } from 'node:path';
import { auditStore, fixtureAt, linkedWorktree, plainRepository, storedSnapshots } from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { capture, expectExact, run, verify } from './support/acts.js';

describe('git clean-up', () => {
  it('of every kind leaves 50 snapshots valid to the last byte', async () => {
    const fixture = plainRepository();
    for (let round = 1; round <= 50; round += 1) {
      fixture.write('src/one.txt', `version ${String(round)}\n`);
      fixture.write(`untracked/${String(round)}.txt`, `only in snapshots from ${String(round)} on\n`);
      if (round % 10 === 0) fixture.git('add', '-A');
      const answer = await run(fixture, ['--json', 'capture', '-m', `round ${String(round)}`]);
      expect(answer.code, answer.stderr).toBe(0);
      if (round === 25) fixture.git('gc', '-q', '--prune=now');
    }
    fixture.git('reflog', 'expire', '--all', '--expire=now', '--expire-unreachable=now');
    fixture.git('repack', '-a', '-d', '-q');
    fixture.git('worktree', 'prune', '--expire=now');
    fixture.git('gc', '-q', '--prune=now', '--aggressive');
    fixture.git('prune', '--expire=now');
    const { results } = await verify(fixture);
    expect(results.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 50 }, () => 'valid'));
    expect(auditStore(fixture)).toEqual([]);
    expectExact(fixture);
    fixture.write('src/one.txt', 'after the clean-up\n');
    await capture(fixture);
    expectExact(fixture);
    expect(storedSnapshots(fixture)).toHaveLength(51);
  });

  it('right after a capture takes nothing that the next capture builds on', async () => {
    const fixture = plainRepository();
    for (let round = 0; round < 5; round += 1) {
      fixture.write('new file.txt', `version ${String(round)}\n`);
      fixture.write(`more/${String(round)}.txt`, `${String(round)}\n`);
      await capture(fixture);
      expectExact(fixture);
      fixture.git('gc', '-q', '--prune=now');
      // What was staged and is so no longer is reached by the snapshot only.
      fixture.git('reset', '-q');
      fixture.git('gc', '-q', '--prune=now');
    }
    await verify(fixture);
  });

  it('after the folder of a linked worktree was deleted keeps its snapshots listed', async () => {
    const linked = linkedWorktree();
    const { id } = await capture(linked, { args: ['-m', 'of the linked worktree'] });
    const main = fixtureAt(linked.base, join(linked.base, 'Arbeit & Spiel/repo'));
    main.git('worktree', 'remove', '--force', linked.root);
    main.git('worktree', 'prune', '--expire=now');
    main.git('gc', '-q', '--prune=now');
    const { snapshots } = (await run(main, ['--json', 'list', '--all'])).json();
    expect(snapshots.map((snapshot) => snapshot.id)).toEqual([id]);
    await verify(main);
  });
});
