/** Compares two trees through any reader of trees, without entering subtrees that are equal. */
import { contextError } from '../base/errors.js';
import type { BytePath } from '../base/path.js';
import type { ObjectId, TreeEntry } from '../model/tree/tree.js';
import type { TreeDifference } from './store.js';

/** Returns the entries of a tree, or undefined if it is not there. */
export type TreeReader = (id: ObjectId) => Promise<readonly TreeEntry[] | undefined>;

/**
 * Yields every file, link or submodule whose entry differs, in git's order of paths. An undefined tree is an empty one.
 * @throws object_missing
 */
export async function* compareTrees(
  read: TreeReader,
  a: ObjectId | undefined,
  b: ObjectId | undefined,
): AsyncGenerator<TreeDifference> {
  yield* compareBelow({ read, prefix: '' }, a, b);
}

interface Place {
  readonly read: TreeReader;
  readonly prefix: BytePath;
}

async function* compareBelow(
  place: Place,
  a: ObjectId | undefined,
  b: ObjectId | undefined,
): AsyncGenerator<TreeDifference> {
  if (a === b) return;
  const [left, right] = await Promise.all([entriesByKey(place.read, a), entriesByKey(place.read, b)]);
  const keys = [...new Set([...left.keys(), ...right.keys()])].sort((x, y) => (x < y ? -1 : 1));
  for (const key of keys) {
    const [before, after] = [left.get(key), right.get(key)];
    if (before?.id === after?.id && before?.mode === after?.mode) continue;
    const path = place.prefix + (before ?? after ?? { name: '' }).name;
    if (key.endsWith('/')) {
      yield* compareBelow({ read: place.read, prefix: `${path}/` }, before?.id, after?.id);
    } else {
      yield {
        path,
        ...(before && { before: { mode: before.mode, id: before.id } }),
        ...(after && { after: { mode: after.mode, id: after.id } }),
      };
    }
  }
}

// The key of a directory ends in `/`: that is git's sort order, and it keeps a file and a directory of one name apart.
async function entriesByKey(read: TreeReader, id: ObjectId | undefined): Promise<ReadonlyMap<string, TreeEntry>> {
  if (id === undefined) return new Map();
  const entries = await read(id);
  if (entries === undefined) throw contextError('object_missing', { object: id, owner: 'a compared tree' });
  return new Map(entries.map((entry) => [entry.mode === '040000' ? `${entry.name}/` : entry.name, entry]));
}
