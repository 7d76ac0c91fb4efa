/** A repository in memory for tests: a fixed clock, real keys, and snapshots written as the format says. */
import { createPrivateKey, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { formatTime } from '../../src/base/clock.js';
import { utf8 } from '../../src/base/bytes.js';
import { blake3 } from '../../src/format/digest.js';
import { folderDigest, type ManifestEntry } from '../../src/format/manifest.js';
import { encodeBody } from '../../src/format/v1/body.js';
import { commitMessage } from '../../src/format/v1/layout.js';
import { partPath } from '../../src/format/v1/parts.js';
import { encodeFilesystem, encodePart, encodeSource, encodeStaged } from '../../src/format/v1/records.js';
import { encodeSignature } from '../../src/format/v1/signature.js';
import { emptyTreeId, objectId } from '../../src/model/tree/object-id.js';
import type { ObjectFormat } from '../../src/model/tree/anchor.js';
import type { Replacements } from '../../src/worktree/replace/replacement.js';
import type { FilesystemRecord } from '../../src/model/tree/filesystem.js';
import { defaultSettings } from '../../src/model/settings.js';
import { SNAPSHOT_FORMAT, type Slice, type SnapshotBody, type Witness } from '../../src/model/snapshot.js';
import type { FileSet, FolderEdit, ObjectId, TreeEntry } from '../../src/model/tree/tree.js';
import type { KnownWorktree, Repository } from '../../src/ops/repository/repository.js';
import { encodeCommit, encodeTree } from '../../src/store/git-objects.js';
import { putObject } from '../../src/store/memory/backing.js';
import { memoryLocalState, type MemoryLocalState } from '../../src/store/memory/memory-local-state.js';
import { memoryStore, type MemoryStore } from '../../src/store/memory/memory-store.js';
import type { StoredCommit } from '../../src/store/store.js';
import type { KeyRing, SigningKey } from '../../src/trust/key-ring.js';
import { signText } from '../../src/trust/signature.js';
import type { Scan } from '../../src/worktree/worktree.js';
import { appendToCatalogue, entryOf } from '../../src/timeline/catalogue.js';
import { loadSnapshot } from '../../src/timeline/snapshot/load.js';

export const REPOSITORY = 'd'.repeat(32);
export const MANUAL = 'a1'.repeat(16);
export const OTHER = 'b2'.repeat(16);
export const START = Date.UTC(2026, 10, 21, 10, 0, 0);
export const MINUTE = 60_000;

export function makeKey(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  return keyOf(`ed25519:${raw.toString('hex')}`, createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })));
}

function keyOf(signer: string, secret: KeyObject): SigningKey {
  return { signer, sign: (message) => new Uint8Array(sign(null, message, secret)) };
}

/** A key ring in memory; `present` undefined is a user without a usable key. */
export interface TestKeys extends KeyRing {
  present: SigningKey | undefined;
  readonly formers: SigningKey[];
  readonly named: Map<string, string>;
  /** Undefined where there is none, and none can be made. */
  secret: Uint8Array | undefined;
}

export function testKeys(present: SigningKey | undefined = makeKey()): TestKeys {
  const keys: TestKeys = {
    present,
    formers: [],
    named: new Map(),
    secret: new Uint8Array(randomBytes(32)),
    location: 'memory',
    signingKey: () => Promise.resolve(keys.present),
    problem: () => (keys.present === undefined ? 'the test took it away' : undefined),
    ownKeys: () =>
      Promise.resolve([...(keys.present ? [keys.present] : []), ...keys.formers].map(({ signer }) => signer)),
    trustedKeys: () => Promise.resolve(keys.named),
    trust: (key, name) => Promise.resolve(void keys.named.set(key, name)),
    memorySecret: () => Promise.resolve(keys.secret),
    async rotate(announce) {
      const [former, current] = [keys.present, makeKey()];
      await announce?.({ former, current });
      if (former !== undefined) keys.formers.unshift(former);
      keys.present = current;
      return { former, current };
    },
  };
  return keys;
}

export interface World {
  readonly store: MemoryStore;
  readonly local: MemoryLocalState;
  readonly keys: TestKeys;
  readonly repository: Repository;
  /** The present, for the clock; move it as you like. */
  now: number;
  /** What the present worktree holds, for a scan. */
  scan: ScannedWorktree | undefined;
}

