/** T18, T19, T20, T63: hostile environments, hooks, sparse cones, foreign repositories inside, subdirectories. */
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cleanEnvironment,
  differences,
  fixtureAt,
  fsmonitor,
  hostileVariables,
  NESTED_PATHS,
  nestedRepositories,
  observe,
  plainRepository,
  PROGRAM,
  removeFromCone,
  sparse,
  sparseIndex,
  storedSnapshots,
  submodules,
  type FixtureRepository,
} from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { act, capture, expectExact, headCommit, run, verify } from './support/acts.js';

describe('a hostile environment', () => {
  it('does not lead the program into another repository', async () => {
    const victim = plainRepository();
    const fixture = plainRepository();
    const before = observe(victim);
    const env = hostileVariables(victim.root);
    const { id } = await capture(fixture, { args: ['-m', 'mine'], env });
    expectExact(fixture);
    for (const args of [
      ['list'],
      ['show', id],
      ['diff', id],
      ['verify', '--all', '--deep'],
      ['status'],
      ['at', 'now'],
    ]) {
      const answer = await act(fixture, ['--json', ...args], { env });
      expect(answer.code, `${args.join(' ')}: ${answer.stderr}`).toBe(0);
    }
    expect(differences(before, observe(victim))).toEqual([]);
    expect(existsSync(victim.path('.git/savepoint'))).toBe(false);
    expect(victim.git('for-each-ref', 'refs/savepoint')).toBe('');
  });

  it.each([0o022, 0o077, 0o000])('with umask %o gives the same snapshot and a private key', async (umask) => {
    const fixture = plainRepository();
    await capture(fixture, { umask });
    expectExact(fixture);
    const keys = join(fixture.home, '.config/savepoint/keys');
    expect(statSync(keys).mode & 0o077).toBe(0);
    await verify(fixture);
  });

  it('of other programs neither starts a monitor nor a signer nor a pager', async () => {
    const fixture = fsmonitor();
    const mark = join(fixture.base, 'ran');
    for (const key of [
      'gpg.program',
      'core.pager',
      'core.editor',
      'diff.external',
      'core.sshCommand',
      'core.askPass',
    ]) {
      fixture.git('config', key, `touch '${mark}' #`);
    }
    fixture.git('config', 'commit.gpgSign', 'true');
    fixture.git('config', 'tag.gpgSign', 'true');
    fixture.git('config', 'log.showSignature', 'true');
    fixture.write('.git/hooks/reference-transaction', `#!/bin/sh\ntouch '${mark}'\n`, 0o755);
    const monitor = join(fixture.root, '../monitor-ran');
    rmSync(monitor, { force: true });
    await capture(fixture);
    await act(fixture, ['verify', '--all', '--deep']);
    await act(fixture, ['diff', 'head']);
    expect({ mark: existsSync(mark), monitor: existsSync(monitor) }).toEqual({ mark: false, monitor: false });
    expectExact(fixture);
  });
});

