/** Installing and removing the guard: nothing that was there is lost, and every state is told apart. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { giveTo } from '@savepoint/testkit';
import { describe, expect, test } from 'vitest';
import { makeProgram } from '../program.js';
import { eachPushing, hooksOf, look } from './pushing.js';

const at = eachPushing();
const folder = (): string => path.dirname(at().hook);
const writeHook = (content: string, mode = 0o755): void => {
  at().fixture.write('.git/hooks/pre-push', content, mode);
};
const LOG = '#!/bin/sh\nbase=${0##*/}\necho "$base $@" >>"$LOG"\ncat >>"$LOG"\nexit "$CODE"\n';
const NUMBERS = '#!/usr/bin/env python3\nimport sys\nsys.exit(5 if sys.stdin.read().count("refs/heads/main") else 6)\n';

describe('install', () => {
  test('makes the folder of hooks where there is none; uninstall takes it away', async () => {
    rmSync(folder(), { recursive: true, force: true });
    expect(await at().hooks.install()).toEqual({ hook: 'pre-push', path: at().hook, installed: true, changed: true });
    expect(at().push('--mirror', 'origin').code).toBe(1);
    expect(await at().hooks.uninstall()).toMatchObject({ installed: false, changed: true });
    expect(existsSync(folder())).toBe(false);
  });

  test('leaves a folder that somebody put something into', async () => {
    rmSync(folder(), { recursive: true, force: true });
    await at().hooks.install();
    at().fixture.write('.git/hooks/post-merge', 'theirs');
    await at().hooks.uninstall();
    expect(readdirSync(folder())).toEqual(['post-merge']);
  });

  test('twice is the same as once, and so is uninstall', async () => {
    writeHook('#!/bin/sh\nexit 0\n');
    const before = look(at().hook);
    await at().hooks.install();
    const installed = [look(at().hook), look(at().chained)];
    expect(await at().hooks.install()).toMatchObject({ installed: true, changed: false });
    expect([look(at().hook), look(at().chained)]).toEqual(installed);
    await at().hooks.uninstall();
    expect(await at().hooks.uninstall()).toEqual({
      hook: 'pre-push',
      path: at().hook,
      installed: false,
      changed: false,
    });
    expect(look(at().hook)).toEqual(before);
  });

  test('keeps the exit code, the arguments and the input of a hook that looks at its own name', async () => {
    const { fixture, hooks, chained } = at();
    writeHook(LOG);
    expect(await hooks.install()).toMatchObject({ installed: true, chained });
    const log = `${fixture.base}/log`;
    const push = (code: string, ...args: string[]) =>
      fixture.run({ args: ['push', '-q', 'origin', ...args], env: { LOG: log, CODE: code }, accept: 'any' });
    expect(push('0', 'main').code).toBe(0);
    const commit = fixture.git('rev-parse', 'main');
    const url = fixture.git('remote', 'get-url', 'origin');
    const said = `pre-push origin ${url}\nrefs/heads/main ${commit} refs/heads/main ${'0'.repeat(40)}\n`;
    expect(readFileSync(log, 'utf8')).toBe(said);
    expect(push('3', 'main:second').code).not.toBe(0);
    expect(at().remoteRefs()).not.toContain('second');
  });

  test.each([
    { kind: 'another interpreter', content: NUMBERS },
    { kind: 'no first line of its own', content: 'cat >/dev/null; exit 5\n' },
    { kind: 'its own bytes as data', content: '#!/bin/sh\ntail -n 1 "$0" | grep -q "^exit 5" || exit 0\nexit 5\n' },
    { kind: 'a restart of itself', content: '#!/bin/sh\n[ -n "$AGAIN" ] && exit 5\nAGAIN=1 exec sh "$0" "$@"\n' },
    {
      kind: 'a test of being the main file',
      content: '#!/bin/bash\nif [[ "${BASH_SOURCE[0]}" == "$0" ]]; then exit 5; fi\n',
    },
    { kind: 'a choice by its name', content: '#!/bin/sh\ncase $0 in */pre-push) exit 5 ;; esac\n' },
    { kind: 'another file beside it', content: '#!/bin/sh\n. "$(dirname "$0")/rest"\n' },
    { kind: 'no permission to run', content: '#!/bin/sh\nexit 5\n', mode: 0o644, refuses: false },
  ])('a hook with $kind behaves as before', async ({ content, mode = 0o755, refuses = true }) => {
    at().fixture.write('.git/hooks/rest', 'exit 5\n');
    writeHook(content, mode);
    const outcome = (): boolean => at().pushMore().code !== 0;
    expect(outcome()).toBe(refuses);
    await at().hooks.install();
    expect(outcome()).toBe(refuses);
    expect(at().push('--mirror', 'origin').stderr).toContain('savepoint: nothing was pushed');
  });

  test('says that a hook cannot be moved that only works under its own name', async () => {
    writeHook('#!/usr/bin/env ruby\n# Overcommit\nhook_type = File.basename($0)\n');
    const report = await at().hooks.install();
    expect(report).toMatchObject({ installed: false, changed: false });
    expect(report.problem).toContain('Overcommit');
    expect(readdirSync(folder()).filter((name) => name.includes('savepoint'))).toEqual([]);
  });

  test('leaves the hooks beside it alone, a foreign backup included', async () => {
    at().fixture.write('.git/hooks/pre-push.bak', 'theirs', 0o600);
    at().fixture.write('.git/hooks/pre-push.old', 'theirs', 0o600);
    writeHook('#!/bin/sh\n');
    const before = readdirSync(folder()).map((name) => [name, look(path.join(folder(), name))]);
    await at().hooks.install();
    await at().hooks.uninstall();
    expect(readdirSync(folder()).map((name) => [name, look(path.join(folder(), name))])).toEqual(before);
  });

  test('works for a linked worktree, whose hooks are those of the repository', async () => {
    const { fixture, hook, push } = at();
    fixture.git('worktree', 'add', '-q', '-b', 'second', '../second tree');
    const second = hooksOf(path.join(fixture.root, '../second tree'), fixture.home, fixture.path('.git'));
    expect(await second.install()).toMatchObject({ installed: true, path: hook });
    expect(push('--mirror', 'origin').code).toBe(1);
    expect(await at().hooks.state()).toMatchObject({ installed: true });
  });

  test('reports a folder that it may not write to, and changes nothing', async () => {
    writeHook('#!/bin/sh\nexit 0\n');
    const names = readdirSync(folder());
    giveTo(at().fixture.base, 4711);
    chmodSync(folder(), 0o555);
    const program = makeProgram(PROGRAM);
    const { output } = await program.startAs(4711, 'install', at().fixture.root, at().fixture.home).ended;
    const report = JSON.parse(output) as unknown;
    expect(report).toMatchObject({ installed: false, changed: false });
    expect(report).toHaveProperty('problem', expect.stringContaining('cannot be written'));
    expect(readdirSync(folder())).toEqual(names);
    chmodSync(folder(), 0o755);
  });
});

