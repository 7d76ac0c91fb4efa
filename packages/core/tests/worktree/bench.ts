/** Scans a real worktree with what it remembers and without, and puts both results into a form that can be compared. */
import { encodeFilesystem, encodeStaged } from '../../src/format/v1/records.js';
import { emptyTreeId, objectId } from '../../src/model/tree/object-id.js';
import type { ObjectFormat } from '../../src/model/tree/anchor.js';
import type { BlobSink, ObjectId, ObjectSource, TreeEntry } from '../../src/model/tree/tree.js';
import { foreseeCapture, type Foreseen, type ForesightRequest } from '../../src/open/foresight.js';
import { openRepository } from '../../src/open/open-repository.js';
import { applyFolderEdit } from '../../src/store/folder-edit.js';
import { encodeTree, parseTree } from '../../src/store/git-objects.js';
import type { EarlyLook, Scan, ScanRequest, Worktree } from '../../src/worktree/worktree.js';
import { cleanEnvironment, type FixtureRepository } from '@savepoint/testkit';
import { utimesSync } from 'node:fs';

/** Objects in memory, with the repository's own trees below them: what a scan writes, and what its edits start from. */
export interface ObjectSpace extends BlobSink, ObjectSource {
  readonly blobs: Map<ObjectId, Uint8Array>;
  read(id: ObjectId): Promise<readonly TreeEntry[] | undefined>;
  write(entries: readonly TreeEntry[]): ObjectId;
}

export function objectSpace(fixture: FixtureRepository, format: ObjectFormat = 'sha1'): ObjectSpace {
  const blobs = new Map<ObjectId, Uint8Array>();
  const trees = new Map<ObjectId, readonly TreeEntry[]>();
  const blob = (bytes: Uint8Array): Promise<ObjectId> => {
    const id = objectId(format, 'blob', bytes);
    blobs.set(id, Uint8Array.from(bytes));
    return Promise.resolve(id);
  };
  return {
    blobs,
    blob,
    async blobFrom(size, chunks) {
      const pieces: Uint8Array[] = [];
      for await (const chunk of chunks) pieces.push(Uint8Array.from(chunk));
      const bytes = Buffer.concat(pieces);
      if (bytes.length !== size) throw new Error(`${String(size)} bytes were announced, ${String(bytes.length)} came`);
      return blob(bytes);
    },
    info: (ids) =>
      Promise.resolve(
        ids.map((id) => {
          const bytes = blobs.get(id);
          return bytes === undefined ? undefined : { type: 'blob', size: bytes.length };
        }),
      ),
    read(id) {
      const known = trees.get(id);
      if (known !== undefined) return Promise.resolve(known);
      const { code, stdout } = fixture.run({ args: ['cat-file', 'tree', id], accept: [128] });
      return Promise.resolve(code === 0 ? parseTree(format, stdout, id) : undefined);
    },
    write(entries) {
      const id = objectId(format, 'tree', encodeTree(entries));
      trees.set(id, entries);
      return id;
    },
  };
}

/** All that a scan says, in a form in which equal means equal. */
export interface Look {
  readonly tree: ObjectId;
  readonly filesystem: unknown;
  /** The staged record with its tree; absent where the staged state is HEAD's tree. */
  readonly staged: unknown;
  readonly totals: Scan['totals'];
  readonly anchor: Scan['anchor'];
}

export interface LookRequest extends Partial<Pick<ScanRequest, 'fresh' | 'maxFileBytes' | 'maxNewBytes'>> {
  readonly forget?: boolean;
  /** Programs are looked for here first. */
  readonly programs?: string;
}

let looks = 0;

/** Opens the repository as a new process would, scans it, and (but for a fresh look) remembers what it saw. */
export async function look(fixture: FixtureRepository, space: ObjectSpace, request: LookRequest = {}): Promise<Look> {
  const { fresh = false, forget = fresh, maxFileBytes = 1 << 30, maxNewBytes = 1 << 30, programs } = request;
  const clean = cleanEnvironment(fixture.home);
  const env = programs === undefined ? clean : { ...clean, PATH: `${programs}:${clean['PATH'] ?? ''}` };
  const { repository: opened } = await openRepository({
    directory: fixture.root,
    env,
    home: fixture.home,
  });
  const repository = await opened.enrol();
  try {
    // Mostly through find, now and then without: what one wrote down, the other must understand.
    looks += 1;
    const manyDirectories = looks % 3 === 0 ? Infinity : 1;
    const limits = { maxFileBytes, maxNewBytes, directoryCache: true, manyDirectories };
    const scan = await repository.worktree.scan({ sink: space, objects: space, fresh, ...limits });
    const result = await resultOf(scan, space);
    if (!forget) await scan.remember(result.kept);
    return result.look;
  } finally {
    await repository.close();
    await opened.close();
  }
}

