import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDirectory } from '@savepoint/testkit';
import { describe, expect, test } from 'vitest';
import { objectId } from '../../src/model/tree/object-id.js';
import type { BlobSink } from '../../src/model/tree/tree.js';
import { Intake, type IntakeRequest, type Taken } from '../../src/worktree/file/intake.js';

const MEGABYTE = 1024 * 1024;
const idOf = (bytes: Uint8Array): string => objectId('sha1', 'blob', bytes);

interface Bench {
  readonly root: string;
  readonly stored: Map<string, Uint8Array>;
  write(name: string, content: string | Uint8Array): void;
  take(names: readonly string[], request?: Partial<IntakeRequest>): Promise<Map<string, Taken>>;
}

function bench(): Bench {
  const root = temporaryDirectory();
  const stored = new Map<string, Uint8Array>();
  const sink: BlobSink = {
    blob(bytes) {
      stored.set(idOf(bytes), Uint8Array.from(bytes));
      return Promise.resolve(idOf(bytes));
    },
    async blobFrom(size, chunks) {
      const pieces: Uint8Array[] = [];
      for await (const chunk of chunks) pieces.push(Uint8Array.from(chunk));
      const bytes = Buffer.concat(pieces);
      if (bytes.length !== size) throw new Error('the size is wrong');
      return sink.blob(bytes);
    },
  };
  return {
    root,
    stored,
    write: (name, content) => {
      writeFileSync(path.join(root, name), content);
    },
    async take(names, request = {}) {
      const results = new Map<string, Taken>();
      const intake = new Intake({
        root,
        objectFormat: 'sha1',
        sink,
        objects: { info: (ids) => Promise.resolve(ids.map(() => undefined)) },
        maxFileBytes: 100 * MEGABYTE,
        maxNewBytes: 1000 * MEGABYTE,
        stored: [],
        began: Number.MAX_SAFE_INTEGER,
        enter: (name, taken) => results.set(name, taken),
        ...request,
      });
      for (const name of names) await intake.take(name);
      await intake.flush();
      return results;
    },
  };
}

/** A sink that does something to a file the first time that content comes in. */
function meddling(stored: Bench['stored'], meddle: () => void): BlobSink {
  const sink: BlobSink = {
    blob: (bytes) => {
      stored.set(idOf(bytes), Uint8Array.from(bytes));
      return Promise.resolve(idOf(bytes));
    },
    async blobFrom(size, chunks) {
      meddle();
      const pieces: Uint8Array[] = [];
      for await (const chunk of chunks) pieces.push(Uint8Array.from(chunk));
      const bytes = Buffer.concat(pieces);
      if (bytes.length !== size) throw new Error(`${String(bytes.length)} bytes instead of ${String(size)}`);
      return sink.blob(bytes);
    },
  };
  return sink;
}

