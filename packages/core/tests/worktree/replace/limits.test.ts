import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, readFileSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { becomeOneself, becomeOrdinary, permissionsCount, removeTree } from '@savepoint/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { bytePath } from '../../../src/base/path.js';
import { pathHazard } from '../../../src/model/tree/path-hazard.js';
import type { TreeChange } from '../../../src/model/tree/tree-change.js';
import { realDisk, type Disk } from '../../../src/worktree/replace/disk/disk.js';
import { bench, contentOf, quickFolder, replaceAll, requestOf, type Bench } from './bench.js';
import { insensitiveDisk } from './insensitive-disk.js';
import { blobId, changesBetween, listed, readTree, stateOf, USUAL, type Node, type Tree } from './trees.js';

const file = (text: string, mode = 0o644): Node => ({ kind: 'file', text, mode });
const folder = (mode = USUAL): Node => ({ kind: 'directory', mode });

const benches: string[] = [];

function makeBench(tree: Tree): Bench {
  const made = bench(tree, quickFolder());
  benches.push(made.folder);
  return made;
}

afterEach(() => {
  for (const each of benches.splice(0)) removeTree(each);
});

const creation = (name: string): TreeChange => ({
  path: bytePath(name),
  before: stateOf(undefined),
  after: stateOf(file('new\n')),
});
const newContent = contentOf(new Map([['x', file('new\n')]]));

describe('a hostile path', () => {
  const ALWAYS = ['../x', '/abs', 'a/../../b', 'a//b', './a', 'a/.', '', 'a\0b'];
  const GIT = [
    '.git/hooks/post-checkout',
    '.GIT/config',
    'git~1/x',
    '.g\u200cit/config',
    'a/.git',
    '.git ',
    '.git::$INDEX_ALLOCATION/x',
  ];
  const FOREIGN = ['C:\\x', 'C:x', 'x:stream', 'con', 'a/NUL.txt', 'com1', 'a\\..\\b', 'dot.', 'blank ', 'lpt\u00b9'];

  test.each([...ALWAYS, ...GIT])('is refused with all others, before any write: %j', async (hostile) => {
    const one = makeBench(new Map());
    const request = requestOf([creation('good'), creation(hostile)], newContent);
    await expect(one.on().prepare(request)).rejects.toMatchObject({ code: 'path_refused', kind: 'refused' });
    expect([...readTree(one.root)]).toEqual([]);
    expect(await one.on().find()).toBeUndefined();
  });

  test.each(FOREIGN)('is refused if it comes from elsewhere, and is a name like any other here: %j', async (name) => {
    const one = makeBench(new Map());
    const request = requestOf([creation(name)], newContent);
    await expect(one.on().prepare({ ...request, foreign: true })).rejects.toMatchObject({ code: 'path_refused' });
    expect([...readTree(one.root)]).toEqual([]);
    await replaceAll(one.on(), request);
    expect([...readTree(one.root).values()]).toContainEqual(file('new\n'));
  });

  test.each(['a', 'config', 'dot.git', '.github/x', '.gitignore', 'console', 'a b', '-rf', ':(glob)*', 'e\u0301'])(
    'is not everything that looks odd: %j',
    (name) => {
      expect(pathHazard(bytePath(name), !name.includes(':'))).toBeUndefined();
    },
  );

  test('is one that is named twice, or lies below a file', async () => {
    const one = makeBench(new Map());
    for (const changes of [
      [creation('a'), creation('a')],
      [creation('a'), creation('a/b')],
    ]) {
      await expect(one.on().prepare(requestOf(changes, newContent))).rejects.toMatchObject({ code: 'path_refused' });
    }
    expect([...readTree(one.root)]).toEqual([]);
  });
});

