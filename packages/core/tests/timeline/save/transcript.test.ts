import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LogFile } from '../../../src/agents/adapter.js';
import { blake3 } from '../../../src/format/digest.js';
import { PART_BYTES } from '../../../src/format/v1/layout.js';
import { partPath } from '../../../src/format/v1/parts.js';
import { decodePart, decodeSource } from '../../../src/format/v1/records.js';
import { redactLine } from '../../../src/redact/redactor.js';
import type { LocalState } from '../../../src/store/local-state.js';
import { memoryLocalState } from '../../../src/store/memory/memory-local-state.js';
import { memoryStore } from '../../../src/store/memory/memory-store.js';
import { digestOfFiles } from '../../../src/timeline/save/folder-files.js';
import type { TranscriptEdit } from '../../../src/timeline/save/transcript-draft.js';
import { editTranscripts } from '../../../src/timeline/save/transcript-edit.js';
import { keepTranscripts, recallTranscripts } from '../../../src/timeline/save/transcript-memory.js';
import { PartCutter, type CutPart } from '../../../src/timeline/save/transcript-parts.js';

const AT = '2026-11-21T10:00:00.000Z';
const SESSION = '0b3c8f7e-1111-4222-8333-444455556666';
const TOKEN = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oRx'}`;
const TIMELINE = 'a'.repeat(32);

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const long = (bytes: number): string => 'lorem ipsum dolor '.repeat(Math.ceil(bytes / 18)).slice(0, bytes);
const json = (text: string): string => JSON.stringify({ type: 'user', message: { role: 'user', content: text } });

/** Lines without their ends, one character per byte. */
const line = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 3000 }).map((size) => json(long(size))) },
  { weight: 2, arbitrary: fc.constant(json(`the token is ${TOKEN} and stays here`)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '\r',
      'no json',
      `password=hunter2hunter2 ${TOKEN}`,
      '\xff\xfe\x00',
      '{"torn": "',
      `${json('crlf')}\r`,
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: PART_BYTES - 90, max: PART_BYTES + 2 }).map((size) => json(long(size))) },
  { weight: 1, arbitrary: fc.integer({ min: 100_000, max: 200_000 }).map((size) => `${json(long(size))}${TOKEN}`) },
);

const log = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
  .map(([lines, ended]) => latin1(`${lines.join('\n')}${ended && lines.length > 0 ? '\n' : ''}`));

function cut(bytes: Buffer, sizes: readonly number[] = []): CutPart[] {
  const cutter = new PartCutter(0);
  const parts: CutPart[] = [];
  let at = 0;
  for (const size of sizes) {
    parts.push(...cutter.push(bytes.subarray(at, at + size)));
    at += size;
  }
  if (at < bytes.length) parts.push(...cutter.push(bytes.subarray(at)));
  return [...parts, ...cutter.end()];
}

/** Parts by their digests: comparing megabytes one by one takes minutes. */
function digested(
  parts: readonly CutPart[],
): readonly { readonly bytes: number; readonly digest: string; readonly record: CutPart['record'] }[] {
  return parts.map(({ bytes, record }) => ({ bytes: bytes.length, digest: blake3(bytes), record }));
}

function redacted(bytes: Buffer): Buffer {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0x0a, at);
    pieces.push(
      redactLine(bytes.subarray(at, end < 0 ? bytes.length : end)).bytes,
      end < 0 ? Buffer.alloc(0) : latin1('\n'),
    );
    at = end < 0 ? bytes.length : end + 1;
  }
  return Buffer.concat(pieces);
}