export interface Bench {
  readonly fixture: FixtureRepository;
  readonly space: ObjectSpace;
}

export interface OwnAct {
  /** What others do after the first scan. */
  readonly before?: () => void;
  /** What the caller does, and whoever comes in between. */
  readonly own: (early: EarlyLook, worktree: Worktree) => void | Promise<void>;
  readonly paths: readonly string[];
  readonly stored?: readonly ObjectId[];
  readonly brief?: boolean;
  /** What the first scan asks was asked before it, as a command does while it loads. */
  readonly foresees?: boolean;
}

/** Scans, begins to look, lets files be changed, and returns the scan after that; all of it in one process. */
export async function lookAfterOwnChanges(
  { fixture, space }: Bench,
  { before, own, paths, stored = [], brief = false, foresees = false }: OwnAct,
): Promise<Look> {
  const place = { directory: fixture.root, env: { ...cleanEnvironment(fixture.home), HOME: fixture.home } };
  const foreseen = foresees ? await foresee({ fixture, space }, place) : undefined;
  const { repository } = await openRepository({ ...place, ...(foreseen && { foreseen }) });
  const { worktree } = repository;
  const limits = { maxFileBytes: 1 << 30, maxNewBytes: 1 << 30, directoryCache: true };
  const request = { sink: space, objects: space, ...limits };
  try {
    const first = await worktree.scan({ ...request, followed: true });
    await first.remember((await resultOf(first, space)).kept);
    before?.();
    const early = worktree.lookEarly({ names: true, brief });
    if (early === undefined) throw new Error('nothing was left for an early look');
    await own(early, worktree);
    const scan = await worktree.scan({ ...request, own: { look: early, paths, stored } });
    const result = await resultOf(scan, space);
    await scan.remember(result.kept);
    await early.end();
    return result.look;
  } finally {
    await repository.close();
  }
}

/** What a command asks before it is loaded. */
async function foresee({ fixture, space }: Bench, place: ForesightRequest): Promise<Foreseen> {
  // Of what was written a moment ago nobody can tell whether it will change again: the place would not be remembered.
  utimesSync(fixture.path('.git/config'), 1_700_000_000, 1_700_000_000);
  await look(fixture, space);
  const foreseen = foreseeCapture(place);
  if (foreseen === undefined) throw new Error('nothing was foreseen');
  return foreseen;
}

async function resultOf(scan: Scan, space: ObjectSpace): Promise<{ look: Look; kept: ObjectId | undefined }> {
  const { objectFormat } = scan.anchor;
  const kept = await applyFolderEdit(space, scan.files);
  for (const [id, bytes] of scan.content)
    if (bytes !== undefined) await space.blob(bytes).then((made) => demand(made === id));
  const tree = kept ?? emptyTreeId(objectFormat);
  const staged = scan.staged && {
    ...scan.staged.record,
    tree: (await applyFolderEdit(space, scan.staged.folder)) ?? emptyTreeId(objectFormat),
  };
  const look = {
    tree,
    filesystem: parse(encodeFilesystem(scan.filesystem)),
    staged: staged && parse(encodeStaged(staged)),
    totals: scan.totals,
    anchor: scan.anchor,
  };
  return { look, kept };
}

function demand(condition: boolean): void {
  if (!condition) throw new Error('linked content does not have the id it is linked by');
}

function parse(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString('utf8'));
}

/** Path (one character per byte) to mode and id of every file below a tree. */
export async function filesBelow(space: ObjectSpace, tree: ObjectId, prefix = ''): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const { mode, name, id } of (await space.read(tree)) ?? []) {
    if (mode !== '040000') files.set(prefix + name, `${mode} ${id}`);
    else for (const [path, entry] of await filesBelow(space, id, `${prefix}${name}/`)) files.set(path, entry);
  }
  return files;
}