describe('from within a hook of git', () => {
  function withHook(name: string): FixtureRepository {
    const fixture = plainRepository();
    const hook = `#!/bin/sh\n'${process.execPath}' '${PROGRAM}' capture -m "from ${name}" >>'${fixture.base}/log' 2>&1 || echo failed >>'${fixture.base}/log'\n`;
    fixture.write(`.git/hooks/${name}`, hook, 0o755);
    return fixture;
  }

  it.each(['pre-commit', 'post-commit', 'prepare-commit-msg'])(
    '%s, the right repository and its real index are captured',
    async (name) => {
      const fixture = withHook(name);
      const env = cleanEnvironment(fixture.home);
      fixture.run({ args: ['commit', '-q', '-m', 'with a hook'], env });
      // A partial commit hands the hook a temporary index.
      fixture.write('src/four.txt', 'four, changed\n');
      fixture.run({ args: ['commit', '-q', '-m', 'only one path', '--', 'src/four.txt'], env });
      const messages = storedSnapshots(fixture).map(({ body }) => body.message);
      expect(messages).toEqual([`from ${name}`, `from ${name}`]);
      expectExact(fixture);
      await verify(fixture);
      expect(fixture.git('status', '--porcelain', '--', 'src/four.txt')).toBe('');
    },
  );

  it('in a linked worktree, its own timeline is used', async () => {
    const fixture = withHook('post-commit');
    const linked = fixtureAt(fixture.base, join(fixture.base, 'linked'));
    fixture.git('worktree', 'add', '-q', '-b', 'side', linked.root);
    const { timeline } = await capture(fixture);
    linked.write('mine.txt', 'mine\n');
    linked.git('add', '-A');
    linked.run({ args: ['commit', '-qm', 'in the linked worktree'], env: cleanEnvironment(fixture.home) });
    const hooked = storedSnapshots(fixture).find(({ body }) => body.message === 'from post-commit');
    expect(hooked?.timeline).toBeTruthy();
    expect(hooked?.timeline).not.toBe(timeline);
    expectExact(linked, hooked?.commit);
  });

  it('or a rebase with --exec, every step is captured and the rebase ends as it would have', async () => {
    const fixture = plainRepository();
    fixture.git('reset', '-q', '--hard');
    const exec = `'${process.execPath}' '${PROGRAM}' capture -m step`;
    const env = cleanEnvironment(fixture.home);
    const tree = fixture.git('rev-parse', 'HEAD^{tree}');
    fixture.run({ args: ['rebase', '-q', '--force-rebase', '--exec', exec, 'HEAD~2'], env });
    expect(fixture.git('rev-parse', 'HEAD^{tree}')).toBe(tree);
    expect(storedSnapshots(fixture).map(({ body }) => body.message)).toEqual(['step', 'step']);
    await verify(fixture);
  });
});

describe.each([
  ['a sparse checkout', sparse],
  ['a sparse index', sparseIndex],
] as const)('in %s', (_, make) => {
  it('one edit is one change, and what is not there is no deletion', async () => {
    const fixture = make();
    const first = await capture(fixture);
    expect(first).toMatchObject({ complete: true, omitted: [] });
    expectExact(fixture);
    fixture.write('d042/f420.txt', 'edited\n');
    const changes = async (...ends: readonly string[]): Promise<unknown> =>
      (await act(fixture, ['--json', 'diff', ...ends])).json().files.map(({ path, change }) => ({ path, change }));
    expect(await changes('head')).toEqual([{ path: 'd042/f420.txt', change: 'modified' }]);
    removeFromCone(fixture);
    await capture(fixture);
    expectExact(fixture);
    expect(await changes('seq:1', 'seq:2')).toEqual([
      { path: 'd042/f420.txt', change: 'modified' },
      { path: 'd042/f421.txt', change: 'removed' },
    ]);
    expect(fixture.git('sparse-checkout', 'list')).toBe('d042');
    await verify(fixture);
  });

  it('paths outside the cone are a boundary, never evidence of absence', async () => {
    const fixture = make();
    const { boundaries } = await capture(fixture);
    const outside = boundaries.filter(({ kind }) => kind === 'sparse').map(({ path }) => path.replace(/\/$/, ''));
    const covered = (path: string): boolean => outside.some((edge) => path === edge || path.startsWith(`${edge}/`));
    const tracked = fixture.git('ls-tree', '-r', '--name-only', 'HEAD').split('\n');
    expect(tracked.filter((path) => !covered(path)).every((path) => path.startsWith('d042/'))).toBe(true);
    expect(covered('d042/f420.txt')).toBe(false);
  });
});

