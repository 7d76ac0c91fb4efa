/** What differs in the conversation between two snapshots: the window, the actions, what was spent. */
import type { ActionRecord } from '../../model/context/action.js';
import type { ItemRecord, WindowState } from '../../model/context/item.js';
import type { Store } from '../../store/store.js';
import { windowStates } from '../../timeline/context/window-state.js';
import type { PriceTable } from '../../timeline/ledger/prices.js';
import { receiptBetween, type Receipt } from '../../timeline/ledger/receipt.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import { readActions, readItems, readLedgers, type SessionItems } from '../../timeline/recorded/recorded.js';

/** An item that is in the window of only one of the two. */
export interface ItemChange extends Pick<ItemRecord, 'id' | 'kind' | 'role' | 'path' | 'range'> {
  readonly session: string;
  readonly change: 'entered' | 'left';
  /** What became of it. */
  readonly window: WindowState;
  /** Git blob id of its bytes, where it is stored; what stands in the log has none. */
  readonly blob?: string;
  readonly tokens: number;
}

/** An action that only the later of the two knows. */
export interface ActionBetween extends Pick<ActionRecord, 'id' | 'kind' | 'tool' | 'status' | 'command' | 'exitCode'> {
  readonly session: string;
  /** Paths that it wrote. */
  readonly writes: readonly string[];
}

/** What was spent between the two; a request that went on counts with what it grew by. */
export type LedgerBetween = Pick<Receipt, 'totals' | 'byModel'>;

export interface RecordDifference {
  readonly items: readonly ItemChange[];
  readonly actions: readonly ActionBetween[];
  readonly ledger: Partial<LedgerBetween>;
}

export const NO_DIFFERENCE: RecordDifference = { items: [], actions: [], ledger: {} };

/** @throws object_missing; format_unreadable */
export async function recordDifference(
  { store, prices }: { readonly store: Store; readonly prices: () => PriceTable },
  before: LoadedSnapshot,
  after: LoadedSnapshot,
): Promise<RecordDifference> {
  const has = (name: string): boolean => [before, after].some(({ entries }) => entries.has(name));
  if (!has('context') && !has('actions') && !has('ledger')) return NO_DIFFERENCE;
  const read = <T>(one: (store: Store, snapshot: LoadedSnapshot) => Promise<T>): Promise<[T, T]> =>
    Promise.all([one(store, before), one(store, after)]);
  const [[oldItems, items], [oldActions, actions], [oldLedgers, ledgers]] = await Promise.all([
    read(readItems),
    read(readActions),
    read(readLedgers),
  ]);
  const { totals, byModel } = receiptBetween({ from: oldLedgers, to: ledgers }, prices());
  return {
    items: itemChanges(oldItems, items),
    actions: actions.flatMap(({ session, actions: all }) => {
      const known = new Set(oldActions.find((one) => one.session === session)?.actions.map(({ id }) => id));
      return all.filter(({ id }) => !known.has(id)).map((action) => between(session, action));
    }),
    ledger: oldLedgers.length + ledgers.length === 0 ? {} : { totals, byModel },
  };
}

function itemChanges(before: readonly SessionItems[], after: readonly SessionItems[]): readonly ItemChange[] {
  const sessions = [...new Set([...before, ...after].map(({ session }) => session))].sort();
  return sessions.flatMap((session) => {
    const [old, young] = [before, after].map((all) => all.find((one) => one.session === session));
    const [was, is] = [insideOf(old), insideOf(young)];
    const states = young === undefined ? () => 'evicted' as const : windowStates(young.window);
    const change = (item: ItemRecord, kind: ItemChange['change']): ItemChange => {
      const { id, kind: what, role, path, range, content, tokens, sequence } = item;
      const words = {
        ...(role !== undefined && { role }),
        ...(path !== undefined && { path }),
        ...(range && { range }),
        ...(content.blob !== undefined && { blob: content.blob }),
      };
      const window = states(sequence);
      return { session, change: kind, window, id, kind: what, ...words, tokens: tokens.count };
    };
    return [
      ...[...was].filter(([id]) => !is.has(id)).map(([, item]) => change(item, 'left')),
      ...[...is].filter(([id]) => !was.has(id)).map(([, item]) => change(item, 'entered')),
    ];
  });
}

function insideOf(session: SessionItems | undefined): ReadonlyMap<string, ItemRecord> {
  if (session === undefined) return new Map();
  const states = windowStates(session.window);
  return new Map(session.items.filter(({ sequence }) => states(sequence) === 'in').map((item) => [item.id, item]));
}

function between(session: string, { id, kind, tool, status, command, exitCode, writes }: ActionRecord): ActionBetween {
  return {
    session,
    id,
    kind,
    tool,
    status,
    ...(command !== undefined && { command }),
    ...(exitCode !== undefined && { exitCode }),
    writes: writes.map(({ path }) => path),
  };
}
