/** What a context is made of, piece by piece, and which pieces of one context another does not have yet. */
import { fromRepoPath, type RepoPath } from '../../base/path.js';
import type { ItemRecord } from '../../model/context/item.js';
import type { MergedSlice } from '../../model/operation.js';
import type { SessionRecord, TodoEntry } from '../../model/context/session.js';
import type { ContextSession } from './context-session.js';

export type ContextEntry =
  | { readonly kind: 'task'; readonly task: string }
  | { readonly kind: 'item'; readonly item: ItemRecord }
  | { readonly kind: 'touched'; readonly path: RepoPath }
  | { readonly kind: 'progress'; readonly todo: TodoEntry };

/** Pieces of one session. */
export interface SessionEntries {
  readonly session: SessionRecord;
  readonly entries: readonly ContextEntry[];
}

/** One for each slice that can be merged: a kind that comes later is one more piece here, with a key of its own. */
const PIECES: Readonly<Record<MergedSlice, (session: ContextSession) => readonly ContextEntry[]>> = {
  session: ({ record: { task, touched, progress = [] } }) => [
    ...(task === undefined ? [] : [{ kind: 'task', task } as const]),
    ...touched.map((path) => ({ kind: 'touched', path }) as const),
    ...progress.map((todo) => ({ kind: 'progress', todo }) as const),
  ],
  context: ({ items }) => items.map((item) => ({ kind: 'item', item }) as const),
};

/** Two pieces with the same key are the same thing, wherever they stand; what changed about it replaces nothing. */
export function keyOf(entry: ContextEntry): string {
  switch (entry.kind) {
    case 'task':
      return `task ${entry.task}`;
    case 'item':
      return `item ${rootOf(entry.item)}`;
    case 'touched':
      return `touched ${fromRepoPath(entry.path)}`;
    case 'progress':
      return `progress ${entry.todo.text}`;
  }
}

/** Returns the id that an item had before any restore brought it on. */
export function rootOf({ id, origin }: ItemRecord): string {
  return origin?.item ?? id;
}

/** Returns every piece, by session. */
export function entriesOf(
  sessions: readonly ContextSession[],
  slices: readonly MergedSlice[],
): readonly SessionEntries[] {
  return sessions.map((session) => ({
    session: session.record,
    entries: slices.flatMap((slice) => PIECES[slice](session)),
  }));
}

/** Returns what of `target` is not in `present`, each piece once; sessions of which nothing is missing are left out. */
export function missingEntries(
  target: readonly SessionEntries[],
  present: readonly SessionEntries[],
): readonly SessionEntries[] {
  const known = new Set(present.flatMap(({ entries }) => entries.map(keyOf)));
  const missing = target.map(({ session, entries }) => ({
    session,
    entries: entries.filter((entry) => {
      const key = keyOf(entry);
      if (known.has(key)) return false;
      known.add(key);
      return true;
    }),
  }));
  return missing.filter(({ entries }) => entries.length > 0);
}
