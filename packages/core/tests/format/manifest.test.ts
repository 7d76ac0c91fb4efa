import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { text, utf8 } from '../../src/base/bytes.js';
import { bytePath } from '../../src/base/path.js';
import { blake3 } from '../../src/format/digest.js';
import { folderDigest, folderManifest, type ManifestEntry } from '../../src/format/manifest.js';
import { failure } from './failure.js';

const entry = (name: string, content = name): ManifestEntry => ({
  name,
  bytes: utf8(content).length,
  parts: 1,
  digest: blake3(utf8(content)),
});

describe('folderDigest', () => {
  it('is the BLAKE3 of a line `digest size name` for each entry, in the byte order of the names', () => {
    const manifest = `${blake3(utf8('one'))} 3 a\n${blake3(utf8('three'))} 5 b\n`;
    expect(text(folderManifest([entry('b', 'three'), entry('a', 'one')]))).toBe(manifest);
    expect(folderDigest([entry('b', 'three'), entry('a', 'one')])).toEqual({
      digest: blake3(utf8(manifest)),
      bytes: 8,
      parts: 2,
    });
  });

  it('lets a sub-folder stand with its own digest, and its sums', () => {
    const below = folderDigest([entry('x', '1234'), entry('y', '56')]);
    const top = folderDigest([{ name: 'sub', ...below }, entry('a', 'one')]);
    expect(top).toEqual({
      digest: blake3(utf8(`${blake3(utf8('one'))} 3 a\n${below.digest} 6 sub\n`)),
      bytes: 9,
      parts: 3,
    });
  });

  it('orders by bytes, not as git orders folders and not as UTF-16', () => {
    const [astral, hebrew] = [bytePath('\u{1f602}'), bytePath('\ufb33')];
    const names = [astral, hebrew, 'a.b', 'a', 'a-', 'Z', 'a0'];
    const manifest = Buffer.from(folderManifest(names.map((name) => entry(name)))).toString('latin1');
    const order = manifest.split('\n').map((line) => line.split(' ').slice(2).join(' '));
    expect(order).toEqual(['Z', 'a', 'a-', 'a.b', 'a0', hebrew, astral, '']);
  });

  it('keeps the exact bytes of a name', () => {
    expect(
      Buffer.from(folderManifest([entry('\xff\xfe')]))
        .subarray(-3)
        .toString('hex'),
    ).toBe('fffe0a');
  });

  it('has a digest for a folder without entries', () => {
    expect(folderDigest([])).toEqual({ digest: blake3(new Uint8Array()), bytes: 0, parts: 0 });
  });

  it('refuses names that could forge a line or leave the folder, and names that stand twice', () => {
    for (const name of ['', '.', '..', 'a/b', 'a\nb', 'a\0b']) {
      expect(failure(() => folderDigest([entry(name)])).code).toBe('format_unreadable');
    }
    expect(failure(() => folderDigest([entry('a'), entry('b'), entry('a', 'other')])).code).toBe('format_unreadable');
  });

  it('differs whenever any name, size or digest differs', () => {
    const name = fc.stringMatching(/^[a-z]{1,3}$/);
    const some = fc.uniqueArray(fc.tuple(name, fc.string({ maxLength: 4 })), {
      selector: ([one]) => one,
      maxLength: 5,
    });
    fc.assert(
      fc.property(some, some, (a, b) => {
        const digests = [a, b].map((list) => folderDigest(list.map(([one, content]) => entry(one, content))).digest);
        const same = JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());
        expect(digests[0] === digests[1]).toBe(same);
      }),
    );
  });
});