describe('repositories inside', () => {
  it('are boundaries: what happens in them is no change of the outer one', async () => {
    const fixture = nestedRepositories();
    const first = await capture(fixture);
    expect(first.boundaries.map(({ path }) => path)).toEqual([...NESTED_PATHS].sort());
    fixture.write('inner/dirty/inner.txt', 'changed again\n');
    fixture.write('inner/unborn/second.txt', 'more\n');
    fixture.run({ cwd: fixture.path('inner/born'), args: ['commit', '-q', '--allow-empty', '-m', 'more'] });
    expect(await capture(fixture)).toMatchObject({ id: first.id, unchanged: true });
    expect((await act(fixture, ['--json', 'diff', 'head'])).json().files).toEqual([]);
    fixture.write('inner/of the outer.txt', 'outer\n');
    await capture(fixture);
    expectExact(fixture);
  });

  it('can be captured themselves, each in its own store', async () => {
    const fixture = nestedRepositories();
    await capture(fixture);
    const inner = fixtureAt(fixture.base, fixture.path('inner/unborn'));
    const answer = await run(inner, ['--json', 'capture']);
    expect(answer.code, answer.stderr).toBe(0);
    expectExact(inner);
    expect(storedSnapshots(fixture)).toHaveLength(1);
  });

  it('as submodules stay boundaries when they move, appear or go', async () => {
    const fixture = submodules();
    const kinds = async (): Promise<unknown> =>
      (await capture(fixture, { args: ['-m', 'look'] })).boundaries.map(({ path, kind }) => `${kind} ${path}`);
    expect(await kinds()).toEqual(['absent', 'clean', 'dirty'].map((name) => `submodule modules/${name}`));
    fixture.git('mv', 'modules/clean', 'moved');
    expect(await kinds()).toEqual(['submodule modules/absent', 'submodule modules/dirty', 'submodule moved']);
    expectExact(fixture);
    fixture.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init', 'modules/absent');
    expect(await kinds()).toEqual(['submodule modules/absent', 'submodule modules/dirty', 'submodule moved']);
    rmSync(fixture.path('modules/dirty'), { recursive: true });
    await kinds();
    expectExact(fixture);
  });

  it('made after a snapshot where files were are no deletion of these files', async () => {
    const fixture = plainRepository();
    await capture(fixture);
    fixture.run({ cwd: fixture.path('src'), args: ['init', '-q'] });
    const { boundaries } = await capture(fixture, { args: ['-m', 'with a repository in src'] });
    // Tracked files stay files of the outer repository, as they do for git; the inner git directory is not entered.
    expect(boundaries.map(({ kind }) => kind)).toEqual(['repository']);
    expect(boundaries[0]?.path).toMatch(/^src(?:\/\.git)?\/?$/);
    const { files } = (await act(fixture, ['--json', 'diff', 'seq:1', 'seq:2'])).json();
    expect(files).toEqual([]);
    await verify(fixture);
  });
});

describe('where one stands', () => {
  it('does not matter: the whole worktree is captured, from a subdirectory too', async () => {
    const fixture = plainRepository();
    const first = await capture(fixture, { cwd: fixture.path('src/deep') });
    expectExact(fixture);
    expect(await capture(fixture, { cwd: fixture.path('notes') })).toMatchObject({ id: first.id, unchanged: true });
    const elsewhere = await run(fixture, ['--json', '-C', fixture.path('src'), 'capture'], { cwd: '/' });
    expect(elsewhere.json()).toMatchObject({ id: first.id, unchanged: true });
  });

  it('through a symbolic link is the same worktree', async () => {
    const fixture = plainRepository();
    const { id, timeline } = await capture(fixture);
    const alias = join(fixture.base, 'alias');
    const { symlinkSync } = await import('node:fs');
    symlinkSync(fixture.root, alias);
    expect(await capture(fixture, { cwd: alias })).toMatchObject({ id, timeline, unchanged: true });
  });

  it('with several roots, each stays by itself, also when one is broken', async () => {
    const healthy = plainRepository();
    const broken = fixtureAt(healthy.base, join(healthy.base, 'broken'));
    mkdirSync(broken.root);
    broken.git('init', '-q');
    writeFileSync(broken.path('.git/HEAD'), 'not a ref\n');
    const sibling = fixtureAt(healthy.base, join(healthy.base, 'sibling'));
    mkdirSync(sibling.root);
    sibling.git('init', '-q');
    sibling.write('a.txt', 'a\n');
    const before = observe(sibling);
    const failed = await run(broken, ['--json', 'capture']);
    expect({ failed: failed.code !== 0, stdout: failed.stdout }).toEqual({ failed: true, stdout: '' });
    await capture(healthy);
    expectExact(healthy);
    expect(differences(before, observe(sibling))).toEqual([]);
    expect(existsSync(sibling.path('.git/savepoint'))).toBe(false);
  });

  it('after the repository has moved, its timeline goes on', async () => {
    const fixture = plainRepository();
    const { id, timeline } = await capture(fixture);
    const moved = fixtureAt(fixture.base, join(fixture.base, 'moved'));
    renameSync(fixture.root, moved.root);
    moved.write('more.txt', 'more\n');
    const answer = await run(moved, ['--json', 'capture']);
    expect(answer.json()).toMatchObject({ timeline, parents: [id], sequence: 2 });
    expect(headCommit(moved)).toBeTruthy();
    expectExact(moved);
  });
});
