/** Walks several timelines at once, newest first: within a timeline by its chain, between timelines by time. */
import { ContextError } from '../base/errors.js';
import type { ObjectId } from '../model/tree.js';
import type { Store } from '../store/store.js';
import type { Unreadable } from './catalogue.js';
import { loadSnapshot, type LoadedSnapshot } from './load.js';
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
export function walkNewest(
  store: Store,
  heads: readonly Head[],
  { ahead, unreadable }: { readonly ahead: number; readonly unreadable: Unreadable[] },
): AsyncGenerator<WalkedSnapshot> {
  return mergeNewest(
    heads.map((head) => ({ timeline: head.timeline, next: chainReader(store, head, { ahead, unreadable }) })),
  );
}

interface Reading {
  readonly ahead: number;
  readonly unreadable: Unreadable[];
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

async function readChunk(store: Store, from: Head, { ahead, unreadable }: Reading): Promise<Chunk> {
  const commits: Promise<Loaded>[] = [];
  const ids: ObjectId[] = [];
  const fail = (commit: ObjectId, error: unknown): void => {
    if (!(error instanceof ContextError)) throw error;
    unreadable.push({ timeline: from.timeline, commit, error });
  };
  try {
    for await (const commit of store.history(from.commit, { limit: ahead })) {
      ids.push(commit);
      commits.push(loadOrFail(store, commit));
    }
  } catch (error) {
    if (ids.length === 0) fail(from.commit, error);
  }
  const snapshots: WalkedSnapshot[] = [];
  let next: ObjectId | undefined;
  for (const { commit, snapshot, error, parent } of await Promise.all(commits)) {
    next = parent;
    if (snapshot === undefined) fail(commit, error);
    else snapshots.push({ timeline: from.timeline, createdAt: snapshot.body.createdAt, snapshot });
  }
  return { snapshots, next };
}

interface Loaded {
  readonly commit: ObjectId;
  readonly snapshot?: LoadedSnapshot;
  readonly error?: unknown;
  readonly parent: ObjectId | undefined;
}

async function loadOrFail(store: Store, commit: ObjectId): Promise<Loaded> {
  try {
    const snapshot = await loadSnapshot(store, commit);
    return { commit, snapshot, parent: snapshot.commit.parents[0] };
  } catch (error) {
    return { commit, error, parent: (await store.commit(commit).catch(() => undefined))?.parents[0] };
  }
}