describe('the parts of a log', () => {
  test('are the redacted log, in pieces of at most 64 KiB, each with what it says of itself', () => {
    fc.assert(
      fc.property(log, (bytes) => {
        const parts = cut(bytes);
        expect(Buffer.concat(parts.map((part) => part.bytes)).equals(redacted(bytes))).toBe(true);
        let offset = 0;
        for (const { bytes: stored, record } of parts) {
          expect(stored.length).toBeLessThanOrEqual(PART_BYTES);
          expect(record.offset).toBe(offset);
          offset += record.length;
          expect(record.continues === true || parts.at(-1)?.bytes === stored || stored.at(-1) === 0x0a).toBe(true);
          for (const { start, end } of record.spans) expect(start < end && end <= stored.length).toBe(true);
        }
        expect(offset).toBe(bytes.length);
      }),
      { numRuns: 60 },
    );
  });

  test('do not depend on how its bytes come in', () => {
    fc.assert(
      fc.property(log, fc.array(fc.integer({ min: 1, max: 70_000 }), { maxLength: 40 }), (bytes, sizes) => {
        expect(digested(cut(bytes, sizes))).toEqual(digested(cut(bytes)));
      }),
      { numRuns: 60 },
    );
  });

  test('do not depend on it at the border where a line becomes too long to hold, either', () => {
    const most = 4 * 1024 * 1024;
    for (const size of [most - 1, most, most + 1, most + 200_000]) {
      const bytes = latin1(`${json('before')}\n{"t": "${long(size - 12)} ${TOKEN.slice(0, 3)}"}\n${json('after')}\n`);
      const whole = digested(cut(bytes));
      expect(
        digested(
          cut(
            bytes,
            Array.from({ length: 40 }, () => 131_000),
          ),
        ),
      ).toEqual(whole);
      expect(digested(cut(bytes, [most - 10, 7, 3, 1]))).toEqual(whole);
      expect(Math.max(...whole.map((part) => part.bytes))).toBeLessThanOrEqual(PART_BYTES);
    }
  });

  test('of a line of 50 MB come one by one, with bounded memory', () => {
    const piece = latin1(long(256 * 1024));
    const cutter = new PartCutter(0);
    let [bytes, parts, most] = [0, 0, 0];
    const take = (cuts: Iterable<CutPart>): void => {
      for (const part of cuts) {
        bytes += part.bytes.length;
        parts += 1;
      }
    };
    const before = process.memoryUsage().rss;
    for (let sent = 0; sent < 50 * 1024 * 1024; sent += piece.length) {
      take(cutter.push(piece));
      most = Math.max(most, process.memoryUsage().rss - before);
    }
    take(cutter.push(latin1('\n')));
    take(cutter.end());
    expect(bytes).toBe(50 * 1024 * 1024 + 1);
    expect(parts).toBe(Math.ceil(bytes / PART_BYTES));
    expect(most).toBeLessThan(150 * 1024 * 1024);
  });
});

interface Bench {
  /** Takes the log in and commits; returns the edit. */
  take(bytes: Buffer, options?: { readonly session?: string; readonly file?: string }): Promise<TranscriptEdit>;
  loseCache(): Promise<void>;
  /** How often something was written beside the store. */
  written(): number;
  /** Path to content below `transcript/`, one character per byte. */
  files(): Promise<Record<string, string>>;
}

