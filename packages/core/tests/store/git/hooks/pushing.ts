/** A repository with local snapshots and a bare remote to push to, over the file protocol. */
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { removeTree, unbornRepository, type FixtureRepository, type GitAnswer } from '@savepoint/testkit';
import { afterEach, beforeEach } from 'vitest';
import type { HookFiles } from '../../../../src/model/hook.js';
import { gitHooks } from '../../../../src/store/git/hooks/git-hooks.js';
import { gitProcess } from '../../../../src/store/git/system/process.js';

export const TIMELINE = `refs/savepoint/v1/timelines/${'a'.repeat(32)}`;
export const OPERATIONS = `refs/savepoint/v1/operations/${'b'.repeat(32)}`;

export interface Pushing {
  readonly fixture: FixtureRepository;
  readonly hooks: HookFiles;
  /** The hook in the repository's own hooks folder, and where the one before it is kept. */
  readonly hook: string;
  readonly chained: string;
  push(...args: readonly string[]): GitAnswer;
  /** Pushes a commit to main that the remote does not have. */
  pushMore(): GitAnswer;
  remoteRefs(): string;
}

/** Makes the hooks of a worktree, as `open/` does it. */
export function hooksOf(root: string, home: string, commonDirectory = path.join(root, '.git')): HookFiles {
  const environment = { PATH: process.env['PATH'], HOME: home, XDG_CONFIG_HOME: path.join(home, '.config') };
  return gitHooks({ root, commonDirectory, git: gitProcess({ directory: root, environment }) });
}

export function makePushing(...initOptions: readonly string[]): Pushing {
  const fixture = unbornRepository(...initOptions);
  fixture.write('file', 'content\n');
  fixture.git('add', '-A');
  fixture.git('commit', '-qm', 'first');
  fixture.git('init', '-q', '--bare', ...initOptions, '../remote.git');
  fixture.git('remote', 'add', 'origin', `file://${path.join(fixture.root, '../remote.git')}`);
  addSnapshots(fixture);
  const push = (...args: readonly string[]): GitAnswer => fixture.run({ args: ['push', ...args], accept: 'any' });
  return {
    fixture,
    hooks: hooksOf(fixture.root, fixture.home),
    hook: fixture.path('.git/hooks/pre-push'),
    chained: fixture.path('.git/hooks/pre-push.savepoint-chained'),
    push,
    pushMore: () => {
      fixture.git('commit', '-q', '--allow-empty', '-m', 'more');
      return push('origin', 'HEAD:refs/heads/main');
    },
    remoteRefs: () => fixture.git('ls-remote', 'origin'),
  };
}

/** Two commits with the trees of snapshots on a timeline, and one on the operations ref. */
function addSnapshots(fixture: FixtureRepository): void {
  const blob = (content: string): string =>
    fixture
      .run({ args: ['hash-object', '-w', '--stdin'], input: content })
      .stdout.toString()
      .trim();
  const body = blob('{"complete":true,"format":"savepoint.snapshot/1","sequence":1}');
  const tree = fixture
    .run({ args: ['mktree'], input: `100644 blob ${blob('{}')}\tsignature.json\n100644 blob ${body}\tsnapshot.json\n` })
    .stdout.toString()
    .trim();
  const first = fixture.git('commit-tree', '-m', 'one', tree);
  fixture.git('update-ref', TIMELINE, fixture.git('commit-tree', '-m', 'two', '-p', first, tree));
  fixture.git('update-ref', OPERATIONS, fixture.git('commit-tree', '-m', 'operation', fixture.git('mktree')));
}

/** Gives each test of a file a repository of its own. */
export function eachPushing(): () => Pushing {
  let pushing: Pushing;
  beforeEach(() => {
    pushing = makePushing();
  });
  afterEach(() => {
    removeTree(pushing.fixture.base);
  });
  return () => pushing;
}

/** What must be the same again after an uninstall: kind, mode, time and bytes. */
export function look(file: string): unknown {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const content = stat.isSymbolicLink() ? readlinkSync(file) : readFileSync(file, 'latin1');
  return { mode: stat.mode, mtime: stat.mtimeMs, content };
}
