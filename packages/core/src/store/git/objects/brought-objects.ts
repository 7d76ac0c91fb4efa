/** Which objects a new commit brings into the store: those are looked up once more before anybody hears of it. */
import type { BytePath } from '../../../base/path.js';
import type { ObjectFormat } from '../../../model/tree/anchor.js';
import { objectId } from '../../../model/tree/object-id.js';
import type { FolderEdit, FolderTrees, ObjectId } from '../../../model/tree/tree.js';
import { encodeCommit, encodeTree } from '../../git-objects.js';
import type { CommitDraft } from '../../store.js';

/** A commit on its way into the store. */
export interface Written {
  readonly draft: CommitDraft;
  readonly id: ObjectId;
  /** Files at the root. */
  readonly roots: ReadonlyMap<string, Uint8Array>;
  readonly folders: FolderTrees;
  /** Directories that an edit may have changed. */
  readonly touched: readonly BytePath[];
  /** The trees that some of them have. */
  readonly trees: FolderTrees;
}

/** What a commit needs and may be new, by names that git can be asked for; its tree first. */
export function namesOf({ draft, roots, touched, id }: Written): readonly string[] {
  // A name with a line feed cannot be asked for by path; its blob is asked for by id, its tree lies in the same pack.
  const inTree = [...touched, ...roots.keys()].filter((name) => !name.includes('\n'));
  return [`${id}^{tree}`, ...editedBlobs(draft), ...inTree.map((name) => `${id}:${name}`)];
}

// A submodule's commit is in the submodule's own store.
export function editedBlobs({ folders }: CommitDraft): readonly ObjectId[] {
  return folders.flatMap(({ set }) => set.filter(({ mode }) => mode !== '160000').map(({ id }) => id));
}

/** Returns the directories in which an edit sets a path, its folder first. */
export function touchedDirectories({ folder, set }: FolderEdit): ReadonlySet<BytePath> {
  const directories = new Set<BytePath>();
  if (set.length === 0) return directories;
  directories.add(folder);
  for (const { path: file } of set) {
    for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) {
      const directory = `${folder}/${file.slice(0, at)}`;
      if (directories.has(directory)) break;
      directories.add(directory);
    }
  }
  return directories;
}

export interface BroughtObjects {
  readonly tree: ObjectId;
  readonly ids: ReadonlySet<ObjectId>;
}

/**
 * Works out the ids of the objects, but for those that the snapshot before holds: a ref reaches them all the time.
 * Undefined where they are not known without asking git; the id of the commit proves the others.
 */
export function broughtObjects(format: ObjectFormat, written: Written): BroughtObjects | undefined {
  const { draft, id, roots, folders, touched, trees } = written;
  const below = touched.flatMap((name) => trees.get(name) ?? []);
  if (below.length < touched.length) return undefined;
  const files = [...roots].map(([name, bytes]) => ({ name, id: objectId(format, 'blob', bytes) }));
  const root = encodeTree([
    ...files.map((file) => ({ ...file, mode: '100644' as const })),
    ...[...folders].map(([name, tree]) => ({ name, id: tree, mode: '040000' as const })),
  ]);
  const tree = objectId(format, 'tree', root);
  const parents = draft.expected === undefined ? [] : [draft.expected];
  if (objectId(format, 'commit', encodeCommit({ tree, parents, message: draft.message })) !== id) return undefined;
  const ids = new Set([id, tree, ...editedBlobs(draft), ...files.map((file) => file.id), ...below]);
  for (const known of draft.held ?? []) ids.delete(known);
  return { tree, ids };
}
