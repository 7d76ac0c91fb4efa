/** Makes the test vectors of `docs/format/test-vectors/`. `npm run vectors` writes them; the tests read what is written. */
import { bundleVectors } from './bundle-vectors.js';
import { hex, text, utf8 } from '../../src/base/bytes.js';
import type { JsonValue } from '../../src/base/json.js';
import { toRepoPath } from '../../src/base/path.js';
import type { FactBody, FactContent } from '../../src/model/fact.js';
import type { SignatureFile, SnapshotBody } from '../../src/model/snapshot.js';
import { emptyTreeId } from '../../src/model/tree/object-id.js';
import { canonicalJson } from '../../src/format/canonical-json.js';
import { blake3 } from '../../src/format/digest.js';
import { folderDigest, folderManifest, type ManifestEntry } from '../../src/format/manifest.js';
import { encodeBody } from '../../src/format/v1/body.js';
import { encodeFact } from '../../src/format/v1/fact.js';
import { PART_LIMIT, partPath } from '../../src/format/v1/parts.js';
import * as records from '../../src/format/v1/records.js';
import { BUCKET_LIMIT, bucketPath } from '../../src/format/v1/state/buckets.js';
import { encodeSignature, signedMessage, type SignedFormat } from '../../src/format/v1/signature.js';
import { signingKeyOf } from '../../src/trust/secret-key.js';
import { signText } from '../../src/trust/signature.js';
import { makeCommitVectors } from './commit-vectors.js';
import { stateDocuments } from './state-vectors.js';

const SEEDS = { ada: '11'.repeat(32), bob: '0123456789abcdef'.repeat(4) } as const;
const ada = signingKeyOf(SEEDS.ada);
const bob = signingKeyOf(SEEDS.bob);
const digits = (digit: string) => digit.repeat(64);
const random = (digit: string) => digit.repeat(32);

function sealed(format: SignedFormat, { bytes, id }: { readonly bytes: Uint8Array; readonly id: string }, key = ada) {
  const signature: SignatureFile = signText(key, format, id);
  return {
    bytes: text(bytes),
    id,
    signer: key.signer,
    signedMessage: text(signedMessage(format, id)),
    signature: signature.value,
    signatureFile: text(encodeSignature(signature)),
  };
}

export const SMALLEST: SnapshotBody = {
  format: 'savepoint.snapshot/1',
  repository: random('1'),
  timeline: random('2'),
  sequence: 1,
  parents: [],
  createdAt: '2026-11-21T10:20:30.456Z',
  signer: ada.signer,
  message: '',
  tags: [],
  trigger: { kind: 'manual', reason: 'command' },
  anchor: { dirty: false, objectFormat: 'sha1' },
  slices: [],
  totals: { files: 0, bytes: 0 },
  redactions: { count: 0, kinds: {} },
  boundaries: [],
  omitted: [],
  complete: true,
  seen: [],
};

const FILESYSTEM = records.encodeFilesystem({
  modes: { file: '0644', executable: '0755', directory: '0755' },
  exceptions: [{ path: 'secret.pem', mode: '0600' }],
  emptyDirectories: [{ path: 'build/empty' }],
  boundaries: [{ path: 'vendor/lib', kind: 'submodule' }],
  omitted: [{ path: 'big.bin', reason: 'too_large', bytes: 99_000_000 }],
  ignored: ['node_modules/', 'caf\xc3\xa9.log', 'odd-\xff\xfe', 'a\nb'].map(toRepoPath),
  diverted: [{ path: '.gitmodules', type: 'link', mode: '0777', blob: 'c'.repeat(40) }],
});

const INDEX = records.encodeStaged({
  tree: emptyTreeId('sha1'),
  unmerged: [3, 1, 2].map((stage) => ({ path: 'merge.txt', stage, mode: '100644', blob: String(stage).repeat(40) })),
  flagged: [{ path: 'new.txt', flags: ['intent_to_add'] }],
});

const FULL: SnapshotBody = {
  ...SMALLEST,
  sequence: 12,
  parents: [digits('a')],
  origin: { kind: 'rewind', from: digits('b'), operation: random('3') },
  message: 'before "the" refactoring\n– and 😀',
  tags: ['wip', 'é', 'release'],
  trigger: { kind: 'automatic', reason: 'UserPromptSubmit' },
  session: { agent: 'claude-code', id: 'b9f7c2e0-1d5a-4f0e-9a51-5f1d0c8b7a66', guessed: true },
  anchor: { commit: 'd'.repeat(40), branch: 'main', dirty: true, headTree: 'e'.repeat(40), objectFormat: 'sha1' },
  slices: [
    { name: 'worktree', algorithm: 'git-sha1', digest: 'f'.repeat(40), bytes: 2048, parts: 3 },
    { name: 'filesystem', algorithm: 'blake3', digest: blake3(FILESYSTEM), bytes: FILESYSTEM.length, parts: 1 },
    { name: 'index', algorithm: 'blake3', digest: blake3(INDEX), bytes: INDEX.length, parts: 1 },
  ],
  totals: { files: 3, bytes: 2048 },
  redactions: { count: 3, kinds: { 'github-token': 1, password: 2 } },
  boundaries: [
    { path: 'vendor/lib', kind: 'submodule' },
    { ...toRepoPath('odd-\xff\xfe'), kind: 'special' },
  ],
  omitted: [{ path: 'big.bin', reason: 'too_large', bytes: 99_000_000 }],
  complete: false,
  seen: [
    { timeline: random('5'), sequence: 3, id: digits('6') },
    { timeline: random('4'), sequence: 7, id: digits('5') },
  ],
};

