/** T27, T29, T30: modes, type changes, renames, and the four kinds of emptiness are different answers. */
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { plainRepository, unbornRepository, type FixtureRepository } from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { act, capture, expectExact } from './support/acts.js';

interface Changes {
  readonly files: Readonly<Record<string, string>>;
  readonly directories: Readonly<Record<string, string>>;
}

async function changes(fixture: FixtureRepository, ...ends: readonly string[]): Promise<Changes> {
  const { files, directories } = (await act(fixture, ['--json', 'diff', ...ends])).json();
  const byPath = (list: typeof files): Record<string, string> =>
    Object.fromEntries(list.map(({ path, change }) => [path, change]));
  return { files: byPath(files), directories: byPath(directories) };
}

/** Captures, changes, and demands the same answer from the worktree and from the next snapshot. */
async function changesAfter(fixture: FixtureRepository, change: () => void): Promise<Changes> {
  const { id } = await capture(fixture);
  change();
  const live = await changes(fixture, id);
  const { id: next } = await capture(fixture);
  expectExact(fixture);
  expect(await changes(fixture, id, next)).toEqual(live);
  return live;
}

describe('emptiness', () => {
  it('has four different answers: new empty, emptied, removed, and a directory that became empty', async () => {
    const fixture = plainRepository();
    const answer = await changesAfter(fixture, () => {
      fixture.write('born empty.txt', '');
      truncateSync(fixture.path('src/two.txt'));
      rmSync(fixture.path('new file.txt'));
      rmSync(fixture.path('src/deep/er/leaf.txt'));
    });
    expect(answer.files).toEqual({
      'born empty.txt': 'added',
      'src/two.txt': 'modified',
      'new file.txt': 'removed',
      'src/deep/er/leaf.txt': 'removed',
    });
  });

  it('of directories is seen when nothing else changes', async () => {
    const fixture = plainRepository();
    const answer = await changesAfter(fixture, () => {
      mkdirSync(fixture.path('fresh/empty'), { recursive: true });
      rmSync(fixture.path('void/inner'), { recursive: true });
    });
    expect(answer.files).toEqual({});
    expect(answer.directories).toMatchObject({ 'fresh/empty': 'added', 'void/inner': 'removed' });
  });

  it('of a whole worktree is the empty tree', async () => {
    const fixture = unbornRepository();
    const { slices } = await capture(fixture, { args: ['-m', 'nothing here'] });
    const worktree = slices.find(({ name }) => name === 'worktree');
    expect(worktree?.digest).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904');
    expectExact(fixture);
    fixture.write('a.txt', 'a\n');
    await capture(fixture);
    expectExact(fixture);
    rmSync(fixture.path('a.txt'));
    await capture(fixture);
    expectExact(fixture);
  });
});

describe('modes', () => {
  it('that git does not see are changes of their own', async () => {
    const fixture = plainRepository();
    const answer = await changesAfter(fixture, () => {
      chmodSync(fixture.path('readme.md'), 0o600);
      chmodSync(fixture.path('src/one.txt'), 0o400);
      chmodSync(fixture.path('bin/run.sh'), 0o700);
      chmodSync(fixture.path('src/four.txt'), 0o755);
      chmodSync(fixture.path('src/deep'), 0o700);
    });
    expect(answer.files).toEqual({
      'readme.md': 'mode',
      'src/one.txt': 'mode',
      'bin/run.sh': 'mode',
      'src/four.txt': 'mode',
    });
    expect(answer.directories).toEqual({ 'src/deep': 'mode' });
  });

  it('are exact under core.fileMode=false', async () => {
    const fixture = plainRepository();
    fixture.git('config', 'core.fileMode', 'false');
    await capture(fixture);
    expectExact(fixture);
    chmodSync(fixture.path('readme.md'), 0o755);
    expect(await capture(fixture)).toMatchObject({ unchanged: false });
    expectExact(fixture);
  });
});

describe('types and names', () => {
  it('change between file, directory and link', async () => {
    const fixture = plainRepository();
    const answer = await changesAfter(fixture, () => {
      rmSync(fixture.path('readme.md'));
      fixture.write('readme.md/now a directory.txt', 'x\n');
      rmSync(fixture.path('notes'), { recursive: true });
      fixture.write('notes', 'now a file\n');
      rmSync(fixture.path('src/deep'), { recursive: true });
      symlinkSync('../bin', fixture.path('src/deep'));
      rmSync(fixture.path('link'));
      fixture.write('link', 'now a file\n');
    });
    expect(answer.files).toMatchObject({
      'readme.md/now a directory.txt': 'added',
      notes: 'added',
      'src/deep': 'added',
      link: 'type',
    });
  });

  it('are exact after a swap, a chain of renames, and a rename in case only', async () => {
    const fixture = plainRepository();
    const answer = await changesAfter(fixture, () => {
      const move = (from: string, to: string): void => renameSync(fixture.path(from), fixture.path(to));
      move('src/one.txt', 'swap');
      move('src/two.txt', 'src/one.txt');
      move('swap', 'src/two.txt');
      move('new file.txt', 'chained');
      move('src/four.txt', 'new file.txt');
      move('readme.md', 'README.md');
    });
    expect(answer.files).toMatchObject({ 'readme.md': 'removed', 'README.md': 'added', chained: 'added' });
  });
});
