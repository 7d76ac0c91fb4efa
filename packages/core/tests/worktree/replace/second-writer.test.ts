import {
  appendFileSync,
  chmodSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { removeTree } from '@savepoint/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import type { Disk } from '../../../src/worktree/replace/disk/disk.js';
import type { Replacement } from '../../../src/worktree/replace/replacement.js';
import { bench, contentOf, quickFolder, requestOf, type Bench } from './bench.js';
import { faultyDisk } from './faulty-disk.js';
import { changesBetween, listed, readTree, USUAL, type Node, type Tree } from './trees.js';

const file = (text: string, mode = 0o644): Node => ({ kind: 'file', text, mode });
const folder: Node = { kind: 'directory', mode: USUAL };
const FROM: Tree = new Map([
  ['a', file('first\n')],
  ['b', file('other\n')],
  ['gone', file('going\n')],
  ['d', folder],
  ['d/x', file('x\n')],
  ['run', file('run\n')],
]);
const TO: Tree = new Map([
  ['a', file('second\n')],
  ['b', file('another\n')],
  ['d', folder],
  ['d/x', file('x too\n')],
  ['made', file('made\n')],
  ['run', file('run\n', 0o755)],
]);
const content = contentOf(FROM, TO);
const request = requestOf(changesBetween(FROM, TO), content);

const benches: string[] = [];

function makeBench(tree = FROM): Bench & { readonly at: (file: string) => string } {
  const made = bench(tree, quickFolder());
  benches.push(made.folder);
  return { ...made, at: (name) => path.join(made.root, name) };
}

afterEach(() => {
  for (const each of benches.splice(0)) removeTree(each);
});

const text = (name: string): string => readFileSync(name, 'utf8');

describe('an edit between plan and change', () => {
  test.each<readonly [string, (at: (file: string) => string) => void]>([
    [
      'of the content',
      (at) => {
        writeFileSync(at('a'), 'mine!\n');
      },
    ],
    [
      'of the same length, with the old time put back',
      (at) => {
        const { atime, mtime } = lstatSync(at('a'));
        writeFileSync(at('a'), 'FIRST\n');
        utimesSync(at('a'), atime, mtime);
      },
    ],
    [
      'by an atomic save',
      (at) => {
        writeFileSync(at('saving'), 'mine!\n');
        renameSync(at('saving'), at('a'));
      },
    ],
    [
      'of the mode',
      (at) => {
        chmodSync(at('a'), 0o600);
      },
    ],
    [
      'that removes it',
      (at) => {
        rmSync(at('a'));
      },
    ],
    [
      'that makes it a link',
      (at) => {
        rmSync(at('a'));
        symlinkSync('b', at('a'));
      },
    ],
    [
      'that makes it a directory',
      (at) => {
        rmSync(at('a'));
        mkdirSync(at('a'));
        writeFileSync(at('a/inner'), 'mine!\n');
      },
    ],
  ])('is left alone and named, one %s', async (_, edit) => {
    const { on, at, root } = makeBench();
    const replacement = await on().prepare(request);
    edit(at);
    const edited = [...readTree(root)].filter(([name]) => name === 'a' || name.startsWith('a/'));
    const outcomes = await replacement.apply();
    expect(outcomes.find(({ path: name }) => name === 'a')).toMatchObject({ result: 'conflict', reason: 'changed' });
    expect(outcomes.filter(({ result }) => result !== 'done')).toHaveLength(1);
    expect(await replacement.close()).toEqual([]);
    const now = [...readTree(root)];
    expect(now.filter(([name]) => name === 'a' || name.startsWith('a/'))).toEqual(edited);
    expect(text(at('b'))).toBe('another\n');
  });

  test('takes everything back where conflicts are refused, and closes', async () => {
    const { on, at } = makeBench();
    const replacements = on();
    const replacement = await replacements.prepare({ ...request, conflicts: 'refuse' });
    writeFileSync(at('d/x'), 'mine!\n');
    await expect(replacement.apply()).rejects.toMatchObject({ code: 'worktree_changed', data: { path: 'd/x' } });
    expect([text(at('a')), text(at('b')), text(at('gone')), text(at('d/x'))]).toEqual([
      'first\n',
      'other\n',
      'going\n',
      'mine!\n',
    ]);
    expect(await replacements.find()).toBeUndefined();
    await expect(on().prepare({ ...request, conflicts: 'refuse' })).rejects.toMatchObject({ code: 'worktree_changed' });
    expect(await replacements.find()).toBeUndefined();
  });

  test('of a name that is to be made is not overwritten', async () => {
    const { on, at } = makeBench();
    const replacement = await on().prepare(request);
    writeFileSync(at('made'), 'mine!\n');
    expect(await replacement.apply()).toContainEqual({ path: 'made', result: 'conflict', reason: 'changed' });
    await replacement.rollBack();
    expect(text(at('made'))).toBe('mine!\n');
    expect(text(at('a'))).toBe('first\n');
    await replacement.close();
  });
});

/** Does something immediately before each call in turn, in a worktree of its own; `edit` returns the bytes it wrote. */
async function atEveryCall(edit: (at: (file: string) => string) => string | undefined): Promise<number> {
  let met = 0;
  const counting = faultyDisk(undefined);
  const first = makeBench();
  const all = await first.on(counting.disk).prepare(request);
  const prepared = counting.calls();
  await all.apply();
  await all.close();
  for (let when = prepared + 1; when <= counting.calls(); when += 1) {
    const one = makeBench();
    let written: string | undefined;
    const { disk } = faultyDisk(undefined, (count) => {
      if (count === when) written = edit(one.at);
    });
    const replacement = await one.on(disk).prepare(request);
    const outcomes = [...(await replacement.apply()), ...(await replacement.close())];
    const texts = [...readTree(one.root).values()].map((node) => (node.kind === 'file' ? node.text : ''));
    // Whoever wrote last keeps what was written, whether under the name or beside it.
    if (written !== undefined)
      expect({ when, texts }).toEqual({ when, texts: expect.arrayContaining([written]) as unknown });
    met += outcomes.some(({ result }) => result === 'conflict') ? 1 : 0;
    for (const each of benches.splice(0)) removeTree(each);
  }
  return met;
}

describe('an edit in the very moment of the change, before any call', () => {
  test('by an atomic save loses nothing', async () => {
    const met = await atEveryCall((at) => {
      writeFileSync(at('saving'), 'mine!\n');
      renameSync(at('saving'), at('a'));
      return 'mine!\n';
    });
    expect(met).toBeGreaterThan(10);
  });

  test('in place, by somebody who opens the file by its name, loses nothing', async () => {
    const met = await atEveryCall((at) => {
      try {
        const descriptor = openSync(at('a'), 'r+');
        writeSync(descriptor, 'MINE!\n');
        closeSync(descriptor);
        return readFileSync(at('a'), 'latin1');
      } catch {
        return undefined;
      }
    });
    expect(met).toBeGreaterThan(10);
  });

  test('through a descriptor that was open all the time is kept beside the file', async () => {
    const one = makeBench();
    const descriptor = openSync(one.at('a'), 'r+');
    const replacement = await one.on().prepare(request);
    await replacement.apply();
    writeSync(descriptor, 'LATE!\n');
    closeSync(descriptor);
    expect(text(one.at('a'))).toBe('second\n');
    const [given] = await replacement.close();
    expect(given).toMatchObject({ path: 'a', result: 'conflict', reason: 'changed' });
    expect(text(one.at(given?.keptAs ?? ''))).toBe('LATE!\n');
  });

  test('that makes a name which is about to be given is kept', async () => {
    const met = await atEveryCall((at) => {
      try {
        writeFileSync(at('made'), 'mine!\n', { flag: 'wx' });
        return 'mine!\n';
      } catch {
        return undefined;
      }
    });
    expect(met).toBeGreaterThan(10);
  });

  test.each<readonly [string, (at: (file: string) => string) => void]>([
    [
      'removes files',
      (at) => {
        for (const name of ['a', 'run']) rmSync(at(name), { force: true });
      },
    ],
    [
      'makes links of files',
      (at) => {
        for (const name of ['a', 'run']) {
          rmSync(at(name), { force: true });
          symlinkSync('b', at(name));
        }
      },
    ],
  ])('that %s is a conflict of theirs and stops nothing else', async (_, edit) => {
    const met = await atEveryCall((at) => {
      edit(at);
      return 'x too\n';
    });
    expect(met).toBeGreaterThan(10);
  });

  test('that puts a link in the place of a directory writes nothing behind it', async () => {
    const counting = faultyDisk(undefined);
    const count = await makeBench().on(counting.disk).prepare(request);
    await count.apply();
    await count.close();
    for (let when = 1; when <= counting.calls(); when += 1) {
      const one = makeBench();
      const outside = path.join(one.folder, 'outside');
      mkdirSync(outside);
      writeFileSync(path.join(outside, 'x'), 'x\n');
      utimesSync(path.join(outside, 'x'), 1, 1);
      utimesSync(outside, 1, 1);
      const { disk } = faultyDisk(undefined, (call) => {
        if (call !== when) return;
        renameSync(one.at('d'), one.at('moved'));
        symlinkSync(outside, one.at('d'));
      });
      await runQuietly(one, disk);
      const status = lstatSync(path.join(outside, 'x'));
      expect({ when, text: text(path.join(outside, 'x')), mtime: status.mtimeMs, mode: status.mode & 0o777 }).toEqual({
        when,
        text: 'x\n',
        mtime: 1000,
        mode: 0o644,
      });
      expect({ when, mtime: lstatSync(outside).mtimeMs }).toEqual({ when, mtime: 1000 });
      for (const each of benches.splice(0)) removeTree(each);
    }
  });
});

/** Whether it ends well is not the question. */
async function runQuietly({ on }: Bench, disk: Disk): Promise<void> {
  try {
    const replacement = await on(disk).prepare(request);
    await replacement.apply();
    await replacement.close();
  } catch {
    // A directory went away under it.
  }
}

test('several names of one file each become what they should, and what they were on the way back', async () => {
  const names = ['content', 'gone', 'mode', 'folder', 'link'];
  const from: Tree = new Map(names.map((name) => [name, file('shared\n')]));
  const to: Tree = new Map<string, Node>([
    ['content', file('own\n')],
    ['mode', file('shared\n', 0o755)],
    ['folder', folder],
    ['folder/inner', file('inner\n')],
    ['link', { kind: 'link', text: 'mode' }],
  ]);
  const one = makeBench(new Map([['content', file('shared\n')]]));
  for (const name of names.slice(1)) linkSync(one.at('content'), one.at(name));
  const request = requestOf(changesBetween(from, to), contentOf(from, to));
  const results = async (replacement: Replacement, back: boolean): Promise<string[]> =>
    (await (back ? replacement.rollBack() : replacement.apply())).map(({ result }) => result);
  for (const back of [true, false]) {
    const replacement = await one.on().prepare(request);
    expect(new Set(await results(replacement, false))).toEqual(new Set(['done']));
    if (back) expect(new Set(await results(replacement, true))).toEqual(new Set(['done']));
    expect(await replacement.close()).toEqual([]);
    expect(listed(readTree(one.root))).toEqual(listed(back ? from : to));
  }
});

describe('what leads out of the worktree', () => {
  test('a hard link is broken: the other name keeps bytes, mode and time', async () => {
    const from: Tree = new Map([
      ['content', file('shared\n')],
      ['mode', file('shared too\n')],
    ]);
    const to: Tree = new Map([
      ['content', file('own\n')],
      ['mode', file('shared too\n', 0o755)],
    ]);
    const one = makeBench(from);
    for (const name of ['content', 'mode']) {
      linkSync(one.at(name), path.join(one.folder, name));
      utimesSync(one.at(name), 1, 1);
    }
    const replacement = await one.on().prepare(requestOf(changesBetween(from, to), contentOf(from, to)));
    expect((await replacement.apply()).map(({ result }) => result)).toEqual(['done', 'done']);
    await replacement.close();
    expect([...readTree(one.root)].sort()).toEqual([...to]);
    for (const [name, node] of from) {
      const { mode, mtimeMs } = lstatSync(path.join(one.folder, name));
      expect({ name, mode: mode & 0o777, mtimeMs }).toEqual({ name, mode: 0o644, mtimeMs: 1000 });
      expect(text(path.join(one.folder, name))).toBe(node.kind === 'file' ? node.text : '');
    }
  });

  test('a link in the place of a file is replaced, and what it points to is not touched', async () => {
    const from: Tree = new Map([['a', { kind: 'link', text: '../victim' }]]);
    const to: Tree = new Map([['a', file('a file\n')]]);
    const one = makeBench(from);
    writeFileSync(path.join(one.folder, 'victim'), 'victim\n');
    utimesSync(path.join(one.folder, 'victim'), 1, 1);
    const replacement = await one.on().prepare(requestOf(changesBetween(from, to), contentOf(from, to)));
    await replacement.apply();
    await replacement.close();
    expect(text(one.at('a'))).toBe('a file\n');
    expect(text(path.join(one.folder, 'victim'))).toBe('victim\n');
    expect(lstatSync(path.join(one.folder, 'victim')).mtimeMs).toBe(1000);
  });

  test('a link in the place of a directory is not followed where the plan says directory', async () => {
    const one = makeBench();
    rmSync(one.at('d'), { recursive: true });
    mkdirSync(path.join(one.folder, 'outside'));
    appendFileSync(path.join(one.folder, 'outside', 'x'), 'x\n');
    symlinkSync('../outside', one.at('d'));
    const replacement = await one.on().prepare(request);
    expect(await replacement.apply()).toContainEqual({
      path: 'd/x',
      result: 'conflict',
      reason: expect.any(String) as unknown,
    });
    await replacement.close();
    expect([...readTree(path.join(one.folder, 'outside'))]).toEqual([['x', file('x\n')]]);
  });
});