function snapshots() {
  const of = (name: string, body: SnapshotBody, key = ada) => ({
    name,
    ...sealed('savepoint.snapshot/1', encodeBody(body), key),
  });
  const unsigned = encodeBody({ ...SMALLEST, signer: '' });
  const later = { ...SMALLEST, budget: { tokens: 5 }, trigger: { ...SMALLEST.trigger, hook: 'stop' } };
  const good = text(encodeBody(SMALLEST).bytes);
  const change = (changes: object) => text(canonicalJson({ ...SMALLEST, ...changes } as unknown as JsonValue));
  const refused = (...[name, bytes, code, verdict]: readonly [string, string, string, string?]) => ({
    name,
    bytes,
    code,
    ...(verdict === undefined ? {} : { verdict }),
  });
  return {
    accepted: [
      of('the smallest', SMALLEST),
      of('every field', FULL),
      of('fields of a later minor version', later),
      of('the snapshot of another program', {
        ...SMALLEST,
        original: { format: 'lean-ctx/1', id: digits('9'), signer: bob.signer },
        slices: [{ name: 'lean-ctx', algorithm: 'blake3', digest: digits('8'), bytes: 900, parts: 1 }],
      }),
      of(
        'SHA-256 and another key',
        {
          ...SMALLEST,
          signer: bob.signer,
          anchor: { commit: digits('7'), branch: 'b', dirty: true, headTree: digits('8'), objectFormat: 'sha256' },
        },
        bob,
      ),
      { name: 'unsigned', bytes: text(unsigned.bytes), id: unsigned.id, signer: '' },
    ],
    refused: [
      refused('a newline at the end', `${good}\n`, 'format_unreadable', 'not_canonical'),
      refused('white space', good.replace('"complete":', '"complete": '), 'format_unreadable', 'not_canonical'),
      refused('a needless escape', good.replace('command', '\\u0063ommand'), 'format_unreadable', 'not_canonical'),
      refused(
        'keys out of order',
        good.replace('{"anchor":', '{"zzz":1,"anchor":'),
        'format_unreadable',
        'not_canonical',
      ),
      refused('tags out of order', change({ tags: ['b', 'a'] }), 'format_unreadable', 'not_canonical'),
      refused('a tag twice', change({ tags: ['a', 'a'] }), 'format_unreadable', 'not_canonical'),
      refused(
        'a duplicate key',
        good.replace('"complete":true', '"complete":true,"complete":true'),
        'format_unreadable',
      ),
      refused('null', good.replace('"message":""', '"message":null'), 'format_unreadable'),
      refused('a fraction', good.replace('"sequence":1', '"sequence":1.0'), 'format_unreadable'),
      refused('2^53', good.replace('"sequence":1', '"sequence":9007199254740992'), 'format_unreadable'),
      refused('a lone surrogate', good.replace('"message":""', '"message":"\\ud800"'), 'format_unreadable'),
      refused('sequence 0', good.replace('"sequence":1', '"sequence":0'), 'format_unreadable'),
      refused('no message', good.replace('"message":"",', ''), 'format_unreadable'),
      refused(
        'complete with an omission',
        change({ omitted: [{ path: 'a', reason: 'changing' }] }),
        'format_unreadable',
      ),
      refused('a later major version', good.replace('snapshot/1"', 'snapshot/2"'), 'format_version_unsupported'),
      refused('cut off', good.slice(0, -1), 'format_unreadable'),
    ],
  };
}

const FACT: FactBody = {
  format: 'savepoint.fact/1',
  repository: random('1'),
  replica: random('9'),
  sequence: 1,
  at: '2026-11-21T10:20:30.456Z',
  signer: ada.signer,
  content: { kind: 'pin', snapshot: digits('a'), name: 'release', reason: 'shipped' },
  seen: [{ timeline: random('4'), sequence: 7, id: digits('5') }],
};

function facts() {
  const contents: readonly FactContent[] = [
    FACT.content,
    { kind: 'unpin', snapshot: digits('a') },
    { kind: 'name', snapshot: digits('a'), name: 'the good one' },
    {
      kind: 'link',
      commit: 'c'.repeat(40),
      tree: 'd'.repeat(40),
      patchId: 'e'.repeat(40),
      id: digits('a'),
      how: 'commit',
    },
    { kind: 'trust', key: bob.signer, name: 'Bob' },
    { kind: 'rotate', key: bob.signer },
    { kind: 'revoke', key: bob.signer, lastGood: [digits('b'), digits('a')], reason: 'laptop stolen' },
    { kind: 'tombstone', snapshots: [digits('a')], reason: 'purged' },
  ];
  let previous: string | undefined;
  return contents.map((content, index) => {
    const body: FactBody = { ...FACT, content, sequence: index + 1, ...(previous === undefined ? {} : { previous }) };
    const vector = { name: content.kind, ...sealed('savepoint.fact/1', encodeFact(body)) };
    previous = vector.id;
    return vector;
  });
}

