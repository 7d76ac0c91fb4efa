/** Executes `docs/format/test-vectors/`: what stands there is what this program reads and writes. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fromHex, hex, utf8 } from '../../src/base/bytes.js';
import { contextError } from '../../src/base/errors.js';
import type { JsonValue } from '../../src/base/json.js';
import type { ObjectFormat } from '../../src/model/tree/anchor.js';
import { objectId } from '../../src/model/tree/object-id.js';
import { canonicalJson, isCanonical, parseJson } from '../../src/format/canonical-json.js';
import { blake3 } from '../../src/format/digest.js';
import { folderDigest, folderManifest, type ManifestEntry } from '../../src/format/manifest.js';
import { decodeBody, encodeBody, snapshotId } from '../../src/format/v1/body.js';
import { decodeFact, encodeFact } from '../../src/format/v1/fact.js';
import { commitMessage } from '../../src/format/v1/layout.js';
import { partIndex, partPath } from '../../src/format/v1/parts.js';
import * as records from '../../src/format/v1/records.js';
import { decodeActions, encodeActions } from '../../src/format/v1/state/actions.js';
import { bucketIndex, bucketPath } from '../../src/format/v1/state/buckets.js';
import { decodeItems, decodeWindow, encodeItems, encodeWindow } from '../../src/format/v1/state/items.js';
import { decodeLedger, encodeLedger } from '../../src/format/v1/state/ledger.js';
import { decodeSessions, encodeSessions } from '../../src/format/v1/state/session.js';
import { decodeSignature, encodeSignature, signedMessage, type SignedFormat } from '../../src/format/v1/signature.js';
import { encodeCommit, encodeTree } from '../../src/store/git-objects.js';
import { signerProblem } from '../../src/trust/public-key.js';
import { signingKeyOf } from '../../src/trust/secret-key.js';
import { signText, verifySignature } from '../../src/trust/signature.js';
import { failure } from './failure.js';
import { makeVectors } from './vectors.js';

const folder = path.join(import.meta.dirname, '../../../../docs/format/test-vectors');
const read = <T>(name: string): T => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')) as T;

interface Keys {
  readonly keys: readonly { readonly name: string; readonly seed: string; readonly signer: string }[];
  readonly refused: readonly string[];
}
const { keys, refused: refusedKeys } = read<Keys>('keys.json');

interface Sealed {
  readonly name: string;
  readonly bytes: string;
  readonly id: string;
  readonly signer: string;
  readonly signedMessage?: string;
  readonly signature?: string;
  readonly signatureFile?: string;
}

it('the files are those that the program makes', () => {
  const made = makeVectors();
  expect(fs.readdirSync(folder).sort()).toEqual([...Object.keys(made), 'README.md'].sort());
  for (const [name, content] of Object.entries(made)) expect(content).toEqual(read(name));
});

it.each(keys)('the key $name has its signer', ({ seed, signer }) => {
  expect(signingKeyOf(seed).signer).toBe(signer);
  expect(signerProblem(signer)).toBeUndefined();
});

it.each(refusedKeys)('the key %s is refused', (signer) => {
  expect(signerProblem(signer)).toBeDefined();
});

function checkSealed(format: SignedFormat, { id, signer, signedMessage: message, ...vector }: Sealed): void {
  if (vector.signature === undefined || vector.signatureFile === undefined) {
    expect(signer).toBe('');
    return;
  }
  const key = signingKeyOf(keys.find((one) => one.signer === signer)?.seed ?? '');
  expect(Buffer.from(signedMessage(format, id)).toString()).toBe(message);
  expect(signText(key, format, id).value).toBe(vector.signature);
  const signature = decodeSignature(utf8(vector.signatureFile));
  expect(signature).toEqual({ algorithm: 'ed25519', signer, value: vector.signature });
  expect(Buffer.from(encodeSignature(signature)).toString()).toBe(vector.signatureFile);
  expect(verifySignature({ signer, format, id, signature })).toBe(true);
}

interface Snapshots {
  readonly accepted: readonly Sealed[];
  readonly refused: readonly {
    readonly name: string;
    readonly bytes: string;
    readonly code: string;
    readonly verdict?: string;
  }[];
}

describe('snapshots.json', () => {
  const { accepted, refused } = read<Snapshots>('snapshots.json');

  it.each(accepted)('$name', (vector) => {
    const bytes = utf8(vector.bytes);
    const body = decodeBody(bytes);
    expect(snapshotId(bytes)).toBe(vector.id);
    expect(encodeBody(body)).toEqual({ bytes, id: vector.id });
    expect(body.signer).toBe(vector.signer);
    checkSealed('savepoint.snapshot/1', vector);
  });

  it.each(refused)('refuses $name', ({ bytes, code, verdict }) => {
    const error = failure(() => decodeBody(utf8(bytes)));
    expect([error.code, error.data['verdict']]).toEqual([code, verdict]);
  });
});

it.each(read<Sealed[]>('facts.json'))('the fact $name', (vector) => {
  const bytes = utf8(vector.bytes);
  const fact = decodeFact(bytes);
  expect(encodeFact(fact)).toEqual({ bytes, id: vector.id });
  expect([fact.content.kind, fact.signer]).toEqual([vector.name, vector.signer]);
  checkSealed('savepoint.fact/1', vector);
});

interface CanonicalTexts {
  readonly accepted: readonly { readonly input: string; readonly canonicalHex: string }[];
  readonly refused: readonly { readonly input: string }[];
  readonly refusedHex: readonly string[];
}

describe('canonical-json.json', () => {
  const { accepted, refused, refusedHex } = read<CanonicalTexts>('canonical-json.json');

  it.each(accepted)('$input', ({ input, canonicalHex }) => {
    const bytes = canonicalJson(parseJson(utf8(input), 'The input'));
    expect(hex(bytes)).toBe(canonicalHex);
    expect(isCanonical(bytes)).toBe(true);
  });

  it.each([...refused.map(({ input }) => hex(utf8(input))), ...refusedHex])('refuses %s', (digits) => {
    const bytes = fromHex(digits) ?? new Uint8Array();
    expect(failure(() => parseJson(bytes, 'The input')).code).toBe('format_unreadable');
  });
});

interface Folder {
  readonly name: string;
  readonly files: readonly { readonly name: string; readonly content: string }[];
  readonly folders: readonly ManifestEntry[];
  readonly manifest: string;
  readonly digest: string;
  readonly bytes: number;
  readonly parts: number;
}

it.each(read<Folder[]>('folders.json'))('the folder: $name', ({ files, folders, manifest, digest, bytes, parts }) => {
  const entries = files.map(({ name, content }) => {
    const raw = utf8(content);
    return { name, bytes: raw.length, parts: 1, digest: blake3(raw) };
  });
  expect(Buffer.from(folderManifest([...entries, ...folders])).toString()).toBe(manifest);
  expect(blake3(utf8(manifest))).toBe(digest);
  expect(folderDigest([...entries, ...folders])).toEqual({ digest, bytes, parts });
});

const recode: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  'filesystem.json': (bytes) => records.encodeFilesystem(records.decodeFilesystem(bytes)),
  'index.json': (bytes) => records.encodeStaged(records.decodeStaged(bytes)),
  'part.json': (bytes) => records.encodePart(records.decodePart(bytes)),
  'source.json': (bytes) => records.encodeSource(records.decodeSource(bytes)),
  'items.json': (bytes) => encodeItems(decodeItems(bytes)),
  'window.json': (bytes) => encodeWindow(decodeWindow(bytes)),
  'rewound-window.json': (bytes) => encodeWindow(decodeWindow(bytes)),
  'actions.json': (bytes) => encodeActions(decodeActions(bytes)),
  'ledger.json': (bytes) => encodeLedger(decodeLedger(bytes)),
  'session.json': (bytes) => encodeSessions(decodeSessions(bytes)),
};

interface DocumentVector {
  readonly file: string;
  readonly bytes: string;
  readonly size: number;
  readonly digest: string;
}

it.each(read<DocumentVector[]>('documents.json'))('the document $file', ({ file, bytes, size, digest }) => {
  const raw = utf8(bytes);
  expect([raw.length, blake3(raw)]).toEqual([size, digest]);
  expect(recode[file]?.(raw)).toEqual(raw);
});

it.each(read<{ part: number; path: string }[]>('parts.json'))('part $part lies at $path', ({ part, path: place }) => {
  expect([partPath(part), partIndex(place)]).toEqual([place, part]);
});

it.each(read<{ bucket: number; path: string }[]>('buckets.json'))('bucket $bucket lies at $path', (vector) => {
  expect([bucketPath(vector.bucket), bucketIndex(vector.path)]).toEqual([vector.path, vector.bucket]);
});

interface CommitVector {
  readonly objectFormat: ObjectFormat;
  readonly sequence: number;
  readonly contents: readonly string[];
  readonly files: readonly { readonly name: string; readonly blob: string }[];
  readonly tree: string;
  readonly parents: readonly string[];
  readonly commit: string;
  readonly id: string;
}

it.each(read<CommitVector[]>('commits.json'))('the commit of snapshot $sequence under $objectFormat', (vector) => {
  const { objectFormat, contents, files, tree, parents } = vector;
  const blobs = contents.map((content) => objectId(objectFormat, 'blob', utf8(content)));
  expect(files.map(({ blob }) => blob)).toEqual(blobs);
  const entries = files.map(({ name, blob }) => ({ name, id: blob, mode: '100644' as const }));
  expect(objectId(objectFormat, 'tree', encodeTree(entries))).toBe(tree);
  const commit = encodeCommit({ tree, parents, message: commitMessage(vector.sequence) });
  expect(Buffer.from(commit).toString()).toBe(vector.commit);
  expect(objectId(objectFormat, 'commit', commit)).toBe(vector.id);
});

it('the commits of a timeline follow each other as their bodies do', () => {
  const commits = read<CommitVector[]>('commits.json').filter(({ objectFormat }) => objectFormat === 'sha1');
  const [first, second] = commits;
  if (first === undefined || second === undefined) throw contextError('invariant_broken', { reason: 'two are needed' });
  expect(second.parents).toEqual([first.id]);
  expect(decodeBody(utf8(second.contents[0] ?? '')).parents).toEqual([snapshotId(utf8(first.contents[0] ?? ''))]);
  expect((JSON.parse(second.contents[0] ?? '') as Record<string, JsonValue>)['sequence']).toBe(2);
});
