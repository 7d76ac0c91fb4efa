import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { runGit, temporaryDirectory } from '@savepoint/testkit';
import { describe, expect, test } from 'vitest';
import { collapse } from '../../src/worktree/index/user-index.js';
import {
  decodePrivateIndex,
  encodePrivateIndex,
  IndexedFiles,
  patchPrivateIndex,
  type PrivateEntry,
} from '../../src/worktree/index/private-index.js';

type Format = 'sha1' | 'sha256';
const FORMATS: readonly Format[] = ['sha1', 'sha256'];
const KEY = '1700000000123456789 1700000001987654321 12 4294967297 33188 1000 1000 2049';

// Any bytes but NUL and `/`; short ones, so that paths are alike, and some very long.
const component = fc.oneof(
  fc
    .string({
      unit: fc
        .integer({ min: 1, max: 255 })
        .filter((byte) => byte !== 0x2f)
        .map((byte) => String.fromCharCode(byte)),
      minLength: 1,
      maxLength: 3,
    })
    .filter((part) => !/^\.{1,2}$/.test(part) && !/git/i.test(part)),
  fc.constantFrom('a', 'b', 'a.b', 'a-b', '__proto__'),
);
const paths = fc.uniqueArray(
  fc.array(component, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
  { maxLength: 30 },
);

const entry = (format: Format) =>
  fc.record({
    mode: fc.constantFrom(0o100644, 0o100755, 0o120000),
    blob: fc.string({
      unit: fc.constantFrom(...'0123456789abcdef'),
      minLength: format === 'sha1' ? 40 : 64,
      maxLength: format === 'sha1' ? 40 : 64,
    }),
    key: fc.constantFrom('', KEY),
    size: fc.nat(),
  });

const index = (format: Format): fc.Arbitrary<Map<string, PrivateEntry>> =>
  paths.chain((names) =>
    fc
      .array(entry(format), { minLength: names.length, maxLength: names.length })
      .map((entries) => new Map(names.map((name, at) => [name, entries[at]] as [string, PrivateEntry]))),
  );

const encode = (format: Format, entries: ReadonlyMap<string, PrivateEntry>): Buffer =>
  encodePrivateIndex(format, [...entries.keys()], (name) => entries.get(name));

describe.each(FORMATS)('a private index (%s)', (format) => {
  test('gives every entry back, finds each, and finds nothing else', () => {
    fc.assert(
      fc.property(index(format), paths, (entries, others) => {
        const bytes = encode(format, entries);
        expect([...(decodePrivateIndex(format, bytes) ?? [])].map(([name]) => name).sort()).toEqual(
          [...entries.keys()].sort(),
        );
        const files = new IndexedFiles(format, bytes);
        for (const [name, { mode, blob, size }] of entries) expect(files.find(name)).toEqual({ mode, blob, size });
        for (const name of others) if (!entries.has(name)) expect(files.find(name)).toBeUndefined();
      }),
    );
  });

  test('that is patched is the one that is made at once', () => {
    fc.assert(
      fc.property(index(format), index(format), fc.func(fc.boolean()), (before, after, keeps) => {
        const old = decodePrivateIndex(format, encode(format, before)) ?? new Map<string, Buffer>();
        const removed = [...before.keys()].filter((name) => keeps(name));
        const changes = new Map<string, PrivateEntry | undefined>([
          ...removed.map((name) => [name, undefined] as const),
          ...after,
        ]);
        const expected = new Map([...before].filter(([name]) => !removed.includes(name)));
        for (const [name, one] of after) expected.set(name, one);
        expect(patchPrivateIndex(format, old, changes).equals(encode(format, expected))).toBe(true);
      }),
    );
  });

  test('is read by git as it was meant', () => {
    const directory = temporaryDirectory();
    runGit({ cwd: directory, home: directory, args: ['init', '-q', `--object-format=${format}`] });
    const file = path.join(directory, 'index');
    fc.assert(
      fc.property(index(format), (entries) => {
        const one = { mode: 0o100644, blob: '1'.repeat(format === 'sha1' ? 40 : 64), key: KEY, size: 1 };
        // Longer than the flags of an entry can say.
        const long = ['', 'y', 'yz'].map((end) => [`${'x'.repeat(4094)}${end}`, one] as const);
        const all = new Map([...entries, ...long]);
        writeFileSync(file, encode(format, all));
        const { stdout } = runGit({
          cwd: directory,
          home: directory,
          args: ['ls-files', '-s', '-z'],
          env: { GIT_INDEX_FILE: file },
        });
        const lines = [...all].map(([name, { mode, blob }]) => `${mode.toString(8)} ${blob} 0\t${name}`);
        expect(stdout.toString('latin1').split('\0').filter(Boolean).sort()).toEqual(lines.sort());
      }),
      { numRuns: 15 },
    );
  });

  test('with any byte changed or cut off is not read', () => {
    const one = { mode: 0o100644, blob: 'a'.repeat(format === 'sha1' ? 40 : 64), key: KEY, size: 5 };
    const bytes = encode(
      format,
      new Map([
        ['a', one],
        ['b/c', one],
      ]),
    );
    for (let at = 0; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      expect(decodePrivateIndex(format, damaged)).toBeUndefined();
      expect(decodePrivateIndex(format, bytes.subarray(0, at))).toBeUndefined();
    }
  });
});

test('the bytes of a name in a size, a time or an id do not make it a file', () => {
  const blob = `${'0'.repeat(8)}00016100${'0'.repeat(24)}`;
  const size = 0x00016100;
  const bytes = encode(
    'sha1',
    new Map([
      ['0', { mode: 0o100644, blob, key: KEY, size }],
      ['b', { mode: 0o100644, blob, key: '', size }],
    ]),
  );
  expect(new IndexedFiles('sha1', bytes).find('a')).toBeUndefined();
  expect(new IndexedFiles('sha1', bytes).find('b')).toMatchObject({ blob });
});

describe('collapse', () => {
  test('names directories for all below them, and gives back exactly what was meant', () => {
    fc.assert(
      fc.property(paths, fc.func(fc.boolean()), (names, chooses) => {
        const all = names.filter((name) => !names.some((other) => other.startsWith(`${name}/`))).sort();
        const some = new Set(all.filter((name) => chooses(name)));
        const short = collapse(all, some);
        const meant = all.filter((name) =>
          short.some((one) => one === name || (one.endsWith('/') && name.startsWith(one))),
        );
        expect(meant).toEqual([...some].sort());
        expect(new Set(short).size).toBe(short.length);
        for (const one of short)
          expect(short.some((other) => other !== one && other.endsWith('/') && one.startsWith(other))).toBe(false);
      }),
    );
  });
});