function folders() {
  const file = (name: string, content: string) => ({ name, content });
  const entry = ({ name, content }: { readonly name: string; readonly content: string }): ManifestEntry => ({
    name,
    bytes: utf8(content).length,
    parts: 1,
    digest: blake3(utf8(content)),
  });
  const vector = (name: string, files: readonly ReturnType<typeof file>[], below: readonly ManifestEntry[] = []) => {
    const entries = [...files.map(entry), ...below];
    return { name, files, folders: below, manifest: text(folderManifest(entries)), ...folderDigest(entries) };
  };
  const leaf = vector('a leaf', [file('00.jsonl', '{"type":"user"}\n'), file('00.json', '{}')]);
  const { digest, bytes, parts } = leaf;
  return [
    vector('empty', []),
    leaf,
    vector('a folder of folders', [file('source.json', '{"agent":"x"}')], [{ name: '00', digest, bytes, parts }]),
    vector(
      'byte order, not the order of git trees',
      [file('a', '1'), file('a.b', '2'), file('Z', '3')],
      [{ name: 'a0', digest, bytes, parts }],
    ),
  ];
}

function documents() {
  const one = (file: string, bytes: Uint8Array) => ({
    file,
    bytes: text(bytes),
    size: bytes.length,
    digest: blake3(bytes),
  });
  return [
    one('filesystem.json', FILESYSTEM),
    one('index.json', INDEX),
    one(
      'part.json',
      records.encodePart({
        offset: 0,
        length: 65_536,
        lines: 3,
        continues: true,
        unreadable: [1],
        redactor: 'savepoint-redact/1',
        spans: [{ start: 10, end: 31, kind: 'github-token' }],
      }),
    ),
    one(
      'source.json',
      records.encodeSource({
        agent: 'claude-code',
        session: 'b9f7c2e0',
        name: 'b9f7c2e0.jsonl',
        bytes: 70_000,
        parts: 2,
        redactor: 'savepoint-redact/1',
        shrunk: [{ from: 90_000, to: 70_000, at: FACT.at }],
      }),
    ),
    ...Object.entries(stateDocuments()).map(([file, bytes]) => one(file, bytes)),
  ];
}

function canonicalTexts() {
  const inputs = [
    '{ "b": 1, "a": [true, false, -0, 9007199254740991] }',
    '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
    '"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"',
    '{"__proto__":{"a":1},"":0,"10":1,"9":2}',
  ];
  const refused = [
    'null',
    '1.0',
    '1e2',
    '9007199254740992',
    '01',
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":1}',
    '"\\ud83d"',
    '[1,]',
    '\ufeff1',
    '[1',
    '"a\nb"',
  ];
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  return {
    accepted: [...inputs, nested(64)].map((input) => ({
      input,
      canonicalHex: hex(canonicalJson(JSON.parse(input) as JsonValue)),
    })),
    refused: [...refused, nested(65)].map((input) => ({ input })),
    refusedHex: ['22ff22', '22eda08022', '22c0af22'],
  };
}

function refusedKeys() {
  const prime = (1n << 255n) - 19n;
  const y8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
  const raw = [0n, 1n, prime - 1n, y8, prime - y8, prime, prime + 1n, prime + 2n].flatMap((y) => [y, y | (1n << 255n)]);
  return raw.map(
    (value) => `ed25519:${Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex')}`,
  );
}

/** Two snapshots, the second on top of the first. */
function timeline() {
  const first = encodeBody(SMALLEST);
  const second = encodeBody({ ...SMALLEST, sequence: 2, parents: [first.id], message: 'second' });
  return [first, second].map((encoded) => sealed('savepoint.snapshot/1', encoded));
}

/** Returns the content of each file by its name. */
export function makeVectors(): Readonly<Record<string, unknown>> {
  return {
    'keys.json': {
      keys: Object.entries(SEEDS).map(([name, seed]) => ({ name, seed, signer: signingKeyOf(seed).signer })),
      refused: refusedKeys(),
    },
    'canonical-json.json': canonicalTexts(),
    'snapshots.json': snapshots(),
    'facts.json': facts(),
    'folders.json': folders(),
    'documents.json': documents(),
    'parts.json': [0, 1, 31, 32, 2047, 2048, PART_LIMIT - 1].map((part) => ({ part, path: partPath(part) })),
    'buckets.json': [0, 1, 31, 32, 95, 96, 1055, 1056, 5152, BUCKET_LIMIT - 1].map((bucket) => ({
      bucket,
      path: bucketPath(bucket),
    })),
    'commits.json': makeCommitVectors(timeline()),
    'bundles.json': bundleVectors(Object.values(SEEDS)[0] ?? ''),
  };
}
