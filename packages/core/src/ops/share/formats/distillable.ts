/** What is recorded of the conversation behind a snapshot, for a format that has room for one session. */
import type { LoadedSnapshot } from '../../../timeline/snapshot/load.js';
import type { Distillable } from '../../../timeline/lean-ctx/distil.js';
import { eachRequestOnce } from '../../../timeline/ledger/requests.js';
import { readActions, readItems, readLedgers, readSessions } from '../../../timeline/recorded/recorded.js';
import type { Store } from '../../../store/store.js';
import { shownItems } from '../../recorded/shown-item.js';

/** Returns the session that the body names, else the first one that no other began. @throws object_missing; format_unreadable */
export async function distillableOf(store: Store, snapshot: LoadedSnapshot): Promise<Distillable> {
  const { body } = snapshot;
  const sessions = await readSessions(store, snapshot);
  const begun = sessions.filter(({ parent }) => parent === undefined);
  const session = begun.find(({ agentSessionId }) => agentSessionId === body.session?.id) ?? begun[0];
  if (session === undefined) return { body };
  const [items, actions, ledgers, shown] = await Promise.all([
    readItems(store, snapshot),
    readActions(store, snapshot),
    readLedgers(store, snapshot),
    shownItems(store, snapshot),
  ]);
  const own = items.find((one) => one.session === session.id);
  const done = actions.find((one) => one.session === session.id)?.actions;
  return {
    body,
    session,
    ...(own !== undefined && { items: own.items, window: own.window }),
    ...(done !== undefined && { actions: done }),
    // What sessions that it began have spent was spent for it.
    ...(ledgers.length > 0 && { ledger: eachRequestOnce(ledgers) }),
    relevance: new Map(shown.filter((one) => one.session === session.id).map(({ id, relevance }) => [id, relevance])),
  };
}
