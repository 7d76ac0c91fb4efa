/** Bundles that somebody made to do harm: refused as what they are, early, and nothing changes. */
import { beforeAll, describe, expect, test } from 'vitest';
import { folderManifest } from '../../../src/format/manifest.js';
import { encodeBody } from '../../../src/format/v1/body.js';
import { encodeSignature } from '../../../src/format/v1/signature.js';
import { BUNDLE_LIMITS } from '../../../src/model/bundle.js';
import { SNAPSHOT_FORMAT, type Slice, type SnapshotBody } from '../../../src/model/snapshot.js';
import { inspectBundle } from '../../../src/timeline/shelf/take.js';
import { readBundle } from '../../../src/timeline/bundle/read.js';
import { signText } from '../../../src/trust/signature.js';
import { makeKey } from '../world.js';
import { archiveOf, blake3, filesOf, inPieces, oddHeader, refusalBy, rewritten, type ArchiveFile } from './bundles.js';
import { receiver, sampleBundle } from './mutations.js';

let original: Buffer;
let files: readonly ArchiveFile[];
beforeAll(async () => {
  original = await sampleBundle();
  files = filesOf(original);
});

const attacker = makeKey();

/** Somebody with a key of their own signs whatever they like. */
function signed(edit: (body: Record<string, unknown>) => void) {
  return (body: Record<string, unknown>) => {
    const changed: Record<string, unknown> = { ...body, signer: attacker.signer };
    edit(changed);
    const { bytes, id } = encodeBody(changed as unknown as SnapshotBody);
    return {
      body: Buffer.from(bytes),
      signature: Buffer.from(encodeSignature(signText(attacker, SNAPSHOT_FORMAT, id))),
      id,
    };
  };
}

/** A bundle, rightly signed, whose slice `evil` is a folder with these names in it. */
function evilNames(names: readonly string[]): Buffer {
  const content = Buffer.from('evil');
  const entries = names.map((name) => ({ name, bytes: content.length, parts: 1, digest: blake3(content) }));
  const lines = entries.map(({ digest, bytes, name }) => `${digest} ${String(bytes)} ${name}\n`).join('');
  let manifest = Buffer.from(lines, 'latin1');
  try {
    manifest = Buffer.from(folderManifest(entries));
  } catch {
    // A name that no manifest may have is written all the same.
  }
  return evilFolder(
    manifest,
    entries.map(({ name }) => ({ path: `evil/${name}`, content })),
  );
}

function evilFolder(manifest: Buffer, inner: readonly ArchiveFile[], sizes: Partial<Slice> = {}): Buffer {
  const bytes = inner
    .filter(({ path }) => !path.endsWith('.manifest'))
    .reduce((sum, one) => sum + one.content.length, 0);
  const slice = { name: 'evil', algorithm: 'blake3', digest: blake3(manifest), bytes, parts: inner.length, ...sizes };
  const edit = (all: ArchiveFile[]): void => {
    const prefix = all[1]?.path.slice(0, 17) ?? '';
    all.splice(3);
    all.push({ path: `${prefix}evil/.manifest`, content: manifest });
    for (const { path, content } of inner) all.push({ path: prefix + path, content });
    const index = {
      format: 'savepoint.bundle/1',
      snapshots: [{ files: [], id: 'ab'.repeat(32), slices: ['evil'], withheld: [] }],
    };
    all[0] = { path: 'bundle.json', content: Buffer.from(JSON.stringify(index)) };
  };
  const sign = signed((body) => {
    body['slices'] = [slice];
  });
  return archiveOf(rewritten(files, edit, sign));
}