describe('content', () => {
  test('that is missing, on either side, is found before any write', async () => {
    const [from, to]: Tree[] = [new Map([['a', file('old\n')]]), new Map([['a', file('new\n')]])];
    const one = makeBench(from ?? new Map());
    for (const content of [contentOf(from ?? new Map()), contentOf(to ?? new Map())]) {
      const request = requestOf(changesBetween(from ?? new Map(), to ?? new Map()), content);
      await expect(one.on().prepare(request)).rejects.toMatchObject({ code: 'object_missing', kind: 'corrupt' });
    }
    expect(listed(readTree(one.root))).toEqual(listed(from ?? new Map()));
    expect(await one.on().find()).toBeUndefined();
  });

  test('that is about to go is read back first from where it is kept', async () => {
    const [from, to]: Tree[] = [new Map([['a', file('old\n')]]), new Map([['a', file('new\n')]])];
    const one = makeBench(from ?? new Map());
    const whole = contentOf(from ?? new Map(), to ?? new Map());
    const content = {
      ...whole,
      async *stream(id: string) {
        if (id === blobId('old\n')) yield await Promise.resolve(Buffer.from('lod\n'));
        else yield* whole.stream(id);
      },
    };
    const request = requestOf(changesBetween(from ?? new Map(), to ?? new Map()), content);
    await expect(one.on().prepare(request)).rejects.toMatchObject({ code: 'digest_mismatch', kind: 'corrupt' });
    expect(readTree(one.root)).toEqual(from);
    expect(await one.on().find()).toBeUndefined();
  });

  test('that is not what its id says never gets a name', async () => {
    const one = makeBench(new Map());
    const content = {
      ...newContent,
      async *stream() {
        yield await Promise.resolve(Buffer.from('NEW\n'));
      },
    };
    await expect(one.on().prepare(requestOf([creation('a')], content))).rejects.toMatchObject({
      code: 'digest_mismatch',
    });
    expect([...readTree(one.root)]).toEqual([]);
    expect(await one.on().find()).toBeUndefined();
  });
});

describe('a full disk', () => {
  const mounted: string[] = [];
  afterEach(() => {
    for (const place of mounted.splice(0)) execFileSync('umount', [place]);
  });

  /** A file system of 1 MiB, or undefined where this user may not make one. */
  function smallDisk(): string | undefined {
    const place = quickFolder();
    benches.push(place);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', place], { stdio: 'ignore' });
    } catch {
      return undefined;
    }
    mounted.push(place);
    return place;
  }

  const from: Tree = new Map([
    ['a', file('a'.repeat(300_000))],
    ['b', file('b\n')],
  ]);
  const to: Tree = new Map([
    ['a', file('A'.repeat(400_000))],
    ['b', file('B'.repeat(500_000))],
  ]);
  const request = requestOf(changesBetween(from, to), contentOf(from, to));

  test('is noticed before anything is written', async ({ skip }) => {
    const place = smallDisk();
    if (place === undefined) return skip('no file system can be mounted here');
    const one = bench(from, place);
    const refused: unknown = await one
      .on()
      .prepare(request)
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'worktree_full', data: { needed: 900_000 + 2 * 8192 } });
    expect(listed(readTree(one.root))).toEqual(listed(from));
  });

  test('that fills up on the way leaves no torn file and nothing open', async ({ skip }) => {
    const place = smallDisk();
    if (place === undefined) return skip('no file system can be mounted here');
    const one = bench(from, place);
    const optimist: Disk = { ...realDisk, freeBytes: () => 1n << 40n };
    await expect(one.on(optimist).prepare(request)).rejects.toMatchObject({ code: 'worktree_full', kind: 'refused' });
    expect(listed(readTree(one.root))).toEqual(listed(from));
    expect(await one.on().find()).toBeUndefined();
    const small: Tree = new Map([
      ['a', file('smaller\n')],
      ['b', file('b\n')],
    ]);
    await replaceAll(one.on(), requestOf(changesBetween(from, small), contentOf(from, small)));
    expect(listed(readTree(one.root))).toEqual(listed(small));
  });
});

describe('a directory', () => {
  test('that is to go is kept while something nobody named is in it', async () => {
    const from: Tree = new Map([
      ['d', folder(0o555)],
      ['d/x', file('x\n')],
    ]);
    const one = makeBench(new Map([...from, ['d/ignored', file('mine\n')]]));
    const replacement = await one.on().prepare(requestOf(changesBetween(from, new Map()), contentOf(from)));
    const outcomes = await replacement.apply();
    expect(outcomes).toContainEqual({ path: 'd', result: 'kept', reason: 'not_empty' });
    expect(outcomes).toContainEqual({ path: 'd/x', result: 'done' });
    await replacement.close();
    expect(listed(readTree(one.root))).toEqual([
      ['d', folder(0o555)],
      ['d/ignored', file('mine\n')],
    ]);
  });

  test('that is to give way to a file is left alone, with all in it, for what nobody named', async () => {
    const from: Tree = new Map([
      ['d', folder()],
      ['d/x', file('x\n')],
      ['d/e', folder()],
      ['d/e/y', file('y\n')],
      ['z', file('z\n')],
    ]);
    const to: Tree = new Map([
      ['d', file('a file\n')],
      ['z', file('Z\n')],
    ]);
    const present: Tree = new Map([...from, ['d/e/mine', file('mine\n')]]);
    const one = makeBench(present);
    const replacement = await one.on().prepare(requestOf(changesBetween(from, to), contentOf(from, to)));
    const outcomes = await replacement.apply();
    expect(outcomes.filter(({ result }) => result === 'done')).toEqual([{ path: 'z', result: 'done' }]);
    await replacement.close();
    expect(listed(readTree(one.root))).toEqual(listed(new Map([...present, ['z', file('Z\n')]])));
  });
});

