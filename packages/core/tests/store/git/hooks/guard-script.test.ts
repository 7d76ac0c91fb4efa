/** The pre-push hook: what it refuses, and that the hook chained to it notices nothing of it. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gitEnvironment, removeTree } from '@savepoint/testkit';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { guardScript, readGuard, START_PROGRAM } from '../../../../src/store/git/hooks/guard-script.js';
import { eachPushing, makePushing, OPERATIONS, TIMELINE } from './pushing.js';

const at = eachPushing();
const SHELLS = [['dash'], ['bash'], ['bash', '--posix'], ['busybox', 'sh'], ['zsh', '--emulate', 'sh']].filter(
  ([program = '']) => spawnSync(program, ['-c', 'exit 0']).error === undefined || program === 'sh',
);

describe('a push', () => {
  test('of a branch, of all branches, of tags and of nothing goes through', async () => {
    await at().hooks.install();
    at().fixture.git('tag', 'v1');
    for (const args of [
      ['origin', 'main'],
      ['origin', 'main'],
      ['--all', 'origin'],
      ['--tags', 'origin'],
    ]) {
      expect(at().push(...args)).toMatchObject({ code: 0 });
    }
    expect(at().remoteRefs()).toMatch(/refs\/heads\/main\n.*refs\/tags\/v1$/);
  });

  test.each([
    ['a mirror', ['--mirror', 'origin']],
    ['all refs', ['origin', 'refs/*:refs/*']],
    ['a timeline by name', ['origin', TIMELINE]],
    ['a timeline by a short name', ['origin', TIMELINE.slice('refs/'.length)]],
    ['the operations', ['origin', OPERATIONS]],
    ['a timeline under another name', ['origin', `${TIMELINE}:refs/heads/other`]],
    ['an expression with a timeline in it', ['origin', `${TIMELINE}~1:refs/heads/other`]],
    ['something into the namespace', ['origin', `main:${TIMELINE}`]],
    ['one bad ref among good ones', ['origin', 'main', `${TIMELINE}:refs/tags/x`]],
  ])('of %s is refused, names what and the way out, and sends nothing', async (_, args) => {
    await at().hooks.install();
    const { code, stderr } = at().push(...args);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/^savepoint: nothing was pushed.*local snapshots/m);
    expect(stderr).toMatch(/refs\/savepoint\/v1\/(?:timelines|operations)\//);
    expect(stderr).toContain("git push origin '+refs/heads/*:refs/heads/*'");
    expect(at().remoteRefs()).toBe('');
  });

  test.each([
    ['the newest snapshot', TIMELINE],
    ['an earlier snapshot', `${TIMELINE}~1`],
    ['an operation', OPERATIONS],
  ])('of %s by its id, by a branch or by a tag is refused', async (_, revision) => {
    await at().hooks.install();
    const id = at().fixture.git('rev-parse', revision);
    at().fixture.git('branch', 'leak', id);
    at().fixture.git('tag', '-a', '-m', 'tag', 'tagged', id);
    const pushes = [[`${id}:refs/heads/x`], ['leak'], [`${revision}:refs/heads/x`], ['leak@{0}:refs/heads/x']];
    for (const args of revision === OPERATIONS ? pushes : [...pushes, ['tagged']]) {
      expect(at().push('origin', ...args), args.join()).toMatchObject({ code: 1 });
    }
    expect(at().remoteRefs()).toBe('');
  });

  test('of a commit that only has a file of that name goes through', async () => {
    await at().hooks.install();
    at().fixture.write('snapshot.json', '{"format":"other"}\n');
    at().fixture.git('add', '-A');
    expect(at().pushMore()).toMatchObject({ code: 0 });
  });

  test('that deletes such refs on the remote is allowed', async () => {
    at().push('origin', TIMELINE, OPERATIONS);
    expect(at().remoteRefs()).toContain(TIMELINE);
    await at().hooks.install();
    expect(at().push('origin', `:${TIMELINE}`, `:${OPERATIONS}`)).toMatchObject({ code: 0 });
    expect(at().remoteRefs()).toBe('');
  });

  test('to a mirror remote that is refused says how to end the mirroring; a long list is cut', async () => {
    await at().hooks.install();
    const commit = at().fixture.git('rev-parse', TIMELINE);
    for (let i = 10; i < 30; i += 1) at().fixture.git('update-ref', `${TIMELINE.slice(0, -2)}${String(i)}`, commit);
    at().fixture.git('config', 'remote.origin.mirror', 'true');
    const { stderr } = at().push('origin');
    expect(stderr).toContain('`git config --unset remote.origin.mirror`');
    expect(stderr).toContain('  and 12 more\n');
  });

  test('in a repository with SHA-256 ids is judged alike', async () => {
    const { fixture, hooks, push, remoteRefs } = makePushing('--object-format=sha256');
    await hooks.install();
    expect(push('--mirror', 'origin')).toMatchObject({ code: 1 });
    expect(push('origin', `${fixture.git('rev-parse', `${TIMELINE}~1`)}:refs/heads/x`)).toMatchObject({ code: 1 });
    expect(push('origin', 'main')).toMatchObject({ code: 0 });
    expect(remoteRefs()).not.toContain('savepoint');
    removeTree(fixture.base);
  });

  test('from a linked worktree and from a subfolder is judged alike', async () => {
    const { fixture, hooks, push } = at();
    await hooks.install();
    fixture.git('worktree', 'add', '-q', '-b', 'second', '../second tree');
    const second = path.join(fixture.root, '../second tree');
    const run = (cwd: string, ...args: string[]) => fixture.run({ cwd, args: ['push', ...args], accept: 'any' });
    expect(run(second, '--mirror', 'origin')).toMatchObject({ code: 1 });
    expect(run(second, 'origin', 'HEAD:refs/heads/second')).toMatchObject({ code: 0 });
    mkdirSync(fixture.path('a b'));
    expect(run(fixture.path('a b'), 'origin', TIMELINE)).toMatchObject({ code: 1 });
    expect(push('origin', 'main')).toMatchObject({ code: 0 });
  });
});

describe('the chained hook', () => {
  /** Calls the guard as git does, in one shell, with a hook that writes down what it gets. */
  const call = (shell: readonly string[], input: string, env: Record<string, string> = {}) => {
    const { fixture, hook } = at();
    const [program = '', ...options] = shell;
    return spawnSync(program, [...options, path.relative(fixture.root, hook), 'origin', 'some url'], {
      cwd: fixture.root,
      env: { ...gitEnvironment(fixture.home), ...env },
      input: Buffer.from(input, 'latin1'),
      encoding: 'latin1',
    });
  };
  const guard = (chained: string): void => {
    writeFileSync(at().hook, guardScript({ start: START_PROGRAM, foldersMade: 0 }), { mode: 0o755 });
    writeFileSync(at().chained, chained, { mode: 0o755 });
    chmodSync(at().chained, 0o755);
  };

  test('gets the arguments and the very bytes that git gave, in every shell', () => {
    guard('#!/bin/sh\nprintf "<%s>" "$@"\ncat\n');
    const id = at().fixture.git('rev-parse', 'main');
    const source = fc.oneof(
      fc.constantFrom(
        'refs/heads/main',
        'HEAD@{2 days ago}',
        'HEAD^{/a  b\\n $(x) `y` "q" \'s\' * ? %s}',
        '-n',
        '-e \\c',
      ),
      fc.stringMatching(/^[!-~\xa0-\xff]{1,20}$/),
    );
    const line = fc.tuple(source, fc.constantFrom(id, '0'.repeat(40)), fc.constantFrom('refs/heads/x', 'refs/tags/ü*'));
    const lines = fc.array(line, { maxLength: 4 }).map((all) => all.map((l) => `${l.join(' ')} ${id}\n`).join(''));
    fc.assert(
      fc.property(lines, fc.constantFrom(...SHELLS), (text, shell) => {
        const { status, stdout, stderr } = call(shell, text);
        expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
        expect(stdout).toBe(`<origin><some url>${text}`);
      }),
      { numRuns: 40 },
    );
  });

  test.each(SHELLS.map((shell) => [shell.join(' '), shell] as const))(
    'keeps its exit code and signal in %s',
    (_, shell) => {
      guard('#!/bin/sh\ncat >/dev/null\nexit 42\n');
      expect(call(shell, '').status).toBe(42);
      guard('#!/bin/sh\nkill -TERM $$\n');
      expect(
        call(shell, `refs/heads/a ${at().fixture.git('rev-parse', 'main')} refs/heads/a ${'0'.repeat(40)}\n`).signal,
      ).toBe('SIGTERM');
    },
  );

  test.each(SHELLS.map((shell) => [shell.join(' '), shell] as const))(
    'that reads nothing of a long input brings no noise in %s',
    (_, shell) => {
      guard('#!/bin/sh\nexit 7\n');
      const id = at().fixture.git('rev-parse', 'main');
      const long = Array.from(
        { length: 5000 },
        (_n, i) => `refs/heads/${String(i)} ${id} refs/heads/${String(i)} ${id}\n`,
      );
      expect(call(shell, long.join(''))).toMatchObject({ status: 7, stderr: '', stdout: '' });
      guard('#!/bin/sh\ncksum\n');
      const sum = spawnSync('cksum', { input: long.join(''), encoding: 'latin1' }).stdout;
      expect(call(shell, long.join('')).stdout).toBe(sum);
    },
  );

  test.each(SHELLS.map((shell) => [shell.join(' '), shell] as const))(
    'finds its environment as it was in %s',
    (_, shell) => {
      guard('#!/bin/sh\nenv | grep -v "^_=" | sort\n');
      const names = ['line', 'id', 'source', 'target', 'blob', 'type', 'count', 'pushed', 'IFS', 'lines', 'heads'];
      const env = Object.fromEntries(names.map((name) => [name, `mine: ${name}`]));
      const id = at().fixture.git('rev-parse', 'main');
      const { stdout } = call(shell, `refs/heads/main ${id} refs/heads/main ${id}\n`, env);
      for (const name of names.filter((each) => each !== 'IFS')) expect(stdout).toContain(`\n${name}=mine: ${name}\n`);
      expect(stdout).not.toMatch(/savepoint_/);
    },
  );

  test.each(SHELLS.map((shell) => [shell.join(' '), shell] as const))(
    'does not run when the push is refused in %s',
    (_, shell) => {
      guard(`#!/bin/sh\ntouch ran\n`);
      const id = at().fixture.git('rev-parse', 'main');
      const { status, stdout, stderr } = call(shell, `${TIMELINE} ${id} refs/heads/a ${id}\n`);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toContain(`  ${TIMELINE} -> refs/heads/a\n`);
      expect(existsSync(at().fixture.path('ran'))).toBe(false);
    },
  );
});

describe('the hook knows itself', () => {
  const text = guardScript({ start: START_PROGRAM, foldersMade: 2 });

  test('by its mark, with the folders that were made for it', () => {
    expect(readGuard(text)).toEqual({ intact: true, newer: false, foldersMade: 2 });
    expect(readGuard(readFileSync(__filename, 'utf8'))).toBeUndefined();
  });

  test('and any edit of it', () => {
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom('', 'x', '\n'), (place, insert) => {
        const [line1 = '', line2 = ''] = text.split('\n');
        const from = line1.length + line2.length + 2;
        fc.pre(place >= from && text[place] !== insert);
        const edited = `${text.slice(0, place)}${insert}${text.slice(place + 1)}`;
        expect(readGuard(edited)?.intact).toBe(false);
      }),
    );
  });
});

afterAll(() => {
  // At least the system's own shell and bash were there.
  expect(SHELLS.length).toBeGreaterThan(0);
});
