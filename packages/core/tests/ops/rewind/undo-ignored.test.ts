/** An undo takes back exactly what its operation did where that is ignored by then, and touches nothing else that is. */
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OperationResult } from '../../../src/ops/operation/operation-result.js';
import { redo } from '../../../src/ops/rewind/redo.js';
import { restore } from '../../../src/ops/rewind/restore.js';
import { rewind } from '../../../src/ops/rewind/rewind.js';
import { undo } from '../../../src/ops/rewind/undo.js';
import { place, treeOf, type Place } from './place.js';

interface Case {
  /** The worktree as the snapshot takes it. */
  readonly then: (at: Place) => void;
  /** What is done before the operation. */
  readonly since: (at: Place) => void;
  /** Named paths; absent: all is rewound. */
  readonly paths?: readonly string[];
  /** What is done between the operation and its undo. */
  readonly after?: (at: Place) => void;
}

function remove(at: Place, ...names: string[]): void {
  for (const name of names) rmSync(at.fixture.path(name), { recursive: true });
}

const write =
  (files: Readonly<Record<string, string>>) =>
  (at: Place): void => {
    for (const [name, content] of Object.entries(files)) at.fixture.write(name, content);
  };

async function operate(at: Place, selector: string, paths: readonly string[] | undefined): Promise<OperationResult> {
  return at.with((repository) =>
    paths === undefined ? rewind({ repository, selector }) : restore({ repository, selector, paths }),
  );
}

const undoIn = (at: Place) => at.with((repository) => undo({ repository }));
const redoIn = (at: Place) => at.with((repository) => redo({ repository }));

const left = ({ files }: OperationResult) =>
  Object.fromEntries(files.filter(({ reason }) => reason !== undefined).map(({ path: at, reason }) => [at, reason]));

const outside = (at: Place) => path.join(at.fixture.base, 'outside');

