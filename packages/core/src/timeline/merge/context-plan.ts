/** Plans what a restore adds to the present context, and what an undo takes back of it. Nothing else is ever changed. */
import { contextError } from '../../base/errors.js';
import { shortId } from '../../format/v1/body.js';
import type { ContentReference, ItemRecord, WindowRecord } from '../../model/context/item.js';
import type { ObjectFormat } from '../../model/tree/anchor.js';
import { objectId } from '../../model/tree/object-id.js';
import {
  MERGED_SLICES,
  type ContextCount,
  type ContextKind,
  type MergedSlice,
  type OperationId,
} from '../../model/operation.js';
import type { SnapshotId } from '../../model/snapshot.js';
import type { Store } from '../../store/store.js';
import { previewOf } from '../context/preview.js';
import type { LoadedSnapshot } from '../snapshot/load.js';
import { recordContents } from '../recorded/recorded.js';
import { entriesOf, missingEntries, rootOf, type ContextEntry, type SessionEntries } from './context-entry.js';
import { contextOfSession, contextOfSnapshot, readContext } from './context-session.js';

/** One piece of the context that is added, or taken back. */
export interface ContextChange {
  readonly action: ContextCount['action'];
  readonly kind: ContextKind;
  /** Where it comes from: the snapshot, the folder of the session there, and the id of an item. */
  readonly from: { readonly snapshot: SnapshotId; readonly session: string; readonly item?: string };
  /** A path, or the beginning of the text. */
  readonly text: string;
  readonly tokens?: number;
}

export interface PlannedSession extends SessionEntries {
  /** Where it was first, also where a restore had brought it to the target. */
  readonly from: { readonly snapshot: SnapshotId; readonly session: string };
}

/** The window that a session gets. */
export interface SetWindow {
  /** Name of the session's folder. */
  readonly session: string;
  readonly window: WindowRecord;
  /** The snapshot whose window it is; absent where it is given back as it was. */
  readonly from?: SnapshotId;
}

export interface ContextPlan {
  readonly action: ContextCount['action'];
  readonly sessions: readonly PlannedSession[];
  /** Of a rewind, and of its undo. */
  readonly windows?: readonly SetWindow[];
  /** The whole of each item that is added. */
  readonly contents: ReadonlyMap<ItemRecord, Uint8Array>;
  readonly changes: readonly ContextChange[];
}

export interface Merge {
  readonly target: LoadedSnapshot;
  readonly slices: readonly MergedSlice[];
  /** The present; absent where nothing was captured yet. */
  readonly present: LoadedSnapshot | undefined;
  /** The agent's session at work, where there is one. */
  readonly live?: string;
}

/** @throws object_missing; format_unreadable; digest_mismatch */
export async function planMerge(store: Store, { target, slices, present, live }: Merge): Promise<ContextPlan> {
  const [then, now] = await Promise.all([
    readContext(store, target),
    present === undefined ? [] : readContext(store, present),
  ]);
  const wanted = entriesOf(contextOfSnapshot(then, target), slices);
  const there = entriesOf(contextOfSession(now, live), MERGED_SLICES);
  const sessions = missingEntries(wanted, there);
  const contents = await readContents(store, target, sessions);
  return planOf('add', sessions, { snapshot: target.id, contents });
}

/** What an operation added is in sessions of its own: they go as a whole. @throws object_missing; format_unreadable */
export async function planTakeBack(
  store: Store,
  present: LoadedSnapshot | undefined,
  operation: OperationId,
): Promise<ContextPlan> {
  const now = present === undefined ? [] : await readContext(store, present);
  const added = now.filter(({ record }) => record.origin?.operation === operation);
  const sessions = entriesOf(added, MERGED_SLICES);
  // Only to say what it was: bytes that are gone are no reason to leave it there.
  const contents =
    present === undefined ? NO_CONTENTS : await readContents(store, present, sessions).catch(() => NO_CONTENTS);
  return planOf('remove', sessions, { snapshot: '', contents });
}

export const NO_CONTENTS: ContextPlan['contents'] = new Map();

interface Sources {
  /** The snapshot that the sessions are in, unless they came from another one themselves. */
  readonly snapshot: SnapshotId;
  readonly contents: ContextPlan['contents'];
}

/** Says of each session where it was first; of those that no restore brought, that is `snapshot`. */
export function plannedSessions(found: readonly SessionEntries[], snapshot: SnapshotId): readonly PlannedSession[] {
  return found.map(({ session, entries }) => {
    const { origin } = session;
    const from = { snapshot: origin?.snapshot ?? snapshot, session: origin?.session ?? session.id };
    return { session, entries, from };
  });
}

function planOf(
  action: ContextPlan['action'],
  found: readonly SessionEntries[],
  { snapshot, contents }: Sources,
): ContextPlan {
  const sessions = plannedSessions(found, snapshot);
  const changes = sessions.flatMap(({ entries, from }) =>
    entries.map((entry): ContextChange => ({
      action,
      ...describe(entry, contents),
      from: { ...from, ...itemIn(entry) },
    })),
  );
  return { action, sessions, contents, changes };
}

function itemIn(entry: ContextEntry): { readonly item?: string } {
  return entry.kind === 'item' ? { item: rootOf(entry.item) } : {};
}

function describe(
  entry: ContextEntry,
  contents: ContextPlan['contents'],
): Pick<ContextChange, 'kind' | 'text' | 'tokens'> {
  const { kind } = entry;
  switch (kind) {
    case 'task':
      return { kind, text: entry.task };
    case 'touched':
      return { kind, text: entry.path.path };
    case 'progress':
      return { kind, text: `${entry.todo.text} (${entry.todo.status})` };
    case 'item':
      return { kind, text: wordsFor(entry.item, contents.get(entry.item)), tokens: entry.item.tokens.count };
  }
}

function wordsFor({ kind, role, path }: ItemRecord, bytes: Uint8Array | undefined): string {
  if (path !== undefined) return `${kind} ${path}`;
  const preview = bytes === undefined || kind === 'image' ? '' : previewOf(bytes).trim();
  return [role ?? kind, preview].join(' ').trim();
}

/** @throws object_missing; digest_mismatch */
export async function readContents(
  store: Store,
  target: LoadedSnapshot,
  sessions: readonly SessionEntries[],
): Promise<ReadonlyMap<ItemRecord, Uint8Array>> {
  if (sessions.length === 0) return NO_CONTENTS;
  const contents = await recordContents(store, target);
  const read = new Map<ItemRecord, Uint8Array>();
  for (const { session, entries } of sessions) {
    const items = entries.flatMap((entry) => (entry.kind === 'item' ? [entry.item] : []));
    // By where they are in the log, so that it is read once.
    for (const item of items.sort((a, b) => offsetOf(a.content) - offsetOf(b.content))) {
      const bytes = await contents.read(session.id, item.content);
      if (!isNamed(item.content, bytes, store.objectFormat)) {
        const what = `The item ${JSON.stringify(item.id)} of the snapshot ${shortId(target.id)}`;
        throw contextError('digest_mismatch', { what });
      }
      read.set(item, bytes);
    }
  }
  return read;
}

/** What stands in the log has no id of its own: there the log as a whole was looked at before. */
function isNamed({ blob, bytes: length }: ContentReference, bytes: Uint8Array, format: ObjectFormat): boolean {
  return blob === undefined ? bytes.length === length : objectId(format, 'blob', bytes) === blob;
}

function offsetOf({ place }: ContentReference): number {
  return place.in === 'transcript' ? place.offset : 0;
}