function bench(): Bench {
  const store = memoryStore();
  const files = memoryLocalState();
  let written = 0;
  const local: LocalState = {
    ...files,
    write: (...parts) => {
      written += 1;
      return files.write(...parts);
    },
  };
  const ref = `timelines/${TIMELINE}`;
  let head: string | undefined;
  let tree: string | undefined;
  const content = async (id: string): Promise<Uint8Array> => (await store.read(id, 'blob')) ?? Buffer.from('missing');
  const list = async (id: string | undefined, prefix = ''): Promise<Record<string, string>> => {
    const found: Record<string, string> = {};
    for (const entry of id === undefined ? [] : ((await store.tree(id)) ?? [])) {
      const path = prefix + entry.name;
      if (entry.mode === '040000') Object.assign(found, await list(entry.id, `${path}/`));
      else found[path] = entry.id;
    }
    return found;
  };
  return {
    async take(bytes, { session = SESSION, file = `/logs/${SESSION}.jsonl` } = {}) {
      const writer = store.writer();
      const memory = await recallTranscripts({ store, local, timeline: TIMELINE }, tree);
      const present = await list(tree);
      const stored = async (path: string): Promise<Uint8Array | undefined> =>
        present[path] === undefined ? undefined : content(present[path]);
      const location = { agent: 'claude-code', session, file, modified: 0 };
      const input = { location, log: logOf(bytes), guessed: false, at: AT };
      const edit = await editTranscripts({ sink: writer, stored }, memory, [input]);
      const commit = await writer.commit({
        ref,
        ...(head === undefined ? {} : { expected: head }),
        message: 'm\n',
        folders: [edit.folder],
        seal: (folders) => {
          tree = folders.get('transcript');
          return new Map([['snapshot.json', Buffer.from('{}')]]);
        },
      });
      head = commit.id;
      await keepTranscripts({ local, timeline: TIMELINE }, { ...edit.memory, tree }, memory.cached);
      // The digest of the slice is that of the files that are there.
      const files = new Map<string, { bytes: number; digest: string }>();
      for (const [path, id] of Object.entries(await list(tree))) {
        const there = await content(id);
        files.set(path, { bytes: there.length, digest: blake3(there) });
      }
      expect(digestOfFiles(edit.memory.files)).toEqual(digestOfFiles(files));
      return edit;
    },
    written: () => written,
    loseCache: () => local.remove(`cache/transcripts/${TIMELINE}.json`),
    async files() {
      const found: Record<string, string> = {};
      for (const [path, id] of Object.entries(await list(tree)))
        found[path] = Buffer.from(await content(id)).toString('latin1');
      return found;
    },
  };
}

function logOf(bytes: Buffer): LogFile {
  return {
    size: bytes.length,
    async *read(from, to) {
      for (let at = from; at < Math.min(to, bytes.length); at += 50_000) {
        yield await Promise.resolve(bytes.subarray(at, Math.min(at + 50_000, to, bytes.length)));
      }
    },
  };
}

function sourceOf(files: Record<string, string>, folder = SESSION): ReturnType<typeof decodeSource> {
  return decodeSource(latin1(files[`${folder}/source.json`] ?? ''));
}