describe('permissions', () => {
  test('are exact whatever the umask, set-id bits included, and are never wider on the way', async () => {
    const to: Tree = new Map([
      ['a', file('a\n', 0o666)],
      ['private', file('p\n', 0o600)],
      ['runs', file('r\n', 0o4755)],
      ['d', folder(0o777)],
      ['d/x', file('x\n', 0o400)],
    ]);
    const one = makeBench(new Map([['private', file('old\n', 0o600)]]));
    const seen: number[] = [];
    const disk: Disk = {
      ...realDisk,
      write: (descriptor, bytes) => {
        seen.push(Number(realDisk.status(descriptor).mode & 0o7777n));
        return realDisk.write(descriptor, bytes);
      },
    };
    const before = process.umask(0);
    try {
      const from: Tree = new Map([['private', file('old\n', 0o600)]]);
      await replaceAll(one.on(disk), requestOf(changesBetween(from, to), contentOf(from, to)));
    } finally {
      process.umask(before);
    }
    expect(listed(readTree(one.root))).toEqual(listed(to));
    expect(new Set(seen)).toEqual(new Set([0o600]));
  });

  test('that the system does not take are reported', async () => {
    const to: Tree = new Map([['runs', file('r\n', 0o4755)]]);
    const one = makeBench(new Map());
    const disk: Disk = {
      ...realDisk,
      setPermissions: (descriptor, permissions) => {
        realDisk.setPermissions(descriptor, permissions & 0o777);
      },
    };
    const replacement = await one.on(disk).prepare(requestOf(changesBetween(new Map(), to), contentOf(to)));
    expect(await replacement.apply()).toEqual([{ path: 'runs', result: 'done', reason: 'permissions' }]);
    await replacement.close();
  });

  test('alone are changed in place: the file keeps its time and its inode', async () => {
    const from: Tree = new Map([['a', file('a\n', 0o644)]]);
    const to: Tree = new Map([['a', file('a\n', 0o755)]]);
    const one = makeBench(from);
    utimesSync(path.join(one.root, 'a'), 1, 1);
    const { ino } = lstatSync(path.join(one.root, 'a'));
    await replaceAll(one.on(), requestOf(changesBetween(from, to), contentOf(from, to)));
    const now = lstatSync(path.join(one.root, 'a'));
    expect([now.mode & 0o777, now.mtimeMs, now.ino]).toEqual([0o755, 1000, ino]);
  });

  test('that forbid writing refuse it all, with the reason, and change nothing', async ({ skip }) => {
    if (process.geteuid?.() !== 0 || !permissionsCount) return skip('only root can become somebody else');
    const from: Tree = new Map([
      ['d', folder(0o755)],
      ['d/x', file('x\n')],
      ['y', file('y\n', 0o666)],
    ]);
    const to: Tree = new Map([
      ['d', folder(0o755)],
      ['d/x', file('X\n')],
      ['y', file('Y\n', 0o666)],
    ]);
    const one = makeBench(from);
    for (const place of [one.folder, one.root, path.join(one.folder, 'git')]) chmodSync(place, 0o777);
    becomeOrdinary();
    try {
      const refused: unknown = await one
        .on()
        .prepare(requestOf(changesBetween(from, to), contentOf(from, to)))
        .catch((error: unknown) => error);
      expect(refused).toMatchObject({
        code: 'worktree_unwritable',
        data: { path: path.join(one.root, 'd') },
        message: expect.stringContaining(`${one.root}/d/`) as unknown,
      });
    } finally {
      becomeOneself();
    }
    expect(listed(readTree(one.root))).toEqual(listed(from));
    expect(await one.on().find()).toBeUndefined();
  });

  test('of one’s own that forbid writing are lifted for the change and put back', async ({ skip }) => {
    if (process.geteuid?.() !== 0 || !permissionsCount) return skip('only root can become somebody else');
    const from: Tree = new Map([
      ['d', folder(0o555)],
      ['d/x', file('x\n')],
      ['d/e', folder(0o500)],
      ['d/e/y', file('y\n', 0o400)],
    ]);
    const to: Tree = new Map([
      ['d', folder(0o500)],
      ['d/x', file('X\n', 0o600)],
      ['d/e', folder(0o755)],
      ['d/e/y', file('Y\n')],
    ]);
    becomeOrdinary();
    try {
      const one = makeBench(from);
      const request = requestOf(changesBetween(from, to), contentOf(from, to));
      await replaceAll(one.on(), request);
      expect(listed(readTree(one.root))).toEqual(listed(to));
      await replaceAll(one.on(), requestOf(changesBetween(to, from), contentOf(from, to)));
      expect(listed(readTree(one.root))).toEqual(listed(from));
      for (const name of ['d', 'd/e']) chmodSync(path.join(one.root, name), 0o700);
    } finally {
      becomeOneself();
    }
  });
});