const CASES: Readonly<Record<string, Case>> = {
  'a file by the worktree’s own .gitignore': {
    then: write({ 'lost.txt': 'lost\n' }),
    since: (at) => (remove(at, 'lost.txt'), at.fixture.write('.gitignore', '*.log\n/*.txt\n')),
    paths: ['lost.txt'],
  },
  'a file by info/exclude': {
    then: write({ 'lost.txt': 'lost\n' }),
    since: (at) => (remove(at, 'lost.txt'), at.fixture.write('.git/info/exclude', 'lost.txt\n')),
  },
  'a file by the excludes of the user': {
    then: write({ 'lost.txt': 'lost\n' }),
    since: (at) => {
      remove(at, 'lost.txt');
      writeFileSync(path.join(at.fixture.base, 'excludes'), 'lost.*\n');
      at.fixture.git('config', 'core.excludesFile', path.join(at.fixture.base, 'excludes'));
    },
  },
  'a file by a nested .gitignore with an exception': {
    then: write({ 'sub/lost.txt': 'lost\n', 'sub/held.txt': 'held\n', 'sub/keep': '' }),
    since: (at) => {
      remove(at, 'sub/lost.txt', 'sub/held.txt');
      at.fixture.write('sub/.gitignore', '*.txt\n!held.txt\n');
    },
    paths: ['sub/lost.txt', 'sub/held.txt'],
  },
  'a link': {
    then: (at) => symlinkSync('a.txt', at.fixture.path('lost.txt')),
    since: (at) => (remove(at, 'lost.txt'), at.fixture.write('.git/info/exclude', 'lost.txt\n')),
    paths: ['lost.txt'],
  },
  'an executable': {
    then: (at) => (at.fixture.write('lost.sh', 'x\n'), chmodSync(at.fixture.path('lost.sh'), 0o750)),
    since: (at) => (remove(at, 'lost.sh'), at.fixture.write('.git/info/exclude', '*.sh\n')),
  },
  'a file with the directories that it needs': {
    then: write({ 'gen/deep/lost.txt': 'lost\n' }),
    since: (at) => (remove(at, 'gen'), at.fixture.write('.git/info/exclude', '*.txt\n')),
    paths: ['gen/deep/lost.txt'],
  },
  'a file in an ignored directory that is there, with a directory between': {
    then: (at) => {
      at.fixture.write('gen/deep/er/lost.txt', 'lost\n');
      chmodSync(at.fixture.path('gen/deep/er'), 0o700);
    },
    since: (at) => {
      remove(at, 'gen');
      at.fixture.write('.git/info/exclude', 'gen/\n');
      at.fixture.write('gen/mine.txt', 'in no snapshot\n');
    },
    paths: ['gen/deep'],
  },
  'a file in an ignored directory that is empty': {
    then: write({ 'gen/deep/lost.txt': 'lost\n' }),
    since: (at) => {
      remove(at, 'gen');
      at.fixture.write('.git/info/exclude', 'gen/\n');
      mkdirSync(at.fixture.path('gen/void'), { recursive: true });
    },
    paths: ['gen'],
  },
  'a file that was overwritten, ignored by a rule that came with it': {
    then: (at) => {
      at.fixture.write('.gitignore', '*.log\nown.txt\n');
      at.fixture.write('own.txt', 'tracked\n');
      at.fixture.git('add', '-f', 'own.txt');
    },
    since: (at) => {
      at.fixture.git('rm', '-q', '--cached', 'own.txt');
      write({ '.gitignore': '*.log\n', 'own.txt': 'not tracked\n' })(at);
      chmodSync(at.fixture.path('own.txt'), 0o600);
    },
  },
  'a file that only got another mode, ignored since': {
    then: write({ 'own.txt': 'mine\n' }),
    since: (at) => chmodSync(at.fixture.path('own.txt'), 0o600),
    after: (at) => at.fixture.write('.git/info/exclude', 'own.txt\n'),
  },
  'a file that was overwritten, ignored since': {
    then: write({ 'own.txt': 'old\n' }),
    since: write({ 'own.txt': 'new\n' }),
    after: (at) => at.fixture.write('.git/info/exclude', 'own.txt\n'),
  },
  'a file that was removed, in a directory that is ignored since': {
    then: () => undefined,
    since: (at) => {
      at.fixture.write('gen/new.txt', 'new\n');
      at.fixture.write('gen/other/new.txt', 'new\n');
    },
    after: (at) => at.fixture.write('.git/info/exclude', 'gen/\n'),
  },
  'a directory that became a file, ignored since': {
    then: write({ own: 'a file\n' }),
    since: (at) => {
      remove(at, 'own');
      write({ 'own/one': '1\n', 'own/two/three': '3\n' })(at);
    },
    after: (at) => at.fixture.write('.git/info/exclude', 'own\n'),
  },
  'a file that became a directory, ignored since': {
    then: write({ 'own/one': '1\n', 'own/two/three': '3\n' }),
    since: (at) => (remove(at, 'own'), at.fixture.write('own', 'a file\n')),
    after: (at) => at.fixture.write('.git/info/exclude', 'own\n'),
  },
  'a file where the directory was ignored before and is no more': {
    then: write({ 'gen/deep/lost.txt': 'lost\n', 'gen/other.txt': 'other\n' }),
    since: (at) => {
      remove(at, 'gen');
      at.fixture.write('.gitignore', '*.log\ngen/\n');
      at.fixture.write('gen/mine.txt', 'in no snapshot\n');
    },
  },
};

