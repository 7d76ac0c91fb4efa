/** The guard beside hook managers and under every kind of `core.hooksPath`. Each manager is played by scripts that do what its own do. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { eachPushing, hooksOf, look } from './pushing.js';

const at = eachPushing();
const NOTE = (who: string): string =>
  `#!/bin/sh\necho ${who} >>"$(git rev-parse --git-common-dir)/ran"\ncat >/dev/null\n`;
const ran = (): string => {
  const file = at().fixture.path('.git/ran');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
const mirror = (): string => at().push('--mirror', 'origin').stderr;
const REFUSED = 'savepoint: nothing was pushed';
const lineOf = ({ problem = '' }: { readonly problem?: string }): string => problem.slice(problem.indexOf('g="$(git'));

const ignore = (pattern: string): void => {
  at().fixture.write('.git/info/exclude', `${pattern}\n`);
};

describe('core.hooksPath', () => {
  test.each([
    ['relative and ignored', 'my hooks'],
    ['absolute and ignored', '$ROOT/my hooks'],
    ['in the git directory', '$ROOT/.git/other hooks'],
  ])('%s: the guard is installed there and the hook there is chained', async (_, value) => {
    const { fixture, hooks } = at();
    ignore('my hooks/');
    const setting = value.replace('$ROOT', fixture.root);
    fixture.git('config', 'core.hooksPath', setting);
    const hook = path.resolve(fixture.root, setting, 'pre-push');
    fixture.write(path.relative(fixture.root, hook), NOTE('own'), 0o755);
    const before = look(hook);
    expect(await hooks.install()).toMatchObject({ installed: true, changed: true, path: hook });
    expect(mirror()).toContain(REFUSED);
    expect(at().pushMore().code).toBe(0);
    expect(ran()).toBe('own\n');
    await hooks.uninstall();
    expect(look(hook)).toEqual(before);
    expect(readdirSync(path.dirname(hook))).toEqual(['pre-push']);
  });

  test('to an ignored folder that is not there: it is made, and taken away again', async () => {
    ignore('some');
    at().fixture.git('config', 'core.hooksPath', 'some/deep/hooks');
    expect(await at().hooks.install()).toMatchObject({ installed: true });
    expect(mirror()).toContain(REFUSED);
    await at().hooks.uninstall();
    expect(existsSync(at().fixture.path('some'))).toBe(false);
  });

  test.each([
    ['a folder that the project tracks', 'tracked'],
    ['a folder with a hook that is not tracked yet', 'untracked'],
    ['a folder that is not there', 'none'],
    ['a link in the project', 'link'],
  ])('to %s: no file is written, and the line that the report names guards it', async (_, setting) => {
    const { fixture, hooks } = at();
    fixture.write('tracked/pre-push', NOTE('own'), 0o755);
    fixture.link('link', 'tracked');
    fixture.git('add', '-A');
    fixture.git('commit', '-qm', 'hooks');
    fixture.write('untracked/pre-push', NOTE('own'), 0o755);
    fixture.git('config', 'core.hooksPath', setting);
    const status = fixture.git('status', '--porcelain');
    const report = await hooks.install();
    expect(report).toMatchObject({ installed: false, changed: false });
    expect(report.problem).toContain('files of the project');
    expect(fixture.git('status', '--porcelain')).toBe(status);
    fixture.write(path.join(setting, 'pre-push'), `#!/bin/sh\n${lineOf(report)}\n`, 0o755);
    expect(await hooks.state()).toMatchObject({ installed: true });
    expect(mirror()).toContain(REFUSED);
    expect(at().pushMore().code).toBe(0);
  });

  test('to a hook that reads its input: the guard and that hook get all of it', async () => {
    const { fixture, hooks } = at();
    const own = 'cat >"$(git rev-parse --git-common-dir)/ran"\n';
    fixture.write('tracked/pre-push', `#!/bin/sh\n${own}`, 0o755);
    fixture.git('config', 'core.hooksPath', 'tracked');
    const report = await hooks.install();
    expect(report.problem).toContain('at the beginning');
    fixture.write('tracked/pre-push', `#!/bin/sh\n${lineOf(report)}\n${own}`, 0o755);
    expect(mirror()).toContain(REFUSED);
    expect(ran()).toBe('');
    expect(at().pushMore().code).toBe(0);
    expect(ran()).toMatch(/^HEAD [0-9a-f]+ refs\/heads\/\S+ [0-9a-f]+\n$/);
  });

  test('relative with several worktrees: the report says that each has its own', async () => {
    ignore('my hooks');
    at().fixture.git('config', 'core.hooksPath', 'my hooks');
    at().fixture.git('worktree', 'add', '-q', '../second');
    expect((await at().hooks.install()).problem).toContain('in each');
    const root = path.join(at().fixture.root, '../second');
    const second = hooksOf(root, at().fixture.home, at().fixture.path('.git'));
    expect(await second.state()).toMatchObject({ installed: false, path: path.join(root, 'my hooks/pre-push') });
  });

  test.each([
    ['outside of the repository', '--local', '$BASE/shared hooks'],
    ['in the home, for all repositories', '--global', '~/shared hooks'],
    ['for all repositories, into this one', '--global', '$ROOT/.git/hooks'],
    ['empty', '--local', ''],
  ])('%s: nothing is written there, and the report says which line to add', async (_, scope, value) => {
    const { fixture, hooks } = at();
    fixture.git('config', scope, 'core.hooksPath', value.replace('$BASE', fixture.base).replace('$ROOT', fixture.root));
    const report = await hooks.install();
    expect(report).toMatchObject({ installed: false, changed: false });
    expect(report.problem).toContain('other repositories may share');
    expect(report.problem).toContain('savepoint/hooks/pre-push');
    expect(existsSync(report.path)).toBe(false);
    expect(await hooks.uninstall()).toMatchObject({ installed: false });
  });

  test('shared: the line guards this repository and leaves others as they are', async () => {
    const { fixture, hooks, hook } = at();
    const shared = path.join(fixture.base, 'shared hooks');
    fixture.git('config', '--global', 'core.hooksPath', shared);
    const line = lineOf(await hooks.install());
    mkdirSync(shared);
    writeFileSync(path.join(shared, 'pre-push'), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
    expect(await hooks.state()).toEqual({
      hook: 'pre-push',
      path: path.join(shared, 'pre-push'),
      installed: true,
      changed: false,
    });
    expect(mirror()).toContain(REFUSED);
    expect(at().pushMore().code).toBe(0);
    expect(existsSync(hook)).toBe(false);
    // Another repository, of somebody without Savepoint.
    fixture.run({ cwd: fixture.base, args: ['clone', '-q', path.join(fixture.root, '../remote.git'), 'clone'] });
    const other = { cwd: path.join(fixture.base, 'clone'), args: ['push', 'origin', 'origin/main:refs/heads/x'] };
    expect(fixture.run(other).code).toBe(0);
    const gone = await hooks.uninstall();
    expect(gone).toMatchObject({ installed: false, changed: true });
    expect(gone.problem).toContain('does nothing now');
    expect(at().pushMore().code).toBe(0);
  });

  test('a folder of hooks that is a link to somewhere else is not written to', async () => {
    const { fixture, hooks } = at();
    const shared = path.join(fixture.base, 'shared');
    renameSync(fixture.path('.git/hooks'), shared);
    symlinkSync(shared, fixture.path('.git/hooks'));
    const names = readdirSync(shared);
    expect(await hooks.install()).toMatchObject({ installed: false });
    expect(readdirSync(shared)).toEqual(names);
  });

  test('that switches hooks off is reported', async () => {
    at().fixture.git('config', 'core.hooksPath', '/dev/null');
    expect((await at().hooks.install()).problem).toContain('no hook runs at all');
  });

  test('set after the guard was installed is seen at once, and init follows it', async () => {
    await at().hooks.install();
    ignore('later');
    at().fixture.git('config', 'core.hooksPath', 'later');
    const state = await at().hooks.state();
    expect(state).toMatchObject({ installed: false });
    expect(state.problem).toContain('core.hooksPath was set after');
    expect(await at().hooks.install()).toMatchObject({ installed: true });
    expect(mirror()).toContain(REFUSED);
    await at().hooks.uninstall();
    expect(existsSync(at().hook)).toBe(false);
    expect(existsSync(at().fixture.path('later'))).toBe(false);
  });
});

describe('husky', () => {
  // Version 9: every hook in the ignored folder reads a dispatcher, which finds the user's script by its own name.
  const DISPATCH =
    'name=$(basename "$0")\nscript=$(dirname "$(dirname "$0")")/$name\n[ -f "$script" ] || exit 0\nsh -e "$script" "$@"\n';
  const HUSKY_9 = '#!/usr/bin/env sh\n. "$(dirname "$0")/h"';
  const install9 = (): void => {
    const { fixture } = at();
    fixture.git('config', 'core.hooksPath', '.husky/_');
    fixture.write('.husky/_/.gitignore', '*');
    fixture.write('.husky/_/h', DISPATCH);
    fixture.write('.husky/_/pre-push', HUSKY_9, 0o755);
  };
  const track = (content: string): void => {
    at().fixture.write('.husky/pre-push', content);
    at().fixture.git('add', '-A');
    at().fixture.git('commit', '-qm', 'hooks');
  };

  test('9: the guard is put before its ignored hook, which still finds the script of the project', async () => {
    install9();
    track(NOTE('husky'));
    const tracked = look(at().fixture.path('.husky/pre-push'));
    const generated = look(at().fixture.path('.husky/_/pre-push'));
    const report = await at().hooks.install();
    expect(report).toMatchObject({ installed: true, path: at().fixture.path('.husky/_/pre-push') });
    expect(report.problem).toContain('husky writes the hooks');
    expect(mirror()).toContain(REFUSED);
    expect(ran()).toBe('');
    expect(at().pushMore().code).toBe(0);
    expect(ran()).toBe('husky\n');
    expect(at().fixture.git('status', '--porcelain')).toBe('');
    expect(look(at().fixture.path('.husky/pre-push'))).toEqual(tracked);
    await at().hooks.uninstall();
    expect(look(at().fixture.path('.husky/_/pre-push'))).toEqual(generated);
    expect(readdirSync(at().fixture.path('.husky/_')).sort()).toEqual(['.gitignore', 'h', 'pre-push']);
  });

  test('9: its next install is seen, init repairs it, and the exit code of the script is kept', async () => {
    install9();
    track('cat >/dev/null\nexit 8\n');
    await at().hooks.install();
    install9();
    expect(await at().hooks.state()).toMatchObject({ installed: false });
    expect(await at().hooks.install()).toMatchObject({ installed: true, changed: true });
    expect(mirror()).toContain(REFUSED);
    expect(at().push('origin', 'main').code).toBe(1);
    expect(at().remoteRefs()).toBe('');
    install9();
    expect(await at().hooks.uninstall()).toEqual({
      hook: 'pre-push',
      path: at().fixture.path('.husky/_/pre-push'),
      installed: false,
      changed: true,
    });
    expect(readdirSync(at().fixture.path('.husky/_')).sort()).toEqual(['.gitignore', 'h', 'pre-push']);
  });

  test('9: the line in the script of the project lasts over its installs', async () => {
    install9();
    track(NOTE('husky'));
    const report = await at().hooks.install();
    const { problem = '' } = report;
    track(`${problem.slice(problem.indexOf('g="$(git'), problem.indexOf('exit 1; }') + 9)}\necho script\n`);
    install9();
    expect(await at().hooks.state()).toMatchObject({ installed: true });
    expect(await at().hooks.install()).toMatchObject({ installed: true, changed: false });
    expect(mirror()).toContain(REFUSED);
    expect(at().pushMore().code).toBe(0);
  });

  test('8: hooks that the project tracks are not edited, and the report says which line to add', async () => {
    const { fixture, hooks } = at();
    fixture.git('config', 'core.hooksPath', '.husky');
    fixture.write('.husky/_/.gitignore', '*');
    fixture.write('.husky/_/husky.sh', 'if [ -z "$again" ]; then export again=1; sh -e "$0" "$@"; exit $?; fi\n');
    fixture.write('.husky/pre-push', `#!/usr/bin/env sh\n. "$(dirname -- "$0")/_/husky.sh"\n`, 0o755);
    fixture.git('add', '-A');
    fixture.git('commit', '-qm', 'hooks');
    const report = await hooks.install();
    expect(report).toMatchObject({ installed: false, changed: false });
    expect(report.problem).toContain('files of the project');
    expect(fixture.git('status', '--porcelain')).toBe('');
    fixture.write('.husky/pre-push', `${readFileSync(report.path, 'utf8')}${lineOf(report)}\n`);
    expect(await hooks.state()).toMatchObject({ installed: true });
    expect(mirror()).toContain(REFUSED);
    expect(at().pushMore().code).toBe(0);
  });
});

describe('lefthook', () => {
  const LEFTHOOK = `#!/bin/sh\n[ "$LEFTHOOK" = "0" ] && exit 0\n${NOTE('lefthook').slice(10)}`;
  // It renames what is not its own, and writes its hook.
  const installLefthook = (): void => {
    const { hook } = at();
    if (existsSync(hook) && !readFileSync(hook, 'utf8').includes('LEFTHOOK')) renameSync(hook, `${hook}.old`);
    writeFileSync(hook, LEFTHOOK, { mode: 0o755 });
  };

  test('there before: its hook is chained and comes back', async () => {
    installLefthook();
    const before = look(at().hook);
    await at().hooks.install();
    expect(mirror()).toContain(REFUSED);
    expect(at().pushMore().code).toBe(0);
    expect(ran()).toBe('lefthook\n');
    await at().hooks.uninstall();
    expect(look(at().hook)).toEqual(before);
  });

  test('installed later: the loss is seen, init guards again, and uninstall leaves what lefthook alone would have', async () => {
    const { fixture, hook, hooks } = at();
    fixture.write('.git/hooks/pre-push', NOTE('own'), 0o755);
    const own = look(hook);
    await hooks.install();
    installLefthook();
    expect(await hooks.state()).toMatchObject({ installed: false });
    expect((await hooks.state()).problem).toContain('replaced by something else');
    await hooks.uninstall();
    expect(readFileSync(hook, 'utf8')).toBe(LEFTHOOK);
    expect(look(`${hook}.old`)).toEqual(own);
    expect(readdirSync(path.dirname(hook)).filter((name) => name.includes('savepoint'))).toEqual([]);
    expect(await hooks.install()).toMatchObject({ installed: true });
    expect(mirror()).toContain(REFUSED);
    expect(at().pushMore().code).toBe(0);
    expect(ran()).toBe('lefthook\n');
  });
});

describe('pre-commit', () => {
  // It calls the hook that it found, which it keeps as .legacy, and refuses to be called by that.
  const PRE_COMMIT = (version: string): string => `#!/usr/bin/env bash
# File generated by pre-commit: https://pre-commit.com
# ${version}
HERE="$(cd "$(dirname "$0")" && pwd)"
[ -z "$PRE_COMMIT_RUNNING_LEGACY" ] || { echo "bug: installed in migration mode" >&2; exit 1; }
input=$(cat)
if [ -x "$HERE/pre-push.legacy" ]; then
  printf '%s\\n' "$input" | PRE_COMMIT_RUNNING_LEGACY=1 "$HERE/pre-push.legacy" "$@" || exit 1
fi
echo pre-commit >>"$(git rev-parse --git-common-dir)/ran"
`;
  const installPreCommit = (version: string): void => {
    const { hook } = at();
    if (existsSync(hook) && !readFileSync(hook, 'utf8').includes('generated by pre-commit'))
      renameSync(hook, `${hook}.legacy`);
    writeFileSync(hook, PRE_COMMIT(version), { mode: 0o755 });
  };

  test('there before, with a hook that it calls: all run, and all come back', async () => {
    const { fixture, hook, hooks } = at();
    fixture.write('.git/hooks/pre-push', NOTE('own'), 0o755);
    installPreCommit('1');
    const before = [look(hook), look(`${hook}.legacy`)];
    await hooks.install();
    expect(mirror()).toContain(REFUSED);
    expect(at().pushMore()).toMatchObject({ code: 0 });
    expect(ran()).toBe('own\npre-commit\n');
    await hooks.uninstall();
    expect([look(hook), look(`${hook}.legacy`)]).toEqual(before);
  });

  test('installed later: it calls the guard, which counts as installed, and the hook from before still runs', async () => {
    const { fixture, hook, hooks } = at();
    fixture.write('.git/hooks/pre-push', NOTE('own'), 0o755);
    const own = look(hook);
    await hooks.install();
    installPreCommit('1');
    expect(await hooks.state()).toMatchObject({ installed: true });
    expect(await hooks.install()).toMatchObject({ installed: true, changed: false });
    expect(mirror()).toContain(REFUSED);
    expect(at().pushMore()).toMatchObject({ code: 0 });
    expect(ran()).toBe('own\npre-commit\n');
    await hooks.uninstall();
    expect(look(`${hook}.legacy`)).toEqual(own);
    expect(readFileSync(hook, 'utf8')).toBe(PRE_COMMIT('1'));
    expect(readdirSync(path.dirname(hook)).filter((name) => name.includes('savepoint'))).toEqual([]);
  });

  test.each(['1', '2'])(
    'installed again over the guard (version %s): it runs once, and nothing runs in a circle',
    async (version) => {
      const { hook, hooks } = at();
      installPreCommit('1');
      await hooks.install();
      installPreCommit(version);
      expect(await hooks.state()).toMatchObject({ installed: true });
      expect(mirror()).toContain(REFUSED);
      expect(at().pushMore()).toMatchObject({ code: 0 });
      expect(ran()).toBe('pre-commit\n');
      await hooks.uninstall();
      expect(readFileSync(hook, 'utf8')).toBe(PRE_COMMIT(version));
      expect(readdirSync(path.dirname(hook)).filter((name) => /savepoint|legacy/.test(name))).toEqual([]);
    },
  );
});

test('the guard needs neither Node nor Savepoint on the path', async () => {
  const { fixture, hook, hooks } = at();
  await hooks.install();
  const bin = path.join(fixture.base, 'bin');
  mkdirSync(bin);
  for (const name of ['sh', 'git', 'cat', 'grep', 'cmp']) {
    symlinkSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), path.join(bin, name));
  }
  expect(readFileSync(hook, 'utf8').startsWith('#!/bin/sh\n')).toBe(true);
  const push = (...args: string[]) => fixture.run({ args: ['push', ...args], env: { PATH: bin }, accept: 'any' });
  expect(push('--mirror', 'origin').stderr).toContain(REFUSED);
  expect(push('origin', 'main').code).toBe(0);
});