describe('a rightly signed bundle of a stranger', () => {
  test('with harmless names is taken in, as somebody unknown', async () => {
    expect(await refusalBy(receiver(), evilNames(['a', 'b.json']))).toBeUndefined();
    expect((await refusalBy(receiver(), evilNames(['a']), { requireTrusted: true }))?.code).toBe('signer_unknown');
  });

  test.each([
    [['..']],
    [['.']],
    [['.git']],
    [['.GIT']],
    [['.g\xe2\x80\x8cit']],
    [['git~1']],
    [['a\\b']],
    [['C:x']],
    [['x:stream']],
    [['con']],
    [['nul.txt']],
    [['trail.']],
    [['trail ']],
    [['-rf']],
    [['nul\0']],
    [['\x1b[31m']],
    [['r\xe2\x80\xaeev']],
    [['caf\xc3\xa9']],
    [['.manifest']],
    [['a'.repeat(200)]],
    [['a', 'A']],
    [['a', 'a']],
  ])('with the names %j in a folder is refused', async (names) => {
    const error = await refusalBy(receiver(), evilNames(names));
    expect(error?.code).toBe('bundle_refused');
    expect(error?.message).toMatch(/^[ -~…]*$/);
  });

  test('with a slice that has the worktree`s or the index`s name is refused', async () => {
    for (const name of ['worktree', 'index']) {
      const sign = signed((body) => {
        body['slices'] = [{ name, algorithm: 'blake3', digest: blake3(Buffer.from('')), bytes: 0, parts: 0 }];
      });
      const edit = (all: ArchiveFile[]): void => {
        const prefix = all[1]?.path.slice(0, 17) ?? '';
        all.splice(3, all.length, { path: `${prefix}${name}/.manifest`, content: Buffer.alloc(0) });
        const index = {
          format: 'savepoint.bundle/1',
          snapshots: [{ files: [], id: '', slices: [name], withheld: [] }],
        };
        all[0] = { path: 'bundle.json', content: Buffer.from(JSON.stringify(index)) };
      };
      expect((await refusalBy(receiver(), archiveOf(rewritten(files, edit, sign))))?.code).toBe('bundle_refused');
    }
  });

  test('with folders nested without end is refused', async () => {
    const levels: ArchiveFile[] = [];
    let manifest = Buffer.alloc(0);
    for (let depth = 40; depth > 0; depth -= 1) {
      levels.unshift({ path: `evil/${'d/'.repeat(depth)}.manifest`, content: manifest });
      manifest = Buffer.from(folderManifest([{ name: 'd', bytes: 0, parts: 0, digest: blake3(manifest) }]));
    }
    const error = await refusalBy(receiver(), evilFolder(manifest, levels, { bytes: 0, parts: 0 }));
    expect(error?.message).toContain('nested too deep');
  });

  test('that promises more than a bundle may have is refused before its bytes are read', async () => {
    const huge = 10 * 1024 ** 3 - 1;
    const header = oddHeader({ path: 'bundle.json', bytes: Math.min(huge, 8 ** 11 - 1) });
    let read = 0;
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      yield header;
      for (; read < 1e9; read += 65_536) yield new Uint8Array(65_536);
    };
    await expect(inspectBundle(endless())).rejects.toMatchObject({ code: 'bundle_refused' });
    expect(read).toBe(0);
  });

  test('in which a file of the right digest is larger than its manifest says is refused', async () => {
    const content = Buffer.from('evil');
    const manifest = Buffer.from(folderManifest([{ name: 'a', bytes: 3, parts: 1, digest: blake3(content) }]));
    expect((await refusalBy(receiver(), evilFolder(manifest, [{ path: 'evil/a', content }], { bytes: 3 })))?.code).toBe(
      'bundle_refused',
    );
  });

  test('with more files than the limit is refused on its way', async () => {
    const limits = { ...BUNDLE_LIMITS, files: 5 };
    const taker = {
      snapshot: () => Promise.resolve(),
      file: async ({ content }: { content: AsyncIterable<Uint8Array> }) => {
        for await (const piece of content) void piece;
      },
      withheld: () => Promise.resolve(),
    };
    const many = evilNames(['a', 'b', 'c', 'd', 'e', 'f']);
    await expect(readBundle(inPieces(many), taker, limits)).rejects.toThrow('more than 5 files');
    await expect(readBundle(inPieces(many), taker)).resolves.toHaveLength(1);
    await expect(readBundle(inPieces(many), taker, { ...BUNDLE_LIMITS, bytes: 500 })).rejects.toThrow('more than 500');
  });
});

describe('a file that is no bundle', () => {
  test('is refused, and told what it is where that is plain', async () => {
    const gzip = Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(600)]);
    expect((await refusalBy(receiver(), gzip))?.message).toContain('gunzip');
    for (const bytes of [Buffer.alloc(0), Buffer.from('hello'), Buffer.alloc(5000), Buffer.alloc(5000, 0x41)]) {
      expect((await refusalBy(receiver(), bytes))?.code).toBe('bundle_refused');
    }
  });

  test('and names a later version is left as it is', async () => {
    const index = Buffer.from('{"format":"savepoint.bundle/2"}');
    expect((await refusalBy(receiver(), archiveOf([{ path: 'bundle.json', content: index }])))?.kind).toBe('too_new');
  });

  test('because it is not signed, or by a key of small order', async () => {
    const plain = (signer: string) => (body: Record<string, unknown>) => {
      const { bytes, id } = encodeBody({ ...body, signer } as unknown as SnapshotBody);
      const value = { algorithm: 'ed25519' as const, signer: attacker.signer, value: '0'.repeat(128) };
      return { body: Buffer.from(bytes), signature: Buffer.from(encodeSignature(value)), id };
    };
    for (const signer of ['', `ed25519:01${'00'.repeat(31)}`, attacker.signer]) {
      const error = await refusalBy(receiver(), archiveOf(rewritten(files, () => undefined, plain(signer))));
      expect(['unsigned', 'bad_signature']).toContain(error?.data['verdict']);
    }
  });
});