/** A world without a disk has no files that could be changed. */
const noReplacements: Replacements = {
  prepare: () => Promise.reject(new Error('no files here')),
  hasRemains: () => false,
  find: () => Promise.resolve(undefined),
  open: () => Promise.resolve(undefined),
};

export interface ScannedWorktree {
  readonly base?: ObjectId;
  readonly remove?: readonly string[];
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly filesystem?: Partial<FilesystemRecord>;
}

export function makeWorld(objectFormat: ObjectFormat = 'sha1', keys: TestKeys = testKeys()): World {
  const store = memoryStore({ objectFormat });
  const local = memoryLocalState();
  const self: KnownWorktree = {
    id: '51'.repeat(16),
    timeline: MANUAL,
    timelines: [MANUAL],
    root: '/project',
    exists: true,
  };
  const world: World = { store, local, keys, now: START, scan: undefined, repository: undefined as never };
  const repository: Repository = {
    id: REPOSITORY,
    replica: 'e'.repeat(32),
    store,
    local,
    keys,
    self,
    worktree: {
      root: '/project',
      replacements: noReplacements,
      scan: ({ sink }) => presentScan(world, (bytes) => sink.blob(bytes)),
      lookEarly: () => undefined,
      look: () => Promise.resolve(new Map()),
      list: () => Promise.resolve(new Map()),
      gitOperation: () => undefined,
      restoreIndex: () => Promise.reject(new Error('no index here')),
      checkOut: () => Promise.reject(new Error('no git here')),
      close: () => Promise.resolve(),
    },
    elsewhere: () => noReplacements,
    worktrees: () => Promise.resolve([self]),
    agents: [],
    openLog: () => Promise.reject(new Error('no log here')),
    settings: defaultSettings(),
    clock: { now: () => world.now },
    random: { hex: (digits) => '7'.repeat(digits) },
    enrol: () => Promise.resolve(repository),
    beginTimeline: () => Promise.reject(new Error('no other timeline here')),
    maintenance: { isDue: () => false, run: () => Promise.resolve({ merged: 0, removed: 0, waiting: 0 }) },
    gitVersion: () => Promise.resolve('2.39.5'),
    close: () => Promise.resolve(),
  };
  return Object.assign(world, { repository });
}

async function presentScan(world: World, blob: (bytes: Uint8Array) => Promise<ObjectId>): Promise<Scan> {
  const { base, remove = [], files = {}, filesystem } = world.scan ?? {};
  const set = [];
  for (const [path, content] of Object.entries(files)) {
    set.push({ path, mode: '100644' as const, id: await blob(bytesOf(content)) });
  }
  return {
    files: { folder: 'worktree', ...(base !== undefined && { base }), remove, set },
    filesystem: filesystemRecord(filesystem),
    content: new Map(),
    anchor: { dirty: true, objectFormat: world.store.objectFormat },
    totals: { files: set.length, bytes: 0 },
    remember: () => Promise.reject(new Error('a look at the present must not be remembered')),
  };
}

export function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? utf8(content) : content;
}

export function filesystemRecord(parts: Partial<FilesystemRecord> = {}): FilesystemRecord {
  return {
    modes: { file: '0644', executable: '0755', directory: '0755' },
    exceptions: [],
    emptyDirectories: [],
    boundaries: [],
    omitted: [],
    ignored: [],
    diverted: [],
    ...parts,
  };
}

export interface SnapshotPlan {
  readonly timeline?: string;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Symlinks and executables, by path. */
  readonly modes?: Readonly<Record<string, '100755' | '120000'>>;
  readonly filesystem?: Partial<FilesystemRecord>;
  /** Parts of the transcript of session `s1`. */
  readonly transcript?: readonly string[];
  /** Staged files; there is an index slice then. */
  readonly staged?: Readonly<Record<string, string>>;
  /** Contents of blobs to be linked under `content/`. */
  readonly content?: readonly string[];
  readonly body?: Partial<SnapshotBody>;
  /** Null: nobody signs. */
  readonly key?: SigningKey | null;
  /** Milliseconds that pass before; default one minute. */
  readonly after?: number;
}

interface Built {
  readonly id: string;
  readonly commit: StoredCommit;
}

