/** `bundles.json`: one whole bundle, headers of the archive, and what an index must not say. Put together here by hand. */
import { utf8 } from '../../src/base/bytes.js';
import { canonicalJson } from '../../src/format/canonical-json.js';
import { blake3 } from '../../src/format/digest.js';
import { folderDigest, folderManifest, type ManifestEntry } from '../../src/format/manifest.js';
import { paddingBytes, ustarHeader } from '../../src/format/ustar.js';
import { encodeBody } from '../../src/format/v1/body.js';
import { encodeSignature } from '../../src/format/v1/signature.js';
import { objectId } from '../../src/model/tree/object-id.js';
import { SNAPSHOT_FORMAT, type SnapshotBody } from '../../src/model/snapshot.js';
import { encodeTree } from '../../src/store/git-objects.js';
import { signText } from '../../src/trust/signature.js';
import { signingKeyOf } from '../../src/trust/secret-key.js';

const PARTS = ['{"line":0}\n', '{"line":1}\n'];

function leaf(name: string, content: string): ManifestEntry {
  return { name, bytes: utf8(content).length, parts: 1, digest: blake3(utf8(content)) };
}

/** The files of the bundle, in order; the second part of the log is withheld. */
function bundleFiles(seed: string) {
  const key = signingKeyOf(seed);
  const inner = [leaf('00.jsonl', PARTS[0] ?? ''), leaf('01.jsonl', PARTS[1] ?? '')];
  const folders = [inner];
  for (const name of ['00', '00', 's1']) folders.unshift([{ name, ...folderDigest(folders[0] ?? []) }]);
  const notes = utf8('hello\n');
  const tree = encodeTree([
    { name: 'notes.txt', mode: '100644', id: objectId('sha1', 'blob', notes) },
    { name: 'other.txt', mode: '100644', id: objectId('sha1', 'blob', utf8('stays')) },
  ]);
  const root = objectId('sha1', 'tree', tree);
  const body: SnapshotBody = {
    format: SNAPSHOT_FORMAT,
    repository: '5d0c1e2f3a4b59687786a5b4c3d2e1f0',
    timeline: '7c1d9b1f6c0b4f1f8a3f5f0d2e6a9b34',
    sequence: 2,
    parents: ['ab'.repeat(32)],
    createdAt: '2026-11-21T10:20:30.456Z',
    signer: key.signer,
    message: 'for a colleague',
    tags: [],
    trigger: { kind: 'manual', reason: 'command' },
    anchor: { dirty: true, objectFormat: 'sha1' },
    slices: [
      { name: 'filesystem', algorithm: 'blake3', digest: 'cd'.repeat(32), bytes: 20, parts: 1 },
      { name: 'transcript', algorithm: 'blake3', ...folderDigest(folders[0] ?? []) },
      { name: 'worktree', algorithm: 'git-sha1', digest: root, bytes: 11, parts: 2 },
    ],
    totals: { files: 2, bytes: 11 },
    redactions: { count: 0, kinds: {} },
    boundaries: [],
    omitted: [],
    complete: true,
    seen: [],
  };
  const { bytes, id } = encodeBody(body);
  const snapshots = [{ files: ['notes.txt'], id, slices: ['transcript'], withheld: ['transcript/s1/00/00/01.jsonl'] }];
  const index = canonicalJson({ format: 'savepoint.bundle/1', snapshots });
  const paths = ['transcript', 'transcript/s1', 'transcript/s1/00', 'transcript/s1/00/00'];
  const files: (readonly [string, Uint8Array])[] = [
    ['snapshot.json', bytes],
    ['signature.json', encodeSignature(signText(key, SNAPSHOT_FORMAT, id))],
    ...paths.map((path, at) => [`${path}/.manifest`, folderManifest(folders[at] ?? [])] as const),
    ['transcript/s1/00/00/00.jsonl', utf8(PARTS[0] ?? '')],
    [`proof/${root}`, tree],
    ['worktree/notes.txt', notes],
  ];
  return {
    id,
    files: [
      ['bundle.json', index] as const,
      ...files.map(([path, content]) => [`${id.slice(0, 16)}/${path}`, content] as const),
    ],
  };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const LONG = `${'d'.repeat(40)}/${'e'.repeat(60)}/${'f'.repeat(90)}`;

/** Returns the content of `bundles.json`. */
export function bundleVectors(seed: string) {
  const { id, files } = bundleFiles(seed);
  const pieces = files.map(([path, content]) => ({
    path,
    contentHex: hex(content),
    headerHex: hex(ustarHeader({ path, bytes: content.length }) ?? new Uint8Array()),
    padding: paddingBytes(content.length),
  }));
  return {
    accepted: [{ name: 'a log without its second part, and one file of the worktree', id, files: pieces, end: 1024 }],
    paths: [
      { path: 'a', prefix: '', name: 'a' },
      { path: 'n'.repeat(100), prefix: '', name: 'n'.repeat(100) },
      { path: LONG, prefix: LONG.slice(0, 101), name: LONG.slice(102) },
      { path: `${'d'.repeat(156)}/${'n'.repeat(100)}` },
      { path: `d/${'n'.repeat(101)}` },
    ],
    refused: [
      { name: 'a field that nothing covers', index: { format: 'savepoint.bundle/1', more: 1, snapshots: [] } },
      { name: 'no snapshot', index: { format: 'savepoint.bundle/1', snapshots: [] } },
      { name: 'a path out of the snapshot', index: entry({ withheld: ['../x'] }) },
      { name: 'a file in a git directory', index: entry({ files: ['.GIT/config'] }) },
      { name: 'two files that some systems cannot tell apart', index: entry({ files: ['A', 'a'] }) },
      { name: 'a folder in two spellings', index: entry({ files: ['A/x', 'a/y'] }) },
      { name: 'a later version', index: { format: 'savepoint.bundle/2' }, code: 'format_version_unsupported' },
    ],
  };
}

function entry(fields: Readonly<Record<string, readonly string[]>>) {
  const snapshot = { files: [], id: 'ab'.repeat(32), slices: [], withheld: [], ...fields };
  return { format: 'savepoint.bundle/1', snapshots: [snapshot] };
}
