/** The slices of records as one JSON value each, instead of the buckets that they are stored in. */
import { ACTIONS_FOLDER, CONTEXT_FOLDER, LEDGER_FOLDER, SESSION_FILE } from '../../format/v1/layout.js';
import type { JsonValue } from '../../base/json.js';
import type { Store } from '../../store/store.js';
import type { PriceTable } from '../../timeline/ledger/prices.js';
import { receiptOf } from '../../timeline/ledger/receipt.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import { readActions, readItems, readLedgers, readSessions } from '../../timeline/recorded/recorded.js';
import { shownItems } from './shown-item.js';

const SESSION_SLICE = SESSION_FILE.replace('.json', '');

/** Returns the content of a slice of records, or undefined for any other slice. @throws object_missing; format_unreadable */
export async function readRecordSlice(
  { store, prices }: { readonly store: Store; readonly prices: () => PriceTable },
  snapshot: LoadedSnapshot,
  name: string,
): Promise<JsonValue | undefined> {
  if (!snapshot.body.slices.some((slice) => slice.name === name)) return undefined;
  switch (name) {
    case CONTEXT_FOLDER: {
      const windows = (await readItems(store, snapshot)).map(({ session, window }) => ({ session, ...window }));
      return plain({ items: await shownItems(store, snapshot), windows });
    }
    case ACTIONS_FOLDER: {
      const sessions = await readActions(store, snapshot);
      return plain({
        actions: sessions.flatMap(({ session, actions }) => actions.map((one) => ({ session, ...one }))),
      });
    }
    case SESSION_SLICE:
      return plain({ sessions: await readSessions(store, snapshot) });
    case LEDGER_FOLDER:
      return plain(receiptOf(await readLedgers(store, snapshot), prices()));
    default:
      return undefined;
  }
}

function plain(value: object): JsonValue {
  return value as unknown as JsonValue;
}
