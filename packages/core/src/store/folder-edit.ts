/** Applies a folder edit to trees through any reader and writer: removals first, then settings, the last one wins. */
import { contextError } from '../base/errors.js';
import type { BytePath } from '../base/path.js';
import type { FileSet, FolderEdit, ObjectId, TreeEntry } from '../model/tree/tree.js';
import type { TreeReader } from './compare-trees.js';

export interface TreeSpace {
  readonly read: TreeReader;
  write(entries: readonly TreeEntry[]): ObjectId;
}

interface EditNode {
  /** What the base has here, and below, is gone. */
  cleared: boolean;
  set?: { readonly mode: FileSet['mode']; readonly id: ObjectId };
  readonly children: Map<string, EditNode>;
}

/**
 * Returns the tree of the edited folder, or undefined if nothing is left in it: git keeps no empty directories.
 * @throws object_missing if a tree of the base that the edit enters is gone
 */
export async function applyFolderEdit(space: TreeSpace, edit: FolderEdit): Promise<ObjectId | undefined> {
  const root = newNode();
  for (const path of edit.remove) nodeAt(root, path).cleared = true;
  for (const file of edit.set) setFile(root, file);
  const base: Entry | undefined = edit.base === undefined ? undefined : { mode: '040000', id: edit.base };
  return (await resolveNode(space, root, base))?.id;
}

type Entry = Pick<TreeEntry, 'mode' | 'id'>;

function newNode(): EditNode {
  return { cleared: false, children: new Map() };
}

function nodeAt(root: EditNode, path: BytePath): EditNode {
  return pathParts(path).reduce((node, part) => child(node, part), root);
}

function child(node: EditNode, name: string): EditNode {
  const known = node.children.get(name);
  if (known !== undefined) return known;
  const made = newNode();
  node.children.set(name, made);
  return made;
}

// A file set where a directory was, or the other way round, replaces it, as `git fast-import` does.
function setFile(root: EditNode, file: FileSet): void {
  const parts = pathParts(file.path);
  let node = root;
  for (const part of parts) {
    if (node.set !== undefined && node.set.mode !== '040000') delete node.set;
    node = child(node, part);
  }
  node.children.clear();
  node.cleared = true;
  node.set = { mode: file.mode, id: file.id };
}

function pathParts(path: BytePath): readonly string[] {
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part.includes('\0'))) {
    throw contextError('invariant_broken', { reason: `a folder edit names the path ${JSON.stringify(path)}` });
  }
  return parts;
}

async function resolveNode(space: TreeSpace, node: EditNode, base: Entry | undefined): Promise<Entry | undefined> {
  const here = node.set ?? (node.cleared ? undefined : base);
  if (node.children.size === 0) return here;
  const entries = await entriesOf(space, here);
  const kept = new Map(entries);
  const edits = [...node.children].map(
    async ([name, below]) => [name, await resolveNode(space, below, entries.get(name))] as const,
  );
  let sets = 0;
  for (const [name, entry] of await Promise.all(edits)) {
    if (entry === undefined) kept.delete(name);
    else {
      kept.set(name, entry);
      sets += 1;
    }
  }
  // Removals below something that is not a directory leave it alone.
  if (sets === 0 && here !== undefined && here.mode !== '040000') return here;
  if (kept.size === 0) return undefined;
  return { mode: '040000', id: space.write([...kept].map(([name, { mode, id }]) => ({ name, mode, id }))) };
}

async function entriesOf(space: TreeSpace, entry: Entry | undefined): Promise<ReadonlyMap<string, Entry>> {
  if (entry?.mode !== '040000') return new Map();
  const entries = await space.read(entry.id);
  if (entries === undefined) throw contextError('object_missing', { object: entry.id, owner: 'the base of a folder' });
  return new Map(entries.map(({ name, mode, id }) => [name, { mode, id }]));
}