/** Appends a snapshot to a timeline, as a capture would. */
export async function addSnapshot(world: World, plan: SnapshotPlan = {}): Promise<Built> {
  const timeline = plan.timeline ?? MANUAL;
  world.now += plan.after ?? MINUTE;
  const ref = `timelines/${timeline}`;
  const head = (await world.store.refs(ref))[0]?.target;
  const previous = head === undefined ? undefined : await loadSnapshot(world.store, head);
  const sequence = plan.body?.sequence ?? (previous?.body.sequence ?? 0) + 1;
  const key = plan.key === undefined ? world.keys.present : (plan.key ?? undefined);
  const writer = world.store.writer();
  const { folders, slices: folderSlices, files } = await buildFolders(world, plan, (bytes) => writer.blob(bytes));
  let id = '';
  const commit = await writer.commit({
    ref,
    ...(head !== undefined && { expected: head }),
    message: commitMessage(sequence),
    folders,
    seal(trees) {
      const body: SnapshotBody = {
        format: SNAPSHOT_FORMAT,
        repository: REPOSITORY,
        timeline,
        sequence,
        parents: previous === undefined ? [] : [previous.id],
        createdAt: formatTime(world.now),
        signer: key?.signer ?? '',
        message: '',
        tags: [],
        trigger: { kind: 'manual', reason: 'command' },
        anchor: { dirty: false, objectFormat: world.store.objectFormat },
        slices: [worktreeSlice(world, trees.get('worktree')), ...folderSlices],
        totals: { files: 0, bytes: 0 },
        redactions: { count: 0, kinds: {} },
        boundaries: [],
        omitted: [],
        complete: true,
        seen: [],
        ...plan.body,
      };
      const encoded = encodeBody(body);
      id = encoded.id;
      files.set('snapshot.json', encoded.bytes);
      if (key !== undefined) files.set('signature.json', encodeSignature(signText(key, SNAPSHOT_FORMAT, id)));
      return files;
    },
  });
  await appendToCatalogue(world.local, entryOf(await loadSnapshot(world.store, commit.id)));
  return { id, commit };
}

function worktreeSlice(world: World, tree: ObjectId | undefined): Slice {
  const { objectFormat } = world.store;
  return {
    name: 'worktree',
    algorithm: `git-${objectFormat}`,
    digest: tree ?? emptyTreeId(objectFormat),
    bytes: 0,
    parts: 0,
  };
}

async function buildFolders(world: World, plan: SnapshotPlan, blob: (bytes: Uint8Array) => Promise<ObjectId>) {
  const files = new Map<string, Uint8Array>();
  const slices: Slice[] = [];
  const filesystem = encodeFilesystem(filesystemRecord(plan.filesystem));
  files.set('filesystem.json', filesystem);
  slices.push(fileSlice('filesystem', filesystem));
  const edit = async (folder: string, contents: readonly (readonly [string, Uint8Array])[]): Promise<FolderEdit> => {
    const set: FileSet[] = [];
    for (const [path, bytes] of contents) {
      set.push({ path, mode: plan.modes?.[path] ?? '100644', id: await blob(bytes) });
    }
    return { folder, remove: [], set };
  };
  const asBytes = (all: Readonly<Record<string, string | Uint8Array>>) =>
    Object.entries(all).map(([path, content]) => [path, bytesOf(content)] as const);
  const folders = [await edit('worktree', asBytes(plan.files ?? { 'a.txt': 'one\n', 'd/b.txt': 'two\n' }))];
  if (plan.staged !== undefined) {
    const staged = await edit('index', asBytes(plan.staged));
    folders.push(staged);
    const bytes = encodeStaged({ tree: flatTree(world, staged), unmerged: [], flagged: [] });
    files.set('index.json', bytes);
    slices.push(fileSlice('index', bytes));
  }
  if (plan.transcript !== undefined) {
    const contents = transcriptFiles(plan.transcript);
    folders.push(await edit('transcript', contents));
    slices.push(folderSlice('transcript', contents));
  }
  if (plan.content !== undefined) {
    const contents = await Promise.all(
      plan.content.map(async (text) => {
        const id = await blob(utf8(text));
        return [`${id.slice(0, 2)}/${id.slice(2)}`, utf8(text)] as const;
      }),
    );
    folders.push(await edit('content', contents));
    slices.push(folderSlice('content', contents));
  }
  return { files, slices, folders };
}