describe('uninstall', () => {
  test('gives the hook back byte for byte, with mode, time and even the same file', async () => {
    writeHook('#!/bin/sh\r\nexit 0\r\n\xff', 0o750);
    utimesSync(at().hook, 1_000_000_000, 1_000_000_000.5);
    const [before, { ino }] = [look(at().hook), lstatSync(at().hook)];
    await at().hooks.install();
    expect(await at().hooks.uninstall()).toMatchObject({ installed: false, changed: true });
    expect(look(at().hook)).toEqual(before);
    expect(lstatSync(at().hook).ino).toBe(ino);
    expect(existsSync(at().chained)).toBe(false);
  });

  test.each([
    ['a link', '../../tools/hook.sh'],
    ['a link that leads nowhere', 'nowhere'],
  ])('gives %s back as it was', async (_, target) => {
    at().fixture.write('tools/hook.sh', '#!/bin/sh\nexit 4\n', 0o755);
    symlinkSync(target, at().hook);
    lutimesSync(at().hook, 1_000_000_000, 1_000_000_000);
    const before = look(at().hook);
    const code = at().push('origin', 'main').code;
    await at().hooks.install();
    expect(at().push('origin', 'main').code).toBe(code);
    await at().hooks.uninstall();
    expect(look(at().hook)).toEqual(before);
  });

  test('leaves a hook alone that somebody wrote over ours, and says where the one before is', async () => {
    writeHook('#!/bin/sh\n# first\n');
    await at().hooks.install();
    writeFileSync(at().hook, '#!/bin/sh\n# second\n');
    const report = await at().hooks.uninstall();
    expect(report).toMatchObject({ installed: false });
    expect(report.problem).toContain(at().chained);
    expect(readFileSync(at().hook, 'utf8')).toContain('# second');
    expect(readFileSync(at().chained, 'utf8')).toContain('# first');
  });

  test('leaves our own hook alone after somebody edited it', async () => {
    await at().hooks.install();
    const edited = readFileSync(at().hook, 'utf8').replace('set -f', 'set -f\necho mine');
    writeFileSync(at().hook, edited);
    expect(await at().hooks.install()).toMatchObject({ installed: true, changed: false });
    const report = await at().hooks.uninstall();
    expect(report).toMatchObject({ installed: true, changed: false });
    expect(report.problem).toContain('was edited');
    expect(readFileSync(at().hook, 'utf8')).toBe(edited);
  });

  test('puts the hook back when ours was removed by hand', async () => {
    writeHook('#!/bin/sh\nexit 0\n');
    const before = look(at().hook);
    await at().hooks.install();
    unlinkSync(at().hook);
    expect((await at().hooks.state()).problem).toContain('was removed');
    await at().hooks.uninstall();
    expect(look(at().hook)).toEqual(before);
  });
});

