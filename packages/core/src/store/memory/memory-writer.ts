/** The writing side of the memory store: objects wait aside until `commit`, and the ref moves last. */
import { contextError } from '../../base/errors.js';
import type { FileSet, ObjectId, ObjectType, TreeEntry } from '../../model/tree/tree.js';
import { applyFolderEdit } from '../folder-edit.js';
import { objectId } from '../../model/tree/object-id.js';
import { encodeCommit, encodeTree, parseTree } from '../git-objects.js';
import type { CommitDraft, StoredCommit, StoreWriter } from '../store.js';
import { putObject, type MemoryBacking, type MemoryObject } from './backing.js';
import type { FaultHook } from './faults.js';

export function memoryWriter(backing: MemoryBacking, fault: FaultHook): StoreWriter {
  const staged = new Map<ObjectId, MemoryObject>();

  function stage(type: ObjectType, bytes: Uint8Array): ObjectId {
    const id = objectId(backing.objectFormat, type, bytes);
    if (!staged.has(id)) staged.set(id, { type, bytes: new Uint8Array(bytes) });
    return id;
  }

  function readTree(id: ObjectId): Promise<readonly TreeEntry[] | undefined> {
    const found = staged.get(id) ?? backing.objects.get(id);
    return Promise.resolve(found?.type === 'tree' ? parseTree(backing.objectFormat, found.bytes, id) : undefined);
  }

  async function folderTrees(draft: CommitDraft): Promise<Map<string, ObjectId>> {
    const space = { read: readTree, write: (entries: readonly TreeEntry[]) => stage('tree', encodeTree(entries)) };
    const trees = new Map<string, ObjectId>();
    for (const edit of draft.folders) {
      await demandBase(edit.base, readTree);
      demandBlobs(edit.set, (id) => staged.has(id) || backing.objects.has(id));
      const tree = await applyFolderEdit(space, edit);
      if (tree !== undefined) trees.set(edit.folder, tree);
    }
    return trees;
  }

  async function stageCommit(draft: CommitDraft): Promise<StoredCommit> {
    const folders = await folderTrees(draft);
    const files = draft.seal(folders);
    const entries: TreeEntry[] = [...folders].map(([name, id]) => ({ name, mode: '040000', id }));
    for (const [name, bytes] of files) entries.push({ name, mode: '100644', id: stage('blob', bytes) });
    const tree = stage('tree', encodeTree(entries));
    const parents = draft.expected === undefined ? [] : [draft.expected];
    const bytes = encodeCommit({ tree, parents, message: draft.message });
    return { id: stage('commit', bytes), tree, parents, bytes };
  }

  return {
    prepare: () => undefined,
    blob: (bytes) => Promise.resolve().then(() => stage('blob', bytes)),
    blobFrom: async (size, chunks) => stage('blob', await collect(size, chunks)),
    async commit(draft, beside) {
      const commit = await stageCommit(draft);
      const moves = [{ draft, target: commit.id }];
      if (beside !== undefined) moves.push({ draft: beside, target: (await stageCommit(beside)).id });
      publish({ backing, staged, fault }, moves);
      return commit;
    },
    discard: () => Promise.resolve(staged.clear()),
  };
}

interface Publication {
  readonly backing: MemoryBacking;
  readonly staged: Map<ObjectId, MemoryObject>;
  readonly fault: FaultHook;
}

interface RefMove {
  readonly draft: CommitDraft;
  readonly target: ObjectId;
}

// Objects first, refs last; no step in between is visible to a reader, who starts at a ref.
function publish({ backing, staged, fault }: Publication, moves: readonly RefMove[]): void {
  const lostRace = moves.find(({ draft }) => backing.refs.get(draft.ref) !== draft.expected);
  if (lostRace !== undefined) throw contextError('head_moved', { ref: lostRace.draft.ref });
  for (const { type, bytes } of staged.values()) {
    fault('object');
    putObject(backing, type, bytes);
  }
  fault('ref');
  for (const { draft, target } of moves) backing.refs.set(draft.ref, target);
  fault('check');
  const lost = [...staged.keys()].find((id) => !backing.objects.has(id));
  if (lost !== undefined) throw contextError('object_missing', { object: lost, owner: moves[0]?.draft.ref ?? '' });
  staged.clear();
}

async function demandBase(
  base: ObjectId | undefined,
  read: (id: ObjectId) => Promise<readonly TreeEntry[] | undefined>,
): Promise<void> {
  if (base !== undefined && (await read(base)) === undefined) {
    throw contextError('object_missing', { object: base, owner: 'the base of a folder' });
  }
}

// A submodule's commit lies in another repository, so it is never looked up here.
function demandBlobs(files: readonly FileSet[], has: (id: ObjectId) => boolean): void {
  const missing = files.find(({ mode, id }) => mode !== '160000' && !has(id));
  if (missing !== undefined) throw contextError('object_missing', { object: missing.id, owner: 'a folder' });
}

async function collect(size: number, chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let filled = 0;
  for await (const chunk of chunks) {
    if (filled + chunk.length > size) throw wrongSize(size, 'goes on after that');
    bytes.set(chunk, filled);
    filled += chunk.length;
  }
  if (filled < size) throw wrongSize(size, `ends after ${String(filled)}`);
  return bytes;
}

function wrongSize(size: number, how: string): Error {
  return contextError('worktree_changing', { reason: `a source of ${String(size)} bytes ${how}` });
}