describe('taking in', () => {
  test.each([0, 1, MEGABYTE - 1, MEGABYTE, MEGABYTE + 1, 3 * MEGABYTE])(
    'a file of %i bytes stores exactly these',
    async (size) => {
      const { take, write, stored } = bench();
      const content = Buffer.alloc(size, 'abcdefg');
      write('file', content);
      const taken = (await take(['file'])).get('file');
      expect(taken).toMatchObject({ kind: 'content', mode: '100644', blob: idOf(content), size });
      expect(Buffer.compare(stored.get(idOf(content)) ?? Buffer.from('none'), content)).toBe(0);
    },
  );

  test('what is no file, or not there, opens nothing', async () => {
    const { take, root } = bench();
    spawnSync('mkfifo', [path.join(root, 'fifo')]);
    symlinkSync('/nowhere', path.join(root, 'link'));
    const taken = await take(['fifo', 'link', 'nothing', '', 'link/below']);
    expect([...taken].map(([name, { kind }]) => `${name} ${kind}`)).toEqual([
      'fifo special',
      'nothing absent',
      ' absent',
      'link/below absent',
      'link content',
    ]);
    expect(taken.get('link')).toMatchObject({ mode: '120000', blob: idOf(Buffer.from('/nowhere')) });
  });

  test('a file of system that says it is empty and is not leaves it out as changing', async () => {
    const { take } = bench();
    const taken = (await take(['version'], { root: '/proc' })).get('version');
    expect(readFileSync('/proc/version').length).toBeGreaterThan(0);
    expect(taken).toMatchObject({ kind: 'omitted', reason: 'changing' });
  });

  const changes: readonly (readonly [string, (file: string) => void, object | string])[] = [
    [
      'grows',
      (file) => {
        appendFileSync(file, 'more');
      },
      { kind: 'content', size: 2 * MEGABYTE },
    ],
    [
      'changes',
      (file) => {
        writeFileSync(file, Buffer.alloc(2 * MEGABYTE, 'y'));
      },
      { kind: 'omitted', reason: 'changing' },
    ],
    [
      'shrinks',
      (file) => {
        truncateSync(file, 100);
      },
      '100 bytes instead of',
    ],
    [
      'goes away',
      (file) => {
        rmSync(file);
      },
      'went away',
    ],
    [
      'becomes a link',
      (file) => {
        rmSync(file);
        symlinkSync('/etc/hostname', file);
      },
      'went away',
    ],
    [
      'becomes a FIFO',
      (file) => {
        rmSync(file);
        spawnSync('mkfifo', [file]);
      },
      '0 bytes instead of',
    ],
  ];
  test.each(changes)('a large file that %s between the two reads stores no mixture', async (_, change, outcome) => {
    const { take, write, stored, root } = bench();
    const content = Buffer.alloc(2 * MEGABYTE, 'x');
    write('large', content);
    const sink = meddling(stored, () => {
      change(path.join(root, 'large'));
    });
    const taking = take(['large'], { sink });
    if (typeof outcome === 'string') await expect(taking).rejects.toThrow(outcome);
    else {
      const taken = (await taking).get('large');
      expect(taken).toMatchObject(outcome);
      if (taken?.kind === 'content') expect(stored.has(taken.blob) && taken.blob === idOf(content)).toBe(true);
      else expect(taken).toMatchObject({ key: '' });
    }
  });
});

describe('a limit', () => {
  const sized = (names: readonly string[], size: number): Map<string, Buffer> =>
    new Map(names.map((name) => [name, Buffer.alloc(size, name)]));

  test('on a file leaves out the larger ones, with their size, and says it again only when they change', async () => {
    const { take, write } = bench();
    write('exact', Buffer.alloc(1000));
    write('more', Buffer.alloc(1001));
    const taken = await take(['exact', 'more'], { maxFileBytes: 1000 });
    expect(taken.get('exact')).toMatchObject({ kind: 'content' });
    expect(taken.get('more')).toMatchObject({ kind: 'omitted', reason: 'too_large', size: 1001 });
  });

  test('on new content counts only what is new, and never leaves out what the store has', async () => {
    const { take, write } = bench();
    const files = sized(['a', 'b', 'c', 'd', 'e'], 100);
    for (const [name, content] of files) write(name, content);
    const known = new Set(['a', 'b', 'c', 'd'].map((name) => idOf(files.get(name) ?? Buffer.alloc(0))));
    const objects: IntakeRequest['objects'] = {
      info: (ids) =>
        Promise.resolve(ids.map((id) => (known.has(id) ? { type: 'blob' as const, size: 100 } : undefined))),
    };
    const taken = await take([...files.keys()], { maxNewBytes: 150, objects });
    expect([...taken.values()].map(({ kind }) => kind)).toEqual(Array.from({ length: 5 }, () => 'content'));
    const none = await take([...files.keys()], { maxNewBytes: 250 });
    expect([...none.values()].map((one) => (one.kind === 'omitted' ? one.reason : one.kind))).toEqual([
      'content',
      'content',
      'over_limit',
      'over_limit',
      'over_limit',
    ]);
  });

  test('does not count the same content twice', async () => {
    const { take, write } = bench();
    for (const name of ['a', 'b', 'c']) write(name, 'the same');
    const taken = await take(['a', 'b', 'c'], { maxNewBytes: 8 });
    expect([...taken.values()].every(({ kind }) => kind === 'content')).toBe(true);
  });

  test('on a file does not hold for content that the store has', async () => {
    const { take, write } = bench();
    write('large', Buffer.alloc(2 * MEGABYTE));
    const objects: IntakeRequest['objects'] = {
      info: (ids) => Promise.resolve(ids.map(() => ({ type: 'blob' as const, size: 1 }))),
    };
    expect((await take(['large'], { maxFileBytes: 10, objects })).get('large')).toMatchObject({ kind: 'content' });
  });
});
