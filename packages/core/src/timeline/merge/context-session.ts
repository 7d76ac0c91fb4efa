/** The sessions of a snapshot as a restore looks at them: what each says of itself, and the items of its window. */
import { itemsInOrder } from '../context/window-state.js';
import type { ItemRecord } from '../../model/context/item.js';
import type { SessionRecord } from '../../model/context/session.js';
import type { Store } from '../../store/store.js';
import type { LoadedSnapshot } from '../snapshot/load.js';
import { readItems, readSessions, type SessionItems } from '../recorded/recorded.js';

export interface ContextSession {
  readonly record: SessionRecord;
  /** What is in its window, in the order in which it was sent. */
  readonly items: readonly ItemRecord[];
}

/** What hands and restores add stands in sessions of this name. */
const OWN_AGENT = 'savepoint';

/** Returns all sessions that a snapshot holds. @throws object_missing; format_unreadable */
export async function readContext(store: Store, snapshot: LoadedSnapshot): Promise<readonly ContextSession[]> {
  const [records, items] = await Promise.all([readSessions(store, snapshot), readItems(store, snapshot)]);
  const bySession = new Map(items.map((one) => [one.session, one]));
  return records.map((record) => {
    const own = bySession.get(record.id);
    return { record, items: own === undefined ? [] : itemsIn(own) };
  });
}

/** Returns what is in the window, in the order in which it was sent. */
export function itemsIn({ items, window }: SessionItems): readonly ItemRecord[] {
  return itemsInOrder(items, window.in);
}

/** Returns the session of an agent's id, and what was added by hands and restores: the context of whoever works there. */
export function contextOfSession(
  sessions: readonly ContextSession[],
  session: string | undefined,
): readonly ContextSession[] {
  const own = ({ record }: ContextSession): boolean => isOfAgent(record) && record.agentSessionId === session;
  return sessions.filter((one) => own(one) || !isOfAgent(one.record));
}

/** The same of a finished snapshot: where it names no session, the one that worked last is meant. */
export function contextOfSnapshot(
  sessions: readonly ContextSession[],
  { body }: LoadedSnapshot,
): readonly ContextSession[] {
  const named = sessions.some(({ record }) => isOfAgent(record) && record.agentSessionId === body.session?.id);
  if (named) return contextOfSession(sessions, body.session?.id);
  const top = sessions.filter(({ record }) => isOfAgent(record) && record.parent === undefined);
  const last = top.reduce<ContextSession | undefined>(
    (newest, one) => (newest === undefined || timeOf(newest) < timeOf(one) ? one : newest),
    undefined,
  );
  return contextOfSession(sessions, last?.record.agentSessionId);
}

function isOfAgent({ agent }: SessionRecord): boolean {
  return agent !== OWN_AGENT;
}

function timeOf({ record: { endedAt, startedAt } }: ContextSession): string {
  return endedAt ?? startedAt ?? '';
}
