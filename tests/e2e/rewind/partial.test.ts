/** T66: only what was asked for: some paths, files alone, context alone, elsewhere, with git; a safety snapshot each time. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { commitSomeFiles, observe, differences, plainRepository, unbornRepository } from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { capture, expectError, run } from '../support/acts.js';
import { commitOf, expectEqual, operate, told } from '../support/operations.js';

describe('a rewind of', () => {
  it('some paths touches nothing else', async () => {
    const fixture = plainRepository();
    const { id } = await capture(fixture);
    fixture.write('src/one.txt', 'changed\n');
    fixture.write('src/deep/er/leaf.txt', 'changed\n');
    fixture.write('readme.md', 'changed\n');
    const result = await operate(fixture, ['rewind', id, 'src/deep', '--', 'readme.md']);
    expect(told(result)).toEqual(['readme.md: write', 'src/deep/er/leaf.txt: write']);
    expect(commitOf(fixture, result.safety)).toBeTruthy();
    expectEqual(fixture, id, ['src/one.txt']);
  });

  it('a path from a folder below means that folder, with ./', async () => {
    const fixture = plainRepository();
    const { id } = await capture(fixture);
    fixture.write('src/one.txt', 'changed\n');
    fixture.write('readme.md', 'changed\n');
    const result = await operate(fixture, ['rewind', id, './one.txt', '../readme.md'], { cwd: fixture.path('src') });
    expect(told(result)).toEqual(['readme.md: write', 'src/one.txt: write']);
  });

  it('the context alone touches no file, and of the files alone says so', async () => {
    const fixture = plainRepository();
    const { id } = await capture(fixture);
    fixture.write('src/one.txt', 'changed\n');
    const context = await operate(fixture, ['rewind', id, '--context']);
    expect(context.files).toEqual([]);
    expect(readFileSync(fixture.path('src/one.txt'), 'utf8')).toBe('changed\n');
    await operate(fixture, ['rewind', id, '--files']);
    expectEqual(fixture, id);
  });
});

describe('restore', () => {
  it('without paths merges context: no file changes', async () => {
    const fixture = plainRepository();
    const { id } = await capture(fixture);
    fixture.write('src/one.txt', 'changed\n');
    const result = await operate(fixture, ['restore', id]);
    expect(result.files).toEqual([]);
    expect(result.safety).toBeDefined();
  });

  it('of paths of a file that went and of a directory brings exactly these back', async () => {
    const fixture = plainRepository();
    const { id } = await capture(fixture);
    rmSync(fixture.path('src'), { recursive: true });
    rmSync(fixture.path('readme.md'));
    await operate(fixture, ['restore', id, 'readme.md']);
    expectEqual(fixture, id, ['src']);
    await operate(fixture, ['restore', id, 'src/deep']);
    expectEqual(fixture, id, ['src/one.txt', 'src/two.txt', 'src/four.txt']);
    await operate(fixture, ['restore', id, '--slice', 'worktree']);
    expectEqual(fixture, id);
  });

  it('of a slice and a path is about that path only', async () => {
    const fixture = plainRepository();
    const { id } = await capture(fixture);
    fixture.write('src/one.txt', 'changed\n');
    fixture.write('readme.md', 'changed\n');
    const result = await operate(fixture, ['restore', id, 'readme.md', '--slice', 'worktree']);
    expect(told(result)).toEqual(['readme.md: write']);
  });

  it('--hunk takes single changes of a file back, by the numbers that diff shows; undo and redo follow', async () => {
    const fixture = plainRepository();
    const lines = Array.from({ length: 40 }, (_, at) => `line ${String(at)}\r`);
    const text = (changed: Readonly<Record<number, string>>): string =>
      `\ufeff${lines.map((line, at) => changed[at] ?? line).join('\n')}`;
    fixture.write('src/one.txt', text({}), 0o640);
    const { id } = await capture(fixture);
    const now = text({ 2: 'two', 20: 'twenty\nand more', 39: 'the end' });
    fixture.write('src/one.txt', now, 0o600);
    fixture.write('readme.md', 'changed\n');
    const shown = await run(fixture, ['diff', id, '--', 'src/one.txt']);
    expect(shown.stdout.match(/^@@ .* hunk \d$/gm)).toHaveLength(3);
    const planned = await operate(fixture, ['restore', id, 'src/one.txt', '--hunk', '2', '--dry-run']);
    const result = await operate(fixture, ['restore', id, 'src/one.txt', '--hunk', '2', '--plan', planned.plan]);
    expect(told(result)).toEqual(['src/one.txt: write']);
    const half = text({ 2: 'two', 39: 'the end' });
    expect(readFileSync(fixture.path('src/one.txt'), 'utf8')).toBe(half);
    expect(statSync(fixture.path('src/one.txt')).mode & 0o777).toBe(0o600);
    await operate(fixture, ['undo']);
    expect(readFileSync(fixture.path('src/one.txt'), 'utf8')).toBe(now);
    await operate(fixture, ['redo']);
    expect(readFileSync(fixture.path('src/one.txt'), 'utf8')).toBe(half);
    await operate(fixture, ['restore', id, 'src/one.txt', '--hunk', '1,2']);
    expect(readFileSync(fixture.path('src/one.txt'), 'utf8')).toBe(text({}));
    expect(statSync(fixture.path('src/one.txt')).mode & 0o777).toBe(0o600);
  });

  it('--hunk refuses what it cannot count, and a redo in another content than it was counted in', async () => {
    const fixture = plainRepository();
    const { id } = await capture(fixture);
    fixture.write('src/one.txt', 'changed\n');
    fixture.write('build/out.bin', 'ignored\n');
    const usage = { exit: 2, code: 'argument_malformed' };
    for (const words of [
      ['src/one.txt', '--hunk', '2'],
      ['src/one.txt', '--hunk', '0'],
      ['src/one.txt', 'readme.md', '--hunk', '1'],
      ['src/two.txt', '--hunk', '1'],
      ['build/out.bin', '--hunk', '1'],
      ['--hunk', '1'],
      ['src/one.txt', '--hunk', '1', '--slice', 'worktree'],
    ])
      await expectError(fixture, ['--yes', 'restore', id, ...words], usage);
    await operate(fixture, ['restore', id, 'src/one.txt', '--hunk', '1']);
    await operate(fixture, ['undo']);
    fixture.write('src/one.txt', 'changed again\n');
    await expectError(fixture, ['--yes', 'redo'], { exit: 13, code: 'worktree_changed' });
    expect(readFileSync(fixture.path('src/one.txt'), 'utf8')).toBe('changed again\n');
  });

  it('--slice index brings back what was staged and no file', async () => {
    const fixture = plainRepository();
    const staged = fixture.git('ls-files', '-s');
    const { id } = await capture(fixture);
    fixture.git('add', '-A');
    const result = await operate(fixture, ['restore', id, '--slice', 'index'], { alsoChanges: /^(?:index|git index)/ });
    expect(result.files).toEqual([]);
    expect(fixture.git('ls-files', '-s')).toBe(staged);
  });

  it('--to writes elsewhere, and only into an empty place', async () => {
    const fixture = plainRepository();
    const { id } = await capture(fixture);
    fixture.write('src/one.txt', 'changed\n');
    const to = join(fixture.base, 'elsewhere');
    await operate(fixture, ['restore', id, 'src', '--to', to]);
    expect(readFileSync(join(to, 'src/one.txt'), 'utf8')).toBe('worktree version\n');
    expect(existsSync(join(to, 'readme.md'))).toBe(false);
    const all = join(fixture.base, 'all of it');
    mkdirSync(all);
    await operate(fixture, ['restore', id, '--to', all]);
    for (const name of ['readme.md', 'src/deep/er/leaf.txt', 'void/inner'])
      expect(existsSync(join(all, name))).toBe(true);
    expect(existsSync(join(all, 'debug.log'))).toBe(false);
    symlinkSync(fixture.path('.git'), join(fixture.base, 'way'));
    rmSync(fixture.path('.git/hooks'), { recursive: true, force: true });
    mkdirSync(fixture.path('.git/hooks'));
    for (const wrong of [all, fixture.beside, fixture.path('.git/hooks'), join(fixture.base, 'way/new/one')])
      await expectError(fixture, ['restore', id, '--to', wrong], { exit: 17, code: 'directory_unusable' });
    expect(existsSync(fixture.path('.git/new'))).toBe(false);
  });

  it('--git checks the anchored commit out, and refuses where anything is not committed', async () => {
    const fixture = unbornRepository();
    commitSomeFiles(fixture);
    const { id } = await capture(fixture);
    const commit = fixture.git('rev-parse', 'HEAD');
    fixture.git('checkout', '-q', '-b', 'later');
    fixture.write('later.txt', 'later\n');
    fixture.git('add', '-A');
    fixture.git('commit', '-qm', 'Later');
    fixture.write('src/one.txt', 'not committed\n');
    await expectError(fixture, ['--yes', 'restore', id, '--git'], { exit: 17, code: 'worktree_dirty' });
    fixture.git('checkout', '-q', '--', '.');
    const later = fixture.git('rev-parse', 'later');
    const answer = await run(fixture, ['--json', '--yes', 'restore', id, '--git']);
    expect(answer.code, answer.stderr).toBe(0);
    expect(fixture.git('rev-parse', 'HEAD')).toBe(commit);
    expect(fixture.git('rev-parse', 'later')).toBe(later);
    expect(fixture.git('status', '--short')).toBe('');
    expectEqual(fixture, id);
  });

  it('never takes a value of a snapshot or of the command line for an option of git', async () => {
    const fixture = plainRepository();
    await capture(fixture);
    const before = observe(fixture);
    for (const word of ['--upload-pack=touch x', '-f', '--orphan', 'commit:--exec=x', 'tag:-f']) {
      const answer = await run(fixture, ['--yes', '--json', 'restore', '--git', '--', word]);
      expect(answer.code).not.toBe(0);
    }
    expect(differences(before, observe(fixture))).toEqual([]);
  });
});
