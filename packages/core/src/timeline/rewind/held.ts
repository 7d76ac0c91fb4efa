/** Finds out which paths a snapshot holds that no operation made. */
import { ContextError } from '../../base/errors.js';
import type { BytePath } from '../../base/path.js';
import { FILESYSTEM_FILE, WORKTREE_FOLDER } from '../../format/v1/layout.js';
import { isMadeByOperation } from '../../model/operation.js';
import type { ObjectId } from '../../model/tree/tree.js';
import type { Store } from '../../store/store.js';
import { divertedFiles } from '../diff/worktree-files.js';
import { folderFinder } from '../snapshot/folders.js';
import { loadSnapshot, type LoadedSnapshot } from '../snapshot/load.js';
import { folderTree, readFilesystem } from '../snapshot/slices.js';
import { TIMELINES } from '../view.js';

/** Snapshots read at a time. */
const BATCH = 32;

export interface HeldPlace {
  readonly store: Store;
  /** Those of the worktree. */
  readonly timelines: readonly string[];
}

/** Returns those of the paths that such a snapshot holds; the newest are asked first, and mostly settle it. */
export async function heldPaths(place: HeldPlace, paths: readonly BytePath[]): Promise<ReadonlySet<BytePath>> {
  const wanted = new Set(paths);
  const held = new Set<BytePath>();
  const asked = new Set<string>();
  for await (const snapshot of ownSnapshots(place)) {
    const files = filesOf(snapshot);
    if (asked.has(files)) continue;
    asked.add(files);
    for (const path of await among(place.store, snapshot, wanted)) {
      held.add(path);
      wanted.delete(path);
    }
    if (wanted.size === 0) break;
  }
  return held;
}

/** Returns those of the paths that the last snapshot before a time holds, on any timeline of the worktree. */
export async function heldAt(
  place: HeldPlace,
  time: string,
  paths: readonly BytePath[],
): Promise<ReadonlySet<BytePath>> {
  for await (const snapshot of ownSnapshots(place)) {
    if (snapshot.body.createdAt <= time) return new Set(await among(place.store, snapshot, new Set(paths)));
  }
  return new Set();
}

/** Two snapshots with the same tree may hold different files beside it. */
function filesOf({ entries }: LoadedSnapshot): string {
  return [WORKTREE_FOLDER, FILESYSTEM_FILE].map((name) => entries.get(name)?.id ?? '').join(' ');
}

async function among(store: Store, snapshot: LoadedSnapshot, paths: ReadonlySet<BytePath>): Promise<BytePath[]> {
  const tree = folderTree(snapshot, WORKTREE_FOLDER);
  const finder = folderFinder((id) => store.tree(id));
  const diverted = divertedFiles(await readFilesystem(store, snapshot));
  const found: BytePath[] = [];
  for (const path of paths) {
    const file = diverted.has(path) ? undefined : await finder.find(tree, path);
    if (diverted.has(path) || (file !== undefined && file.mode !== '040000')) found.push(path);
  }
  return found;
}

/** Yields the snapshots that no operation made, newest first in each timeline; a broken one holds nothing. */
async function* ownSnapshots({ store, timelines }: HeldPlace): AsyncGenerator<LoadedSnapshot> {
  for (const timeline of timelines) {
    const head = await store.resolve(TIMELINES + timeline);
    if (head === undefined) continue;
    let batch: ObjectId[] = [];
    const load = async (): Promise<readonly LoadedSnapshot[]> => {
      const loaded = await Promise.all(batch.map((commit) => loadSnapshot(store, commit).catch(nothingIfBroken)));
      batch = [];
      return loaded.filter((snapshot) => snapshot !== undefined).filter(({ body }) => !isMadeByOperation(body));
    };
    let size = 4;
    for await (const commit of store.history(head)) {
      batch.push(commit);
      if (batch.length < size) continue;
      yield* await load();
      size = BATCH;
    }
    yield* await load();
  }
}

function nothingIfBroken(error: unknown): undefined {
  if (error instanceof ContextError) return undefined;
  throw error;
}