describe('a transcript', () => {
  test('that grew many times is stored as if it had been taken once, with its cache or without', async () => {
    const growths = fc.tuple(
      log,
      fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean()), { maxLength: 5 }),
    );
    await fc.assert(
      fc.asyncProperty(growths, async ([bytes, stops]) => {
        const [many, once] = [bench(), bench()];
        for (const [share, lose] of [...stops].sort(([a], [b]) => a - b)) {
          const { notes } = await many.take(bytes.subarray(0, Math.floor(bytes.length * share)));
          expect(notes).toEqual([]);
          if (lose) await many.loseCache();
        }
        const last = await many.take(bytes);
        expect(last.notes).toEqual([]);
        await once.take(bytes);
        expect(await many.files()).toEqual(await once.files());
        expect((await many.take(bytes)).changed).toBe(false);
        await many.loseCache();
        expect((await many.take(bytes)).changed).toBe(false);
      }),
      { numRuns: 40 },
    );
  });

  test('that has not changed is not remembered again', async () => {
    const { take, written, loseCache } = bench();
    await take(latin1('one line\n'));
    expect(written()).toBe(1);
    await take(latin1('one line\n'));
    expect(written()).toBe(1);
    await take(latin1('one line\nand another\n'));
    expect(written()).toBe(2);
    await loseCache();
    await take(latin1('one line\nand another\n'));
    expect(written()).toBe(3);
  });

  test('with a secret in its torn last line keeps neither secret nor leftovers when the line is whole', async () => {
    const { take, files } = bench();
    // Half a line is text, in which much looks harmless; the whole one is a secret's value.
    const secret = `${json('x')}\n{"password": "${'correct horse battery '.repeat(8000)}`;
    await take(latin1(secret));
    await take(latin1(`${secret}"}\n`));
    const stored = await files();
    const { parts } = sourceOf(stored);
    expect(Object.keys(stored).filter((name) => name.endsWith('.jsonl'))).toHaveLength(parts);
  });

  test('that was cut keeps the longer copy and notes it once', async () => {
    const { take, files, loseCache } = bench();
    const whole = latin1(Array.from({ length: 50 }, (_, at) => `${json(`${String(at)} ${long(2500)}`)}\n`).join(''));
    await take(whole);
    const before = await files();
    for (const size of [whole.length - 2600, whole.length - 40, 70_000, 10, 0]) {
      const { notes, changed } = await take(whole.subarray(0, size));
      expect(notes).toEqual([expect.stringMatching(/became shorter/)]);
      expect(changed).toBe(true);
      expect(await take(whole.subarray(0, size))).toMatchObject({ notes: [], changed: false });
      await loseCache();
      expect(await take(whole.subarray(0, size))).toMatchObject({ notes: [], changed: false });
    }
    const after = await files();
    expect({ ...after, [`${SESSION}/source.json`]: '' }).toEqual({ ...before, [`${SESSION}/source.json`]: '' });
    expect(sourceOf(after).shrunk?.map(({ to }) => to)).toEqual([
      whole.length - 2600,
      whole.length - 40,
      70_000,
      10,
      0,
    ]);
    const grown = latin1(`${whole.toString('latin1')}${json('later')}\n`);
    expect((await take(grown)).notes).toEqual([]);
    expect(sourceOf(await files()).bytes).toBe(grown.length);
  });

  test('that was rewritten is kept beside the earlier one, and grows there', async () => {
    const { take, files } = bench();
    const [old, young] = ['old', 'new'].map((word) => `${json(word)}\n`.repeat(10)) as [string, string];
    await take(latin1(old));
    const before = await files();
    expect((await take(latin1(young))).notes).toEqual([expect.stringMatching(/rewritten/)]);
    expect((await take(latin1(`${young}more\n`))).notes).toEqual([]);
    const after = await files();
    expect(after).toMatchObject(before);
    expect(after[`${SESSION}.2/${partPath(0)}.jsonl`]).toBe(`${young}more\n`);
    expect(decodePart(latin1(after[`${SESSION}.2/${partPath(0)}.json`] ?? '')).unreadable).toEqual([10]);
    expect(sourceOf(after, `${SESSION}.2`).shrunk).toHaveLength(1);
  });

  test('has a sidecar only for a part of which the bytes do not say all', async () => {
    const { take, files, loseCache } = bench();
    const lines = `${json('x')}\n`.repeat(5);
    await take(latin1(lines));
    expect(Object.keys(await files())).toEqual([`${SESSION}/${partPath(0)}.jsonl`, `${SESSION}/source.json`]);
    expect(sourceOf(await files()).redactor).toMatch(/^savepoint-redact\//);
    await take(latin1(`${lines}torn`));
    expect(decodePart(latin1((await files())[`${SESSION}/${partPath(0)}.json`] ?? '')).unreadable).toEqual([5]);
    expect(sourceOf(await files()).redactor).toBeUndefined();
    await loseCache();
    const many = `${json('y'.repeat(1000))}\n`.repeat(200);
    await take(latin1(`${lines}torn\n${many}`));
    const [names, source] = [Object.keys(await files()), sourceOf(await files())];
    expect(names.filter((name) => /\d\.json$/.test(name))).toEqual([`${SESSION}/${partPath(0)}.json`]);
    expect(source).toMatchObject({ parts: 4, redactor: expect.stringMatching(/^savepoint-redact\//) as string });
  });

  test('that is empty has a source and no parts', async () => {
    const { take, files } = bench();
    await take(Buffer.alloc(0));
    expect(Object.keys(await files())).toEqual([`${SESSION}/source.json`]);
    expect((await take(Buffer.alloc(0))).changed).toBe(false);
  });

  test('has no secret in the names that it is kept under', async () => {
    const { take, files } = bench();
    await take(latin1(`${json('x')}\n`), { session: TOKEN, file: `/logs/${TOKEN}.jsonl` });
    expect(JSON.stringify(await files())).not.toContain(TOKEN.slice(4));
  });

  test.each(['..', 'a/b', '', '.git', 'x'.repeat(300), 'source.json', '\n'])(
    'of the session %j lies in a harmless folder',
    async (session) => {
      const { take, files } = bench();
      if (session !== '') await take(latin1('{}\n'), { session });
      for (const name of Object.keys(await files())) expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9_-]*\//);
    },
  );
});
