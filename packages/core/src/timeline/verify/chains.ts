/** Reads every timeline from its head down, without stopping at what is broken. */
import { ContextError } from '../../base/errors.js';
import { snapshotId } from '../../format/v1/body.js';
import type { ObjectId } from '../../model/tree/tree.js';
import type { SnapshotId } from '../../model/snapshot.js';
import type { Store, StoredCommit } from '../../store/store.js';
import { loadSnapshot, readSnapshotFiles, type LoadedSnapshot, type SnapshotFiles } from '../load.js';
import type { Head } from '../view.js';

/** Without its bytes: all bodies of a store are in memory at once. */
export type LinkedSnapshot = Omit<LoadedSnapshot, 'bytes'>;

/** One place in a timeline. */
export interface Link {
  readonly timeline: string;
  readonly commit: ObjectId;
  /** Absent where the commit itself is gone or damaged. */
  readonly stored?: StoredCommit;
  /** What the bytes of the body hash to, also where they cannot be read further. */
  readonly id?: SnapshotId;
  /** What stands at the root of its tree, where that could be read. */
  readonly entries?: SnapshotFiles['entries'];
  readonly snapshot?: LinkedSnapshot;
  /** Why there is no snapshot. */
  readonly error?: ContextError;
}

const BATCH = 64;

/** Returns the links of a timeline, newest first. A commit that is gone ends it. */
export async function readChain(store: Store, head: Head): Promise<readonly Link[]> {
  const commits: { readonly id: ObjectId; readonly stored?: StoredCommit }[] = [];
  const seen = new Set<ObjectId>();
  for (let at: ObjectId | undefined = head.commit; at !== undefined && !seen.has(at);) {
    seen.add(at);
    const id: ObjectId = at;
    const stored = await orDamaged(() => store.commit(id));
    commits.push({ id, ...(stored !== undefined && { stored }) });
    at = stored?.parents[0];
  }
  const links: Link[] = [];
  for (let at = 0; at < commits.length; at += BATCH) {
    const batch = commits
      .slice(at, at + BATCH)
      .map(({ id, stored }) => readLink(store, head.timeline, { id, ...(stored && { stored }) }));
    links.push(...(await Promise.all(batch)));
  }
  return links;
}

async function orDamaged<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ContextError && error.kind === 'corrupt') return undefined;
    throw error;
  }
}

async function readLink(
  store: Store,
  timeline: string,
  { id: commit, stored }: { readonly id: ObjectId; readonly stored?: StoredCommit },
): Promise<Link> {
  const place = { timeline, commit, ...(stored !== undefined && { stored }) };
  try {
    const snapshot = withoutBytes(await loadSnapshot(store, commit));
    return { ...place, id: snapshot.id, entries: snapshot.entries, snapshot };
  } catch (error) {
    if (!(error instanceof ContextError)) throw error;
    const files = await orDamaged(() => readSnapshotFiles(store, commit));
    return { ...place, error, ...(files !== undefined && { id: snapshotId(files.body), entries: files.entries }) };
  }
}

function withoutBytes({ commit, entries, id, body, signature, signatureProblem }: LoadedSnapshot): LinkedSnapshot {
  return {
    commit,
    entries,
    id,
    body,
    ...(signature !== undefined && { signature }),
    ...(signatureProblem !== undefined && { signatureProblem }),
  };
}
