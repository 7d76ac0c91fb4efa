/**
 * Plans what a rewind makes of the windows: each becomes that of the target, and an undo gives them back. What the log of an
 * agent says later about its own window counts again from then on: nobody but the agent changes that.
 */
import type { ItemRecord, ItemRun, WindowRecord } from '../../model/context/item.js';
import type { OperationId } from '../../model/operation.js';
import type { SnapshotId } from '../../model/snapshot.js';
import type { Store } from '../../store/store.js';
import type { LoadedSnapshot } from '../snapshot/load.js';
import { readItems, readSessions, type SessionItems } from '../recorded/recorded.js';
import { rootOf, type SessionEntries } from './context-entry.js';
import {
  NO_CONTENTS,
  plannedSessions,
  readContents,
  type ContextChange,
  type ContextPlan,
  type SetWindow,
} from './context-plan.js';
import { itemsIn } from './context-session.js';

interface Two {
  readonly present: LoadedSnapshot;
  readonly target: LoadedSnapshot;
}

/**
 * Plans that the windows of the present become those of the target. Items of logs that the present has too are only named
 * again; those of others are added, in sessions of their own, as a restore does.
 * @throws object_missing; format_unreadable; digest_mismatch
 */
export async function planWindows(store: Store, { present, target }: Two): Promise<ContextPlan> {
  const [now, then] = await Promise.all([readItems(store, present), readItems(store, target)]);
  const wanted = new Map(then.map((one) => [one.session, one]));
  const held = new Set<string>();
  const windows: SetWindow[] = [];
  for (const one of now) {
    const { session, window } = one;
    const other = wanted.get(session);
    const same = other !== undefined && holds(one, other);
    if (same) held.add(session);
    const next = same ? other.window : { ...window, in: [] };
    if (!isSame(next, window)) windows.push({ session, window: next, from: target.id });
  }
  const absent = then.filter(({ session, window }) => !held.has(session) && window.in.length > 0);
  const sessions = absent.length === 0 ? [] : await entriesOfSessions(store, target, absent);
  const contents = await readContents(store, target, sessions);
  const changes = movesBetween({ items: now, snapshot: present.id }, { items: then, snapshot: target.id });
  return { action: 'add', sessions: plannedSessions(sessions, target.id), windows, contents, changes };
}

interface TakingBack extends Two {
  /** The operation that is taken back; the target is how everything was before it. */
  readonly operation: OperationId;
}

/** Plans that windows which an operation set become what they were, and that what it added goes. @throws as `planWindows` */
export async function planFormerWindows(
  store: Store,
  { present, target, operation }: TakingBack,
): Promise<ContextPlan> {
  const [now, before, records] = await Promise.all([
    readItems(store, present),
    readItems(store, target),
    readSessions(store, present),
  ]);
  const added = new Set(records.filter(({ origin }) => origin?.operation === operation).map(({ id }) => id));
  const set = now.filter(({ session, window }) => added.has(session) || window.origin?.operation === operation);
  const former = before.filter(({ session }) => set.some((one) => one.session === session));
  const windows = set.flatMap(({ session, window }): readonly SetWindow[] => {
    const old = former.find((one) => one.session === session);
    return old === undefined ? [] : [{ session, window: { ...old.window, in: givenBack(old, window.in) } }];
  });
  const sessions = records.filter(({ id }) => added.has(id)).map((session) => ({ session, entries: [] }));
  const changes = movesBetween({ items: set, snapshot: present.id }, { items: former, snapshot: target.id });
  return {
    action: 'remove',
    sessions: plannedSessions(sessions, present.id),
    windows,
    contents: NO_CONTENTS,
    changes,
  };
}

/** Tells whether all of a target's window is in the present under the same numbers: a log only grows. */
function holds({ items }: SessionItems, target: SessionItems): boolean {
  const known = new Map(items.map(({ sequence, id }) => [sequence, id]));
  return itemsIn(target).every(({ sequence, id }) => known.get(sequence) === id);
}

/** The window of before, and what came into it since: by hand, for instance. */
function givenBack({ items, window }: SessionItems, now: readonly ItemRun[]): readonly ItemRun[] {
  const next = items.reduce((most, { sequence }) => Math.max(most, sequence + 1), 0);
  const since = now.filter(({ to }) => to >= next).map(({ from, to }) => ({ from: Math.max(from, next), to }));
  return [...window.in, ...since];
}

function isSame({ origin: one, ...a }: WindowRecord, { origin: other, ...b }: WindowRecord): boolean {
  void one;
  void other;
  const inOrder = (window: Omit<WindowRecord, 'origin'>): string =>
    JSON.stringify(Object.entries(window).sort(([x], [y]) => (x < y ? -1 : 1)));
  return inOrder(a) === inOrder(b);
}

async function entriesOfSessions(
  store: Store,
  target: LoadedSnapshot,
  sessions: readonly SessionItems[],
): Promise<readonly SessionEntries[]> {
  const records = await readSessions(store, target);
  return sessions.flatMap((one): readonly SessionEntries[] => {
    const session = records.find(({ id }) => id === one.session);
    return session === undefined ? [] : [{ session, entries: itemsIn(one).map((item) => ({ kind: 'item', item })) }];
  });
}

interface Windows {
  readonly items: readonly SessionItems[];
  readonly snapshot: SnapshotId;
}

/** Which items leave the windows, and which come back into them. */
function movesBetween(now: Windows, then: Windows): readonly ContextChange[] {
  return [...movesOf('remove', now, then), ...movesOf('add', then, now)];
}

function movesOf(action: ContextChange['action'], of: Windows, other: Windows): readonly ContextChange[] {
  const known = new Set(other.items.flatMap(itemsIn).map(rootOf));
  return of.items.flatMap((session) =>
    itemsIn(session)
      .filter((item) => !known.has(rootOf(item)))
      .map((item): ContextChange => ({
        action,
        kind: 'item',
        from: { snapshot: of.snapshot, session: session.session, item: item.id },
        text: nameOf(item),
        tokens: item.tokens.count,
      })),
  );
}

// Without the beginning of its text: for that the whole log would be read.
function nameOf({ kind, role, path }: ItemRecord): string {
  return [role ?? kind, path].filter((word) => word !== undefined).join(' ');
}
