/** Walks several timelines at once, newest first: within a timeline by its chain, between timelines by time. */
import { ContextError, contextError } from '../base/errors.js';
import type { ObjectId } from '../model/tree/tree.js';
import type { Store, StoredCommit } from '../store/store.js';
import type { Unreadable } from './catalogue.js';
import type { Guess } from './guess.js';
import {
  decodeSnapshot,
  readCommitFiles,
  SNAPSHOT_FILES,
  type LoadedSnapshot,
  type SnapshotFiles,
} from './snapshot/load.js';
import type { Head } from './view.js';

/** One end of a timeline that still has something to give. */
interface Cursor<T> {
  readonly timeline: string;
  next(): Promise<T | undefined>;
}

interface Dated {
  readonly createdAt: string;
}

/** Merges sequences that are newest first each. A clock that went back cannot put a snapshot before its successor. */
export async function* mergeNewest<T extends Dated>(cursors: readonly Cursor<T>[]): AsyncGenerator<T> {
  const open = await Promise.all(cursors.map(async (cursor) => ({ cursor, value: await cursor.next() })));
  for (;;) {
    let newest: (typeof open)[number] | undefined;
    for (const one of open) if (one.value !== undefined && isNewer(one, newest)) newest = one;
    if (newest?.value === undefined) return;
    yield newest.value;
    newest.value = await newest.cursor.next();
  }
}

interface Open {
  readonly cursor: { readonly timeline: string };
  readonly value: Dated | undefined;
}

// Equal times are ordered by the timeline's id, so that the same question always has the same answer.
function isNewer(one: Open, than: Open | undefined): boolean {
  const [a, b] = [one.value?.createdAt ?? '', than?.value?.createdAt ?? ''];
  return a > b || (a === b && one.cursor.timeline < (than?.cursor.timeline ?? ''));
}

/** Returns a cursor over what is already at hand. */
export function listCursor<T>(timeline: string, values: readonly T[]): Cursor<T> {
  let at = 0;
  return { timeline, next: () => Promise.resolve(values[at++]) };
}

export interface WalkedSnapshot extends Dated {
  readonly timeline: string;
  readonly snapshot: LoadedSnapshot;
}

export interface Reading {
  /** About so many will be asked for. */
  readonly wanted: number;
  readonly unreadable: Unreadable[];
  readonly guess?: Guess;
  /** Reads into the files of each. */
  readonly decode?: (files: SnapshotFiles) => LoadedSnapshot;
}

/** Of several timelines, most of what is read ahead of one would never be asked for. */
const STEP = 16;
const LONG_STEP = 100;

/**
 * Walks snapshots from the heads on; what cannot be read is put into `unreadable` and passed. The reading begins with the
 * call, before the first one is asked for.
 */
export function walkNewest(store: Store, heads: readonly Head[], reading: Reading): AsyncGenerator<WalkedSnapshot> {
  const count = Math.min(reading.wanted, LONG_STEP);
  const first = reading.guess?.newest(heads, count) ?? heads.map(({ commit }) => commit);
  return walkFrom(store.readAhead(first, SNAPSHOT_FILES), () =>
    heads.map((head) => {
      const steps = heads.length === 1 ? { first: count, step: count } : { first: 1, step: Math.min(count, STEP) };
      return { timeline: head.timeline, next: chainReader({ store, reading, steps }, head) };
    }),
  );
}

async function* walkFrom(
  beginning: Promise<void>,
  cursors: () => readonly Cursor<WalkedSnapshot>[],
): AsyncGenerator<WalkedSnapshot> {
  await beginning;
  yield* mergeNewest(cursors());
}

interface ChainReading {
  readonly store: Store;
  readonly reading: Reading;
  /** How many snapshots are read together, at first and later. */
  readonly steps: { readonly first: number; readonly step: number };
}

function chainReader({ store, reading, steps }: ChainReading, head: Head): () => Promise<WalkedSnapshot | undefined> {
  let queue: readonly Loading[] = [];
  let from: ObjectId | undefined = head.commit;
  let count = steps.first;
  const { decode = decodeSnapshot } = reading;
  return async () => {
    for (;;) {
      const [loading, ...rest] = queue;
      if (loading === undefined) {
        if (from === undefined) return undefined;
        const chunk: Chunk = await readChunk(store, from, { count, guess: reading.guess });
        queue = chunk.loads;
        from = chunk.next;
        count = steps.step;
        continue;
      }
      queue = rest;
      const { commit, files } = loading;
      const read = await files;
      // One at a time, so that whoever asks can work on the one before meanwhile.
      const snapshot = read instanceof ContextError ? read : await orError(() => Promise.resolve(decode(read)));
      if (!(snapshot instanceof ContextError))
        return { timeline: head.timeline, createdAt: snapshot.body.createdAt, snapshot };
      reading.unreadable.push({ timeline: head.timeline, commit, error: snapshot });
    }
  };
}

/** A snapshot whose files are being read. */
interface Loading {
  readonly commit: ObjectId;
  readonly files: Promise<SnapshotFiles | ContextError>;
}

interface Chunk {
  readonly loads: readonly Loading[];
  readonly next: ObjectId | undefined;
}

interface ChunkRequest {
  readonly count: number;
  readonly guess: Guess | undefined;
}

// Commit after commit, since each names the next; what is in them is read meanwhile. A guess saves waiting for each.
async function readChunk(store: Store, from: ObjectId, { count, guess }: ChunkRequest): Promise<Chunk> {
  if (guess !== undefined) await store.readAhead(guess.ancestors(from, count), SNAPSHOT_FILES);
  const loads: Loading[] = [];
  let next: ObjectId | undefined = from;
  while (next !== undefined && loads.length < count) {
    const id: ObjectId = next;
    const commit = await orError(() => store.commit(id));
    loads.push({ commit: id, files: filesOrError(store, id, commit) });
    next = commit instanceof ContextError ? undefined : commit?.parents[0];
  }
  return { loads, next };
}

async function filesOrError(
  store: Store,
  id: ObjectId,
  commit: StoredCommit | ContextError | undefined,
): Promise<SnapshotFiles | ContextError> {
  if (commit instanceof ContextError) return commit;
  if (commit === undefined) return contextError('object_missing', { object: id, owner: 'a timeline' });
  return orError(() => readCommitFiles(store, commit));
}

/** Returns the failure where others throw it, so that one broken snapshot does not end a walk. */
export async function orError<T>(read: () => Promise<T>): Promise<T | ContextError> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ContextError) return error;
    throw error;
  }
}
