/**
 * Snapshots as folders: those that were published, and those of others. A ref's tree has each at `<id[:2]>/<id[2:]>/`, and
 * only grows. What lies there may come from a stranger: names are checked, and a body counts by its digest alone.
 */
import { ContextError } from '../../base/errors.js';
import { decodeBody, snapshotId } from '../../format/v1/body.js';
import { WITHHELD_FILE } from '../../format/v1/bundle.js';
import { BODY_FILE, SIGNATURE_FILE } from '../../format/v1/layout.js';
import { decodeWithheld } from '../../format/v1/withheld.js';
import { contextError } from '../../base/errors.js';
import type { WithheldFile } from '../../model/bundle.js';
import type { Signer, SnapshotId } from '../../model/snapshot.js';
import type { ObjectId, TreeEntry } from '../../model/tree/tree.js';
import type { RefName, Store } from '../../store/store.js';
import { keyDigits } from '../../trust/public-key.js';
import { readSignature, type LoadedSnapshot } from '../snapshot/load.js';

export const PUBLISHED = 'published/';
/** What sync fetched and import took in. */
export const REMOTES = 'remotes/';

export function publishedRef(signer: Signer, replica: string): RefName {
  return `${PUBLISHED}${keyDigits(signer)}/${replica}`;
}

export function importedRef(signer: Signer, replica: string): RefName {
  return `${REMOTES}bundle/${keyDigits(signer)}/${replica}`;
}

/** Where a snapshot lies as a folder. Nothing of it is believed yet. */
export interface ShelvedPlace {
  readonly ref: RefName;
  readonly commit: ObjectId;
  /** By the names of its folders. */
  readonly id: SnapshotId;
  readonly tree: ObjectId;
}

/** Returns the folders of one ref's tree. A tree that is gone or damaged has none. */
export async function placesOf(store: Store, ref: RefName, commit: ObjectId): Promise<readonly ShelvedPlace[]> {
  const root = (await store.commit(commit).catch(orNothing))?.tree;
  const tops = root === undefined ? [] : await folders(store, root, /^[0-9a-f]{2}$/);
  const found = await Promise.all(
    tops.map(async (top) =>
      (await folders(store, top.id, /^[0-9a-f]{62}$/)).map(({ name, id: tree }) => ({
        ref,
        commit,
        id: top.name + name,
        tree,
      })),
    ),
  );
  return found.flat();
}

/** Returns the folders of all refs that begin with `prefix`. */
export async function shelvedPlaces(store: Store, prefix: string): Promise<readonly ShelvedPlace[]> {
  const refs = await store.refs(prefix);
  return (await Promise.all(refs.map(({ name, target }) => placesOf(store, name, target)))).flat();
}

async function folders(store: Store, tree: ObjectId, name: RegExp): Promise<readonly TreeEntry[]> {
  const entries = (await store.tree(tree).catch(orNothing)) ?? [];
  return entries.filter((entry) => entry.mode === '040000' && name.test(entry.name));
}

function orNothing(error: unknown): undefined {
  if (error instanceof ContextError) return undefined;
  throw error;
}

/** A snapshot of somebody else, or one's own as it was published. */
export interface ShelvedSnapshot extends LoadedSnapshot {
  readonly foreign: NonNullable<LoadedSnapshot['foreign']>;
}

/** Reads a snapshot that lies as a folder. @throws object_missing; format_unreadable; digest_mismatch */
export async function loadShelved(store: Store, place: ShelvedPlace): Promise<ShelvedSnapshot> {
  const owner = `the snapshot ${place.id.slice(0, 12)}`;
  const [commit, listed] = await Promise.all([store.commit(place.commit), store.tree(place.tree)]);
  if (commit === undefined || listed === undefined) throw contextError('object_missing', { object: place.tree, owner });
  const entries = new Map(listed.map((entry) => [entry.name, entry]));
  const read = async (name: string): Promise<Uint8Array | undefined> => {
    const entry = entries.get(name);
    return entry && (await store.read(entry.id, 'blob'));
  };
  const [bytes, signature, withheld] = await Promise.all([read(BODY_FILE), read(SIGNATURE_FILE), read(WITHHELD_FILE)]);
  if (bytes === undefined) throw contextError('object_missing', { object: BODY_FILE, owner });
  const id = snapshotId(bytes);
  if (id !== place.id) throw contextError('digest_mismatch', { what: `The file ${BODY_FILE} of ${owner}` });
  const gaps: readonly WithheldFile[] = withheld === undefined ? [] : decodeWithheld(withheld);
  return {
    commit,
    entries,
    bytes,
    id,
    body: decodeBody(bytes),
    ...(signature !== undefined && readSignature(signature)),
    foreign: { ref: place.ref, withheld: gaps },
  };
}
