/** Walks several timelines at once, newest first: within a timeline by its chain, between timelines by time. */
import { ContextError, contextError } from '../base/errors.js';
import type { ObjectId } from '../model/tree.js';
import type { Store, StoredCommit } from '../store/store.js';
import type { Unreadable } from './catalogue.js';
import { loadCommit, type LoadedSnapshot } from './load.js';
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

/** Walks snapshots from the heads on, reading ahead by `ahead`; what cannot be read is put into `unreadable` and passed. */
export function walkNewest(store: Store, heads: readonly Head[], reading: Reading): AsyncGenerator<WalkedSnapshot> {
  return mergeNewest(heads.map((head) => ({ timeline: head.timeline, next: chainReader(store, head, reading) })));
}

export interface Reading {
  readonly ahead: number;
  readonly unreadable: Unreadable[];
  /** Ancestors of a commit as a cache has them, itself first: they are asked for together, and need not be right. */
  readonly guess?: (commit: ObjectId) => readonly ObjectId[];
}

// The head alone first: of many timelines, most are never asked for a second one.
function chainReader(store: Store, head: Head, reading: Reading): () => Promise<WalkedSnapshot | undefined> {
  let queue: WalkedSnapshot[] = [];
  let from: ObjectId | undefined = head.commit;
  let count = 1;
  return async () => {
    while (queue.length === 0 && from !== undefined) {
      const chunk: Chunk = await readChunk(
        store,
        { timeline: head.timeline, commit: from },
        { ...reading, ahead: count },
      );
      queue = [...chunk.snapshots];
      from = chunk.next;
      count = Math.max(1, reading.ahead);
    }
    return queue.shift();
  };
}

interface Chunk {
  readonly snapshots: readonly WalkedSnapshot[];
  readonly next: ObjectId | undefined;
}

// Commit after commit, since each names the next; what is in them is read meanwhile. A guess saves waiting for git at each.
async function readChunk(store: Store, from: Head, { ahead, unreadable, guess }: Reading): Promise<Chunk> {
  const guessed = guess?.(from.commit).slice(0, ahead) ?? [];
  const asked = new Map(guessed.map((id) => [id, orError(() => store.commit(id))]));
  const loads: Promise<Loaded>[] = [];
  let next: ObjectId | undefined = from.commit;
  while (next !== undefined && loads.length < ahead) {
    const id: ObjectId = next;
    const commit = await (asked.get(id) ?? orError(() => store.commit(id)));
    loads.push(loadOrError(store, id, commit));
    next = commit instanceof ContextError ? undefined : commit?.parents[0];
  }
  const snapshots: WalkedSnapshot[] = [];
  for (const { commit, loaded } of await Promise.all(loads)) {
    if (loaded instanceof ContextError) unreadable.push({ timeline: from.timeline, commit, error: loaded });
    else snapshots.push({ timeline: from.timeline, createdAt: loaded.body.createdAt, snapshot: loaded });
  }
  return { snapshots, next };
}

interface Loaded {
  readonly commit: ObjectId;
  readonly loaded: LoadedSnapshot | ContextError;
}

async function loadOrError(
  store: Store,
  id: ObjectId,
  commit: StoredCommit | ContextError | undefined,
): Promise<Loaded> {
  if (commit instanceof ContextError) return { commit: id, loaded: commit };
  if (commit === undefined) {
    return { commit: id, loaded: contextError('object_missing', { object: id, owner: 'a timeline' }) };
  }
  return { commit: id, loaded: await orError(() => loadCommit(store, commit)) };
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
