/** Reads every timeline from its head down, without stopping at what is broken. */
import { ContextError } from '../../base/errors.js';
import { snapshotId } from '../../format/v1/body.js';
import type { ObjectId } from '../../model/tree/tree.js';
import type { SnapshotId, Witness } from '../../model/snapshot.js';
import type { Store, StoredCommit } from '../../store/store.js';
import { loadSnapshot, readSnapshotFiles, type LoadedSnapshot, type SnapshotFiles } from '../snapshot/load.js';
import { signatureState } from '../judge.js';
import type { Head } from '../view.js';

/** A snapshot and the place that its body gives it. */
export interface Placed extends Witness {
  readonly signer: string;
  readonly parent?: SnapshotId;
}

/** One place in a timeline, and what others are held against: all places of a store are in memory at once. */
export interface Link {
  readonly timeline: string;
  readonly commit: ObjectId;
  /** True where the commit itself could be read and names none before it. */
  readonly isFirst: boolean;
  /** What the bytes of the body hash to, also where they cannot be read further. */
  readonly id?: SnapshotId;
  /** Absent where the body cannot be read. */
  readonly sequence?: number;
  /** Absent where the body cannot be read. */
  readonly placed?: Placed;
  /** What it saw of other timelines; nothing where its signature does not hold: then it may say anything. */
  readonly seen: readonly Witness[];
}

/** The same place with all that is to be verified of it. */
export interface LinkContent {
  /** Absent where the commit itself is gone or damaged. */
  readonly stored?: StoredCommit;
  readonly id?: SnapshotId;
  /** What stands at the root of its tree, where that could be read. */
  readonly entries?: SnapshotFiles['entries'];
  readonly snapshot?: LoadedSnapshot;
  /** Why there is no snapshot. */
  readonly error?: ContextError;
}

const BATCH = 64;

/** Returns the links of a timeline, newest first. A commit that is gone ends it. */
export async function readChain(store: Store, head: Head): Promise<readonly Link[]> {
  const commits: ObjectId[] = [];
  const seen = new Set<ObjectId>();
  for (let at: ObjectId | undefined = head.commit; at !== undefined && !seen.has(at);) {
    seen.add(at);
    commits.push(at);
    at = (await readCommit(store, at))?.parents[0];
  }
  const links: Link[] = [];
  for (let at = 0; at < commits.length; at += BATCH) {
    const batch = commits.slice(at, at + BATCH).map((commit) => readLink(store, head.timeline, commit));
    links.push(...(await Promise.all(batch)));
  }
  return links;
}

async function readLink(store: Store, timeline: string, commit: ObjectId): Promise<Link> {
  const { stored, id, snapshot } = await readContent(store, commit);
  return {
    timeline,
    commit,
    isFirst: stored?.parents.length === 0,
    ...(id !== undefined && { id }),
    ...(snapshot !== undefined && { sequence: snapshot.body.sequence, placed: placeOf(snapshot) }),
    seen: snapshot === undefined ? [] : heard(timeline, snapshot),
  };
}

export function placeOf({ id, body }: Pick<LoadedSnapshot, 'id' | 'body'>): Placed {
  const { timeline, sequence, signer, parents } = body;
  return { timeline, sequence, id, signer, ...(parents[0] !== undefined && { parent: parents[0] }) };
}

function heard(timeline: string, snapshot: LoadedSnapshot): readonly Witness[] {
  const outside = snapshot.body.seen.filter((witness) => witness.timeline !== timeline);
  if (outside.length === 0 || snapshot.body.timeline !== timeline) return [];
  return signatureState(snapshot) === 'bad_signature' ? [] : outside;
}

/** Reads what lies at one place, however broken it is. */
export async function readContent(store: Store, commit: ObjectId): Promise<LinkContent> {
  const stored = await readCommit(store, commit);
  const place = stored === undefined ? {} : { stored };
  try {
    const snapshot = await loadSnapshot(store, commit);
    return { ...place, id: snapshot.id, entries: snapshot.entries, snapshot };
  } catch (error) {
    if (!(error instanceof ContextError)) throw error;
    const files = await orDamaged(() => readSnapshotFiles(store, commit));
    return { ...place, error, ...(files !== undefined && { id: snapshotId(files.body), entries: files.entries }) };
  }
}

function readCommit(store: Store, commit: ObjectId): Promise<StoredCommit | undefined> {
  return orDamaged(() => store.commit(commit));
}

async function orDamaged<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ContextError && error.kind === 'corrupt') return undefined;
    throw error;
  }
}