describe('undo takes back, and redo does again,', () => {
  test.each(Object.entries(CASES))('%s', async (_, { then, since, paths, after }) => {
    const at = place();
    then(at);
    const target = await at.snapshot('the target');
    since(at);
    await at.snapshot('holds what was made since');
    const before = treeOf(at.fixture.root);
    const done = await operate(at, target, paths);
    const changed = treeOf(at.fixture.root);
    expect(changed).not.toEqual(before);
    after?.(at);
    for (const round of [1, 2]) {
      const undone = await undoIn(at);
      expect([round, treeOf(at.fixture.root)]).toEqual([round, before]);
      expect(undone.partial).toBe(false);
      expect(Object.keys(left(undone)).filter((name) => done.files.some((file) => file.path === name))).toEqual([]);
      if (round === 2 || after !== undefined) break;
      await redoIn(at);
      expect([round, treeOf(at.fixture.root)]).toEqual([round, changed]);
    }
  });
});

describe('what an operation made where it is ignored', () => {
  async function made(): Promise<Place> {
    const at = place();
    at.fixture.write('gen/deep/lost.txt', 'lost\n');
    const target = await at.snapshot();
    remove(at, 'gen');
    at.fixture.write('.git/info/exclude', 'gen/\n');
    at.fixture.write('gen/mine.txt', 'in no snapshot\n');
    await operate(at, target, ['gen/deep/lost.txt']);
    expect(readFileSync(at.fixture.path('gen/deep/lost.txt'), 'utf8')).toBe('lost\n');
    return at;
  }

  test.each([
    ['another content', (at: Place) => at.fixture.write('gen/deep/lost.txt', 'edited\n')],
    ['another mode', (at: Place) => chmodSync(at.fixture.path('gen/deep/lost.txt'), 0o600)],
    [
      'a link with the same words',
      (at: Place) => (
        unlinkSync(at.fixture.path('gen/deep/lost.txt')),
        symlinkSync('lost\n', at.fixture.path('gen/deep/lost.txt'))
      ),
    ],
    [
      'a directory in its place',
      (at: Place) => (unlinkSync(at.fixture.path('gen/deep/lost.txt')), at.fixture.write('gen/deep/lost.txt/x', 'x\n')),
    ],
  ])('stays and is listed where it has %s since', async (_, edit) => {
    const at = await made();
    edit(at);
    const before = treeOf(at.fixture.root);
    const undone = await undoIn(at);
    expect(treeOf(at.fixture.root)).toEqual(before);
    expect(left(undone)).toMatchObject({ 'gen/deep/lost.txt': 'ignored' });
    expect(undone.partial).toBe(false);
  });

  test('goes without the directory in which somebody put something since', async () => {
    const at = await made();
    at.fixture.write('gen/deep/mine.txt', 'in no snapshot either\n');
    const undone = await undoIn(at);
    expect(Object.keys(treeOf(at.fixture.path('gen')))).toEqual(['deep', 'deep/mine.txt', 'mine.txt']);
    expect(undone.partial).toBe(false);
  });

  test('and somebody removed since is no obstacle, nor are its directories', async () => {
    const at = await made();
    remove(at, 'gen/deep');
    const undone = await undoIn(at);
    expect(Object.keys(treeOf(at.fixture.path('gen')))).toEqual(['mine.txt']);
    expect(undone.partial).toBe(false);
  });

  test('is not looked for behind a link that stands above it since', async () => {
    const at = await made();
    mkdirSync(path.join(outside(at), 'deep'), { recursive: true });
    writeFileSync(path.join(outside(at), 'deep/lost.txt'), 'lost\n');
    remove(at, 'gen');
    symlinkSync(outside(at), at.fixture.path('gen'));
    await undoIn(at);
    expect(readFileSync(path.join(outside(at), 'deep/lost.txt'), 'utf8')).toBe('lost\n');
  });

  test('is planned by a dry run as it is done', async () => {
    const at = await made();
    const planned = await at.with((repository) => undo({ repository, dryRun: true }));
    expect(planned.files).toMatchObject([
      { path: 'gen/deep', action: 'delete', type: 'directory' },
      { path: 'gen/deep/lost.txt', action: 'delete' },
    ]);
    const undone = await at.with((repository) => undo({ repository, plan: planned.plan }));
    expect(undone.files).toEqual(planned.files);
  });
});
