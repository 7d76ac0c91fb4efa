/** What the fold of a log must know to go on with the next line: counts, what is open, and what may still change. */
import type { JsonValue } from '../../base/json.js';
import type { RepoPath } from '../../base/path.js';
import type { ActionRecord } from '../../model/context/action.js';
import type { ItemRecord, WindowRecord } from '../../model/context/item.js';
import type { LedgerEntry } from '../../model/context/ledger.js';
import type { SessionRecord, TodoEntry } from '../../model/context/session.js';

export type SessionFacts = Omit<SessionRecord, 'touched' | 'totals' | 'progress' | 'children'>;

export interface OpenItem {
  readonly record: ItemRecord;
  /** Tells whether a request shows its very content; absent for what the agent itself said. */
  readonly digest?: string;
}

export interface FoldState {
  session: SessionFacts;
  totals: Record<keyof SessionRecord['totals'], number>;
  progress?: readonly TodoEntry[];
  touched: Map<string, RepoPath>;
  children: string[];
  window: WindowRecord;
  /** Items that a request may still show, by sequence. */
  items: Map<number, OpenItem>;
  /** Calls without a result, by the agent's id of the call. */
  calls: Map<string, ActionRecord>;
  /** Sequence of the entry of each request that is known, by the provider's ids. */
  requests: Map<string, number>;
  /** The newest entries by sequence: their numbers may grow while answers come, those of subagents in between. */
  growing: Map<number, LedgerEntry>;
}

export function newFoldState(session: SessionFacts): FoldState {
  return {
    session,
    totals: { prompts: 0, items: 0, actions: 0, requests: 0, compactions: 0, unreadable: 0 },
    touched: new Map(),
    children: [],
    window: { in: [], compacted: [], exact: false },
    items: new Map(),
    calls: new Map(),
    requests: new Map(),
    growing: new Map(),
  };
}

const MAPS = ['touched', 'items', 'calls', 'requests', 'growing'] as const;

/** Returns plain data that the fold does not change any more; maps become lists of pairs. Records are never changed, only replaced. */
export function saveFoldState(state: FoldState): JsonValue {
  const lists = Object.fromEntries(MAPS.map((name) => [name, [...state[name]]]));
  return { ...state, ...ownParts(state), ...lists } as unknown as JsonValue;
}

export function loadFoldState(saved: JsonValue): FoldState {
  const state = saved as unknown as FoldState & Record<(typeof MAPS)[number], never>;
  const maps = Object.fromEntries(MAPS.map((name) => [name, new Map(state[name])]));
  return { ...state, ...ownParts(state), ...maps };
}

function ownParts({ totals, children }: FoldState): Pick<FoldState, 'totals' | 'children'> {
  return { totals: { ...totals }, children: [...children] };
}
