/** T12: a disk that is full, as the place of the files and as that of the store: refused before the first write, and nothing is torn. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { diskManifest, emptyFixture, fixtureAt, pseudoRandom, type FixtureRepository } from '@savepoint/testkit';
import { expect, it, type TestContext } from 'vitest';
import { capture, expectError, verify } from '../support/acts.js';
import { expectEqual, operate } from '../support/operations.js';

const MEGABYTE = 1 << 20;

/** Has the files, or git's directory, on a disk of some megabytes. */
async function onSmallDisk(
  { skip }: TestContext,
  part: 'files' | 'store',
  work: (fixture: FixtureRepository) => Promise<void>,
): Promise<void> {
  const outer = emptyFixture();
  const disk = join(outer.base, 'small');
  mkdirSync(disk);
  if (process.platform !== 'linux' || process.getuid?.() !== 0) skip('only root can mount a small file system');
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]);
  if (status !== 0) skip('no small file system can be mounted');
  const large = join(outer.base, 'large');
  mkdirSync(large);
  const [root, git] =
    part === 'files' ? [join(disk, 'repo'), join(large, 'git')] : [join(large, 'repo'), join(disk, 'git')];
  try {
    const fixture = fixtureAt(outer.base, root);
    mkdirSync(root);
    fixture.git('init', '-q', '-b', 'main', '--separate-git-dir', git);
    await work(fixture);
  } finally {
    spawnSync('umount', ['-l', disk]);
  }
}

it('of the files: the space is looked at before the first write, and what fits again is done', async (context) => {
  await onSmallDisk(context, 'files', async (fixture) => {
    fixture.write('big.bin', pseudoRandom(3, 2 * MEGABYTE));
    fixture.write('a.txt', 'then\n');
    const { id } = await capture(fixture);
    rmSync(fixture.path('big.bin'));
    fixture.write('a.txt', 'now\n');
    fixture.write('filler.bin', pseudoRandom(4, 3 * MEGABYTE));
    await capture(fixture);
    const before = diskManifest(fixture);
    for (const args of [
      ['rewind', id],
      ['restore', id, 'big.bin', 'a.txt'],
    ]) {
      await expectError(fixture, ['--yes', ...args], { exit: 17, code: 'worktree_full' });
      expect(diskManifest(fixture)).toEqual(before);
    }
    rmSync(fixture.path('filler.bin'));
    await operate(fixture, ['rewind', id]);
    expectEqual(fixture, id);
    await verify(fixture);
  });
});

it('of the store: without a safety snapshot nothing is changed, and earlier snapshots are whole', async (context) => {
  await onSmallDisk(context, 'store', async (fixture) => {
    fixture.write('a.txt', 'then\n');
    const { id } = await capture(fixture);
    fixture.write('a.txt', 'now\n');
    fixture.write('new.bin', pseudoRandom(5, 5 * MEGABYTE));
    const before = diskManifest(fixture);
    await expectError(fixture, ['--yes', 'rewind', id], { exit: 17, code: 'disk_full' });
    expect(diskManifest(fixture)).toEqual(before);
    await verify(fixture);
    rmSync(fixture.path('new.bin'));
    await operate(fixture, ['rewind', id]);
    expectEqual(fixture, id);
    await operate(fixture, ['undo']);
    await verify(fixture);
  });
});