describe('names that differ in case only', () => {
  test.each<readonly [string, Tree, Tree]>([
    ['a file', new Map([['Read', file('one\n')]]), new Map([['read', file('two\n')]])],
    ['the same file', new Map([['Read', file('one\n')]]), new Map([['read', file('one\n')]])],
    [
      'a directory',
      new Map([
        ['Dir', folder()],
        ['Dir/x', file('x\n')],
      ]),
      new Map([
        ['dir', folder()],
        ['dir/x', file('x\n')],
      ]),
    ],
    [
      'a directory to a file',
      new Map([
        ['Dir', folder()],
        ['Dir/x', file('x\n')],
      ]),
      new Map([['dir', file('x\n')]]),
    ],
  ])('are told apart where the disk does not tell them: %s', async (_, from, to) => {
    const one = makeBench(from);
    const content = contentOf(from, to);
    const replacement = await one.on(insensitiveDisk).prepare(requestOf(changesBetween(from, to), content));
    for (const { result } of await replacement.apply()) expect(result).toBe('done');
    expect(listed(readTree(one.root)).filter(([name]) => !name.includes('.savepoint-'))).toEqual(listed(to));
    await replacement.rollBack();
    await replacement.close();
    expect(listed(readTree(one.root))).toEqual(listed(from));
  });

  test('two that cannot both be there: the second one is a conflict, and nothing is lost', async () => {
    const to: Tree = new Map([
      ['a', file('one\n')],
      ['A', file('two\n')],
    ]);
    const one = makeBench(new Map());
    const replacement = await one.on(insensitiveDisk).prepare(requestOf(changesBetween(new Map(), to), contentOf(to)));
    expect((await replacement.apply()).map(({ result }) => result)).toEqual(['done', 'conflict']);
    await replacement.close();
    expect(listed(readTree(one.root))).toEqual([['a', file('one\n')]]);
  });
});

test('a long path, deeper than a system call takes at once, is made and removed', async () => {
  const tree = new Map<string, Node>();
  let at = '';
  for (let depth = 0; depth < 30; depth += 1) {
    at = at === '' ? 'n'.repeat(200) : `${at}/${'n'.repeat(200)}`;
    tree.set(at, folder());
  }
  tree.set(`${at}/file`, file('deep\n'));
  const one = makeBench(new Map());
  await replaceAll(one.on(), requestOf(changesBetween(new Map(), tree), contentOf(tree)));
  expect(execFileSync('find', ['-name', 'file', '-size', '5c'], { cwd: one.root, encoding: 'utf8' })).toContain(
    '/file',
  );
  await replaceAll(one.on(), requestOf(changesBetween(tree, new Map()), contentOf(tree)));
  expect([...readTree(one.root)]).toEqual([]);
});

test('what is not part of the change keeps its times', async () => {
  const from: Tree = new Map([
    ['a', file('a\n')],
    ['other', file('o\n')],
    ['d', folder()],
    ['d/x', file('x\n')],
  ]);
  const to: Tree = new Map([...from, ['a', file('A\n')]]);
  const one = makeBench(from);
  for (const name of ['other', 'd/x', 'd']) utimesSync(path.join(one.root, name), 1, 1);
  await replaceAll(one.on(), requestOf(changesBetween(from, to), contentOf(from, to)));
  for (const name of ['other', 'd/x', 'd']) expect(lstatSync(path.join(one.root, name)).mtimeMs).toBe(1000);
  expect(readFileSync(path.join(one.root, 'a'), 'utf8')).toBe('A\n');
});
