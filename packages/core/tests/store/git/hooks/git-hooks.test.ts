/** The pre-push guard, with real pushes to a remote beside the repository. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { removeTree, unbornRepository, type FixtureRepository } from '@savepoint/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HookFiles } from '../../../../src/model/hook.js';
import { gitHooks } from '../../../../src/store/git/hooks/git-hooks.js';
import { gitProcess } from '../../../../src/store/git/process.js';

let fixture: FixtureRepository;
let hooks: HookFiles;
const TIMELINE = `refs/savepoint/v1/timelines/${'a'.repeat(32)}`;

beforeEach(() => {
  fixture = unbornRepository();
  fixture.write('file', 'content\n');
  fixture.git('add', '-A');
  fixture.git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
  fixture.git('init', '-q', '--bare', '../remote.git');
  fixture.git('remote', 'add', 'origin', '../remote.git');
  const tree = fixture.git('rev-parse', 'HEAD^{tree}');
  const secret = fixture.git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit-tree', '-m', 'snapshot', tree);
  fixture.git('update-ref', TIMELINE, secret);
  const environment = { PATH: process.env['PATH'], HOME: fixture.home };
  hooks = gitHooks({
    root: fixture.root,
    commonDirectory: fixture.path('.git'),
    git: gitProcess({ directory: fixture.root, environment }),
  });
});

afterEach(() => {
  removeTree(fixture.base);
});

const hook = (): string => fixture.path('.git/hooks/pre-push');
const push = (...args: readonly string[]): { code: number; stderr: string } =>
  fixture.run({ args: ['push', ...args], accept: 'any' });
const remoteRefs = (): string => fixture.git('ls-remote', 'origin');

test('a push of a branch goes through', async () => {
  expect(await hooks.install()).toMatchObject({ installed: true, changed: true, path: hook() });
  expect(push('origin', 'main').code).toBe(0);
  expect(remoteRefs()).toContain('refs/heads/main');
});

test.each([
  ['a mirror', ['--mirror', 'origin']],
  ['all refs', ['origin', 'refs/*:refs/*']],
  ['the ref by name', ['origin', TIMELINE]],
  ['the ref under another name', ['origin', `${TIMELINE}:refs/heads/other`]],
  ['the commit by its expression', ['origin', `${TIMELINE}^0:refs/heads/other`]],
  ['something into the namespace', ['origin', `main:${TIMELINE}`]],
])('a push of %s is refused and sends nothing', async (_, args) => {
  await hooks.install();
  const { code, stderr } = push(...args);
  expect(code).not.toBe(0);
  expect(stderr).toContain('local snapshots');
  expect(remoteRefs()).toBe('');
});

test('a branch made at a snapshot is refused', async () => {
  await hooks.install();
  fixture.git('branch', 'leak', TIMELINE);
  expect(push('origin', 'leak').code).not.toBe(0);
});

test('the deletion of such a ref on the remote is allowed', async () => {
  push('origin', TIMELINE);
  expect(remoteRefs()).toContain(TIMELINE);
  await hooks.install();
  expect(push('origin', `:${TIMELINE}`).code).toBe(0);
  expect(remoteRefs()).toBe('');
});

test('the hook that was there runs with the same arguments and input, and its exit code counts', async () => {
  const log = `${fixture.base}/log`;
  fixture.write(
    '.git/hooks/pre-push',
    `#!/bin/sh\necho "$@" > "${log}"\ncat >> "${log}"\nexit $(cat "${fixture.base}/code")\n`,
    0o755,
  );
  writeFileSync(`${fixture.base}/code`, '0');
  expect(await hooks.install()).toMatchObject({ installed: true, chained: `${hook()}.savepoint-chained` });
  expect(push('origin', 'main').code).toBe(0);
  const commit = fixture.git('rev-parse', 'main');
  expect(readFileSync(log, 'utf8')).toBe(
    `origin ../remote.git\nrefs/heads/main ${commit} refs/heads/main ${'0'.repeat(40)}\n`,
  );
  writeFileSync(`${fixture.base}/code`, '3');
  fixture.git('branch', 'second');
  expect(push('origin', 'second').code).not.toBe(0);
});

test('a hook that is not executable stays not run', async () => {
  fixture.write('.git/hooks/pre-push', '#!/bin/sh\nexit 1\n', 0o644);
  await hooks.install();
  expect(push('origin', 'main').code).toBe(0);
});

test('uninstall gives the hook back byte for byte, with mode and time', async () => {
  fixture.write('.git/hooks/pre-push', '#!/bin/sh\r\nexit 0\r\n', 0o750);
  utimesSync(hook(), 1_000_000_000, 1_000_000_000.5);
  const before = lstatSync(hook());
  await hooks.install();
  expect(await hooks.uninstall()).toMatchObject({ installed: false, changed: true });
  const after = lstatSync(hook());
  expect([after.mode, after.mtimeMs, after.size]).toEqual([before.mode, before.mtimeMs, before.size]);
  expect(readFileSync(hook(), 'latin1')).toBe('#!/bin/sh\r\nexit 0\r\n');
  expect(existsSync(`${hook()}.savepoint-chained`)).toBe(false);
});

test('a hook that is a link is run and given back as a link', async () => {
  fixture.write('tools/hook.sh', '#!/bin/sh\nexit 4\n', 0o755);
  symlinkSync('../../tools/hook.sh', hook());
  await hooks.install();
  expect(push('origin', 'main').code).not.toBe(0);
  await hooks.uninstall();
  expect(readlinkSync(hook())).toBe('../../tools/hook.sh');
});

test('installing and uninstalling twice is the same as once', async () => {
  await hooks.install();
  expect(await hooks.install()).toMatchObject({ installed: true, changed: false });
  await hooks.uninstall();
  expect(await hooks.uninstall()).toMatchObject({ installed: false, changed: false });
  expect(existsSync(hook())).toBe(false);
});

test('uninstall leaves a hook alone that somebody else wrote over ours', async () => {
  await hooks.install();
  fixture.write('.git/hooks/pre-push', '#!/bin/sh\nexit 0\n', 0o755);
  expect(await hooks.state()).toMatchObject({ installed: false });
  await hooks.uninstall();
  expect(readFileSync(hook(), 'utf8')).toBe('#!/bin/sh\nexit 0\n');
});

test('a chained hook is never lost when another manager took our place', async () => {
  fixture.write('.git/hooks/pre-push', '#!/bin/sh\n# first\n', 0o755);
  await hooks.install();
  writeFileSync(hook(), '#!/bin/sh\n# second\n');
  const report = await hooks.install();
  expect(report).toMatchObject({ installed: false, changed: false });
  expect(report.problem).toContain('replaced by something else');
  expect(readFileSync(`${hook()}.savepoint-chained`, 'utf8')).toContain('# first');
});

test.each([
  ['local', '.husky/_'],
  ['global', 'shared hooks'],
])('with core.hooksPath set (%s) nothing is written there, and the report says what to add', async (scope, folder) => {
  const place = scope === 'local' ? folder : `${fixture.base}/${folder}`;
  fixture.git('config', `--${scope}`, 'core.hooksPath', place);
  const report = await hooks.install();
  expect(report).toMatchObject({ installed: false, changed: false });
  expect(report.problem).toContain('savepoint/hooks/pre-push');
  expect(existsSync(report.path)).toBe(false);
});

test('the line that the report names guards a project with its own hooks folder', async () => {
  fixture.git('config', 'core.hooksPath', '.husky');
  const { problem = '', path } = await hooks.install();
  const line = problem.slice(problem.indexOf('"$(git'));
  fixture.write('.husky/pre-push', `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
  expect(push('--mirror', 'origin').code).not.toBe(0);
  expect(remoteRefs()).toBe('');
  expect(await hooks.state()).toMatchObject({ installed: true });
});
