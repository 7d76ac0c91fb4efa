/** Which repository this is. The file that says so may be lost; the snapshots are not. */
import type { Store } from '../store/store.js';
import { loadSnapshot } from './snapshot/load.js';
import { timelineHeads } from './view.js';

/** Returns the id of the repository: `known`, or where that is empty the one that the next capture takes up. */
export async function ownRepository(store: Store, known: string): Promise<string> {
  return known === '' ? ((await repositoryOfSnapshots(store)) ?? '') : known;
}

/** Returns the id that snapshots in the store name, or undefined where there are none. */
export async function repositoryOfSnapshots(store: Store): Promise<string | undefined> {
  for (const { commit } of await timelineHeads(store)) {
    const snapshot = await loadSnapshot(store, commit).catch(() => undefined);
    if (snapshot !== undefined) return snapshot.body.repository;
  }
  return undefined;
}
