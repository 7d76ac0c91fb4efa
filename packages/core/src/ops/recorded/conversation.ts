/** What `show` tells of the conversation: each session with the size of its window, and what was spent. */
import { SESSION_FILE } from '../../format/v1/layout.js';
import type { SessionRecord } from '../../model/context/session.js';
import type { Store } from '../../store/store.js';
import { windowStates } from '../../timeline/context/window-state.js';
import type { PriceTable } from '../../timeline/ledger/prices.js';
import { receiptOf, type Receipt } from '../../timeline/ledger/receipt.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import { readItems, readLedgers, readSessions } from '../../timeline/recorded/recorded.js';

/** A session, and what its window holds. */
export interface ShownSession extends SessionRecord {
  readonly window: {
    readonly items: number;
    readonly tokens: number;
    readonly estimated: boolean;
    readonly exact: boolean;
  };
}

/** What a snapshot knows of its sessions, and what they had spent by then. */
export interface Conversation {
  readonly sessions: readonly ShownSession[];
  readonly ledger: Receipt['totals'];
}

/** Returns nothing for a snapshot without records. @throws object_missing; format_unreadable */
export async function conversationOf(
  store: Store,
  snapshot: LoadedSnapshot,
  prices: () => PriceTable,
): Promise<Conversation | undefined> {
  if (!snapshot.entries.has(SESSION_FILE)) return undefined;
  const [sessions, items, ledgers] = await Promise.all([
    readSessions(store, snapshot),
    readItems(store, snapshot),
    readLedgers(store, snapshot),
  ]);
  const shown = sessions.map((session) => {
    const own = items.find((one) => one.session === session.id);
    return { ...session, window: own === undefined ? NO_WINDOW : sizeOf(own) };
  });
  return { sessions: shown, ledger: receiptOf(ledgers, prices()).totals };
}

const NO_WINDOW = { items: 0, tokens: 0, estimated: false, exact: false };

function sizeOf({ items, window }: Awaited<ReturnType<typeof readItems>>[number]): ShownSession['window'] {
  const states = windowStates(window);
  const inside = items.filter(({ sequence }) => states(sequence) === 'in');
  const summed = inside.reduce((sum, { tokens }) => sum + tokens.count, 0);
  const estimated = window.tokens === undefined && inside.some(({ tokens }) => tokens.estimated);
  return { items: inside.length, tokens: window.tokens ?? summed, estimated, exact: window.exact };
}
