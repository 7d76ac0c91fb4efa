/** T27 to T30: modes, names, types and emptiness come back exactly, and go again by undo. */
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { diskManifest, plainRepository, tortureRepository, type FixtureRepository } from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { capture } from '../support/acts.js';
import { expectEqual, operate, told, type OperationOutput } from '../support/operations.js';

/** Captures, changes, rewinds, and demands the exact states after rewind, undo and redo. */
async function roundTrip(fixture: FixtureRepository, change: () => void, code = 0): Promise<OperationOutput> {
  const { id } = await capture(fixture);
  change();
  const before = diskManifest(fixture);
  const result = await operate(fixture, ['rewind', id, '--exact'], { code });
  expectEqual(fixture, id);
  await operate(fixture, ['undo']);
  expect(diskManifest(fixture)).toEqual(before);
  await operate(fixture, ['redo'], { code });
  expectEqual(fixture, id);
  return result;
}

describe('modes', () => {
  it('are exact, on files that stay, change and come back, and on directories', async () => {
    const fixture = plainRepository();
    fixture.write('m/0755', 'x\n', 0o755);
    fixture.write('m/0644', 'x\n', 0o644);
    fixture.write('m/0600', 'x\n', 0o600);
    fixture.write('m/0400', 'x\n', 0o400);
    fixture.write('private/key', 'x\n', 0o600);
    chmodSync(fixture.path('private'), 0o700);
    const result = await roundTrip(fixture, () => {
      chmodSync(fixture.path('m/0755'), 0o644);
      chmodSync(fixture.path('m/0644'), 0o600);
      rmSync(fixture.path('m/0600'));
      fixture.write('m/0400', 'other\n', 0o644);
      chmodSync(fixture.path('m/0400'), 0o644);
      rmSync(fixture.path('private'), { recursive: true });
    });
    expect(told(result)).toEqual(
      expect.arrayContaining(['m/0755: mode', 'm/0644: mode', 'm/0600: create', 'm/0400: write']) as unknown,
    );
    expect(fixture.git('status', '--short', 'bin')).toBe('');
  });

  it('are what the snapshot says under any umask', async () => {
    for (const umask of [0o022, 0o077]) {
      const fixture = plainRepository();
      const { id } = await capture(fixture, { umask });
      rmSync(fixture.path('src'), { recursive: true });
      await operate(fixture, ['rewind', id], { umask });
      expectEqual(fixture, id);
    }
  });

  it('leave the times of what does not change', async () => {
    const fixture = plainRepository();
    const { id } = await capture(fixture);
    const { mtimeNs } = statSync(fixture.path('src/two.txt'), { bigint: true });
    fixture.write('src/one.txt', 'changed\n');
    await operate(fixture, ['rewind', id]);
    expect(statSync(fixture.path('src/two.txt'), { bigint: true }).mtimeNs).toBe(mtimeNs);
  });
});

describe('names', () => {
  it('of every kind come back, one by one and all together', async () => {
    const fixture = await tortureRepository();
    try {
      const { id } = await capture(fixture);
      const paths = [...diskManifest(fixture)].filter(([, { type }]) => type !== 'directory').map(([path]) => path);
      const names = Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
      for (const path of paths) rmSync(bytes(fixture, path));
      const result = await operate(fixture, ['restore', id, '--paths0', '-'], { input: names });
      expect(result.files.filter(({ action }) => action === 'write')).toHaveLength(paths.length);
      expectEqual(fixture, id);
    } finally {
      fixture.close();
    }
  });
});

function bytes({ root }: FixtureRepository, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
}

describe('types and places', () => {
  it('change between file, directory and link, and back', async () => {
    const fixture = plainRepository();
    await roundTrip(fixture, () => {
      rmSync(fixture.path('readme.md'));
      fixture.write('readme.md/now a directory.txt', 'x\n');
      rmSync(fixture.path('src/deep'), { recursive: true });
      fixture.write('src/deep', 'now a file\n');
      rmSync(fixture.path('bin'), { recursive: true });
      symlinkSync('src', fixture.path('bin'));
      rmSync(fixture.path('link'));
      fixture.write('link', 'now a file\n');
    });
    expect(lstatSync(fixture.path('link')).isSymbolicLink()).toBe(true);
  });

  it('are right after a swap, a chain of renames, and one in case only', async () => {
    const fixture = plainRepository();
    await roundTrip(fixture, () => {
      const move = (from: string, to: string): void => renameSync(fixture.path(from), fixture.path(to));
      move('src/one.txt', 'swap');
      move('src/two.txt', 'src/one.txt');
      move('swap', 'src/two.txt');
      move('new file.txt', 'chained');
      move('src/four.txt', 'new file.txt');
      move('readme.md', 'README.md');
    });
  });
});

describe('emptiness', () => {
  it('has four answers: removed again, filled again, created again, and a directory gone again', async () => {
    const fixture = plainRepository();
    const result = await roundTrip(fixture, () => {
      fixture.write('born empty.txt', '');
      truncateSync(fixture.path('src/two.txt'));
      rmSync(fixture.path('empty.txt'));
      mkdirSync(fixture.path('fresh/empty'), { recursive: true });
      rmSync(fixture.path('void'), { recursive: true });
    });
    expect(told(result)).toEqual(
      expect.arrayContaining([
        'born empty.txt: delete',
        'src/two.txt: write',
        'empty.txt: create',
        'fresh/empty: delete',
        'void/inner: create',
      ]) as unknown,
    );
  });
});