describe('state', () => {
  test('changes nothing and sees a hook that was overwritten or may no longer run', async () => {
    expect(await at().hooks.state()).toEqual({ hook: 'pre-push', path: at().hook, installed: false, changed: false });
    writeHook('#!/bin/sh\nexit 0\n');
    await at().hooks.install();
    expect(await at().hooks.state()).toMatchObject({ installed: true, chained: at().chained });
    chmodSync(at().hook, 0o644);
    expect((await at().hooks.state()).problem).toContain('not executable');
    expect(await at().hooks.install()).toMatchObject({ installed: true, changed: true });
    writeFileSync(at().hook, '#!/bin/sh\n');
    expect(await at().hooks.state()).toMatchObject({ installed: false });
    expect((await at().hooks.state()).problem).toContain('replaced by something else');
  });

  test('after an overwrite, install guards again and loses neither hook', async () => {
    writeHook('#!/bin/sh\n# first\n');
    await at().hooks.install();
    rmSync(at().hook);
    writeHook('#!/bin/sh\n# second\n');
    const second = look(at().hook);
    const report = await at().hooks.install();
    expect(report).toMatchObject({ installed: true, changed: true });
    expect(report.problem).toContain('pre-push.savepoint-former');
    expect(look(at().chained)).toEqual(second);
    expect(readFileSync(`${folder()}/pre-push.savepoint-former`, 'utf8')).toContain('# first');
    expect(at().push('--mirror', 'origin').code).toBe(1);
  });
});

const PROGRAM = `
  import path from 'node:path';
  import { gitHooks } from 'core:store/git/hooks/git-hooks.ts';
  import { gitProcess } from 'core:store/git/system/process.ts';
  const [what, root, home] = process.argv.slice(2);
  const environment = { PATH: process.env.PATH, HOME: home };
  const hooks = gitHooks({ root, commonDirectory: path.join(root, '.git'), git: gitProcess({ directory: root, environment }) });
  if (what === 'loop') for (;;) { await hooks.install(); await hooks.uninstall(); }
  console.log(JSON.stringify(await hooks[what]()));
`;

describe('at any moment', () => {
  test('several that install at once leave one guard and the hook from before', async () => {
    writeHook(LOG);
    const before = look(at().hook);
    const program = makeProgram(PROGRAM);
    const all = Array.from({ length: 6 }, () => program.start('install', at().fixture.root, at().fixture.home).ended);
    const reports = (await Promise.all(all)).map(({ output }) => JSON.parse(output) as { changed: boolean });
    expect(reports.filter(({ changed }) => changed)).toHaveLength(1);
    expect(look(at().chained)).toEqual(before);
    expect(
      readdirSync(folder())
        .filter((name) => name.startsWith('pre-push'))
        .sort(),
    ).toEqual(['pre-push', 'pre-push.sample', 'pre-push.savepoint-chained']);
    await at().hooks.uninstall();
    expect(look(at().hook)).toEqual(before);
  });

  test('a kill leaves the old hook or the guard with it working, and the next run puts all right', async () => {
    writeHook('#!/bin/sh\nexit 9\n');
    const before = look(at().hook);
    const program = makeProgram(PROGRAM);
    for (let round = 0; round < 10; round += 1) {
      const { child, ended } = program.start('loop', at().fixture.root, at().fixture.home);
      await new Promise((resolve) => setTimeout(resolve, 120 + 17 * round));
      child.kill('SIGKILL');
      await ended;
      expect(spawnSync(at().hook, { cwd: at().fixture.root, input: '' }).status).toBe(9);
      expect(await at().hooks.install()).toMatchObject({ installed: true });
      expect(look(at().chained)).toEqual(before);
      await at().hooks.uninstall();
      expect(look(at().hook)).toEqual(before);
      expect(readdirSync(folder()).filter((name) => name.includes('savepoint'))).toEqual([]);
    }
  });

  test('a crash between keeping the hook and replacing it is no obstacle', async () => {
    writeHook('#!/bin/sh\nexit 0\n');
    linkSync(at().hook, at().chained);
    mkdirSync(folder(), { recursive: true });
    writeFileSync(path.join(folder(), 'pre-push.savepoint-0123456789ab.tmp'), 'half');
    const before = look(at().hook);
    expect(await at().hooks.install()).toMatchObject({ installed: true, changed: true, chained: at().chained });
    await at().hooks.uninstall();
    expect(look(at().hook)).toEqual(before);
    expect(readdirSync(folder()).filter((name) => name.includes('savepoint'))).toEqual([]);
  });
});