/** The id of a folder without folders in it. */
function flatTree(world: World, edit: FolderEdit): ObjectId {
  const entries = edit.set.map(({ path, id }): TreeEntry => ({ mode: '100644', name: path, id }));
  return objectId(world.store.objectFormat, 'tree', encodeTree(entries));
}

export function transcriptFiles(parts: readonly string[]): readonly (readonly [string, Uint8Array])[] {
  let offset = 0;
  const files: (readonly [string, Uint8Array])[] = [];
  parts.forEach((part, index) => {
    const bytes = utf8(part);
    const lines = part.split('\n').length - 1;
    files.push([`s1/${partPath(index)}.jsonl`, bytes]);
    files.push([
      `s1/${partPath(index)}.json`,
      encodePart({ offset, length: bytes.length, lines, redactor: 'test/1', spans: [] }),
    ]);
    offset += bytes.length;
  });
  const source = { agent: 'claude-code', session: 's1', name: 's1.jsonl', bytes: offset, parts: parts.length };
  return [...files, ['s1/source.json', encodeSource(source)]];
}

function fileSlice(name: string, bytes: Uint8Array): Slice {
  return { name, algorithm: 'blake3', digest: blake3(bytes), bytes: bytes.length, parts: 1 };
}

function folderSlice(name: string, files: readonly (readonly [string, Uint8Array])[]): Slice {
  const { digest, bytes, parts } = manifestOf(files);
  return { name, algorithm: 'blake3', digest, bytes, parts };
}

function manifestOf(files: readonly (readonly [string, Uint8Array])[]): Omit<ManifestEntry, 'name'> {
  const inner = new Map<string, (readonly [string, Uint8Array])[]>();
  const entries: ManifestEntry[] = [];
  for (const [path, bytes] of files) {
    const slash = path.indexOf('/');
    if (slash < 0) entries.push({ name: path, bytes: bytes.length, parts: 1, digest: blake3(bytes) });
    else inner.set(path.slice(0, slash), [...(inner.get(path.slice(0, slash)) ?? []), [path.slice(slash + 1), bytes]]);
  }
  for (const [name, below] of inner) entries.push({ name, ...manifestOf(below) });
  return folderDigest(entries);
}

/** A chain in which each snapshot has every kind of slice; each changes something. */
export async function addChain(world: World, length: number, plan: SnapshotPlan = {}): Promise<readonly Built[]> {
  const built: Built[] = [];
  for (let n = 1; n <= length; n += 1) {
    built.push(
      await addSnapshot(world, {
        files: { 'a.txt': `version ${String(n)}\n`, 'd/b.txt': 'two\n', 'd/e/c.txt': 'three\n' },
        transcript: Array.from({ length: n }, (_, at) => `{"line":${String(at)}}\n`),
        staged: { 'a.txt': `staged ${String(n)}\n` },
        content: ['diverted content'],
        ...plan,
        body: { message: `snapshot ${String(n)}`, ...plan.body },
      }),
    );
  }
  return built;
}

export async function headOf(world: World, timeline = MANUAL): Promise<ObjectId> {
  const ref = (await world.store.refs(`timelines/${timeline}`))[0];
  if (ref === undefined) throw new Error('no such timeline');
  return ref.target;
}

export async function witnessOf(world: World, timeline: string): Promise<Witness> {
  const { id, body } = await loadSnapshot(world.store, await headOf(world, timeline));
  return { timeline, sequence: body.sequence, id };
}

/** Writes a commit with these entries at the root, as somebody with access to the store could. */
export function forgeCommit(
  world: World,
  { entries, parents, message }: { entries: readonly TreeEntry[]; parents: readonly ObjectId[]; message: string },
): ObjectId {
  const tree = putTree(world, entries);
  return putObject(world.store.backing, 'commit', encodeCommit({ tree, parents, message }));
}

export function putTree(world: World, entries: readonly TreeEntry[]): ObjectId {
  return putObject(world.store.backing, 'tree', encodeTree(entries));
}

export function putBlob(world: World, bytes: Uint8Array): ObjectId {
  return putObject(world.store.backing, 'blob', bytes);
}

export function setHead(world: World, commit: ObjectId, timeline = MANUAL): void {
  world.store.backing.refs.set(`timelines/${timeline}`, commit);
}
