/** Walks the folders of a snapshot: the files below a tree, one path in it, and bytes by path. */
import { contextError } from '../../base/errors.js';
import type { BytePath } from '../../base/path.js';
import type { ObjectId, TreeEntry, TreeMode } from '../../model/tree/tree.js';
import type { TreeReader } from '../../store/compare-trees.js';

export interface FolderFile {
  readonly path: BytePath;
  readonly mode: TreeMode;
  readonly id: ObjectId;
}

/** Returns the entries of a tree that has to be there. @throws object_missing */
export async function demandTree(read: TreeReader, id: ObjectId, owner: string): Promise<readonly TreeEntry[]> {
  const entries = await read(id);
  if (entries === undefined) throw contextError('object_missing', { object: id, owner });
  return entries;
}

/** Returns everything below a tree in git's order, directories (mode `040000`) before what is in them. @throws object_missing */
export async function walkFolder(
  read: TreeReader,
  tree: ObjectId | undefined,
  prefix: BytePath = '',
): Promise<readonly FolderFile[]> {
  if (tree === undefined) return [];
  const entries = await demandTree(read, tree, 'a folder of the snapshot');
  const found = await Promise.all(
    entries.map(async ({ mode, name, id }): Promise<readonly FolderFile[]> => {
      const file = { path: prefix + name, mode, id };
      return mode === '040000' ? [file, ...(await walkFolder(read, id, `${prefix}${name}/`))] : [file];
    }),
  );
  return found.flat();
}

/** Returns the files and links below a tree. @throws object_missing */
export async function listFolder(read: TreeReader, tree: ObjectId | undefined): Promise<readonly FolderFile[]> {
  return (await walkFolder(read, tree)).filter(({ mode }) => mode !== '040000');
}

/** Returns what stands at a path, or undefined. @throws object_missing */
export async function findInFolder(
  read: TreeReader,
  tree: ObjectId | undefined,
  path: BytePath,
): Promise<FolderFile | undefined> {
  let at: FolderFile | undefined = tree === undefined ? undefined : { path: '', mode: '040000', id: tree };
  for (const name of path.split('/')) {
    if (at?.mode !== '040000') return undefined;
    const entries = await demandTree(read, at.id, 'a folder of the snapshot');
    const entry = entries.find((candidate) => candidate.name === name);
    at = entry && { path, mode: entry.mode, id: entry.id };
  }
  return at;
}

/** Finds many paths below trees, each of which is read once. */
export interface FolderFinder {
  /** Returns what stands at a path, or undefined. @throws object_missing */
  find(tree: ObjectId | undefined, path: BytePath): Promise<FolderFile | undefined>;
  /** Returns the entries of a tree by name. @throws object_missing */
  entries(tree: ObjectId): Promise<ReadonlyMap<BytePath, TreeEntry>>;
}

export function folderFinder(read: TreeReader): FolderFinder {
  const known = new Map<ObjectId, Promise<ReadonlyMap<BytePath, TreeEntry>>>();
  const readEntries = async (tree: ObjectId): Promise<ReadonlyMap<BytePath, TreeEntry>> =>
    new Map((await demandTree(read, tree, 'a folder of the snapshot')).map((entry) => [entry.name, entry]));
  const entries: FolderFinder['entries'] = (tree) => {
    const found = known.get(tree) ?? readEntries(tree);
    known.set(tree, found);
    return found;
  };
  return {
    entries,
    async find(tree, path) {
      let at: FolderFile | undefined = tree === undefined ? undefined : { path: '', mode: '040000', id: tree };
      for (const name of path.split('/')) {
        if (at?.mode !== '040000') return undefined;
        const entry: TreeEntry | undefined = (await entries(at.id)).get(name);
        at = entry && { path, mode: entry.mode, id: entry.id };
      }
      return at;
    },
  };
}
