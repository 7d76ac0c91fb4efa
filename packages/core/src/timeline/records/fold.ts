/**
 * Makes records of a stored log, line by line. It is the same fold whether the log is read in one pass or in pieces cut
 * anywhere: what must be known to go on is plain data.
 */
import type { LogReader } from '../../agents/log-reader.js';
import { strictText } from '../../base/bytes.js';
import type { JsonObject, JsonValue } from '../../base/json.js';
import type { ActionRecord } from '../../model/context/action.js';
import type { ObjectFormat } from '../../model/tree/anchor.js';
import type { ItemRecord, WindowRecord } from '../../model/context/item.js';
import type { LedgerEntry } from '../../model/context/ledger.js';
import type { LogEvent, WindowEvent } from '../../model/context/log-event.js';
import { asLogObject, type LogObject, type LogValue } from '../../model/context/log-value.js';
import type { SessionRecord } from '../../model/context/session.js';
import { beginAction, endAction } from './action-records.js';
import { loadFoldState, newFoldState, saveFoldState, type FoldState } from './fold-state.js';
import type { Changes, Folding } from './folding.js';
import { addItem, countItems, showItem } from './item-records.js';
import { addUsage } from './ledger-records.js';
import { subtractRuns, uniteRuns } from './runs.js';
import { describe, sessionOf } from './session-record.js';
import { worded } from './wording.js';

/** Longer lines are not read; their bytes are in the stored log all the same. */
export const LONGEST_LINE = 16 * 1024 * 1024;

/** Changes when an older state of the fold does not fit any more. */
export const FOLD_VERSION = 3;

export interface FoldRequest {
  readonly format: ObjectFormat;
  readonly session: Pick<SessionRecord, 'id' | 'agent' | 'agentSessionId' | 'parent'>;
  /** Absolute path of the worktree as the agent sees it; without it, where the log says that the session began. */
  readonly directory?: string;
  /** Makes a reader of this agent's logs, from the beginning or from a state. */
  readonly reader: (state?: JsonValue) => LogReader;
  /** What `state()` gave earlier, by the same versions of fold and reader. */
  readonly state?: JsonValue;
}

/** One line of the stored log, without its line feed. */
export interface StoredLine {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Records that are new or replaced since the last take, by their sequence, and those that there is one of. */
export interface RecordChanges {
  readonly items: readonly ItemRecord[];
  readonly actions: readonly ActionRecord[];
  readonly ledger: readonly LedgerEntry[];
  readonly window: WindowRecord;
  readonly session: SessionRecord;
}

export interface RecordFold {
  /** Takes the next whole line. A line that was not read because of its length is told by its offset alone. */
  push(line: StoredLine | Pick<StoredLine, 'offset'>): void;
  take(): RecordChanges;
  /** Returns plain data from which the fold goes on. */
  state(): JsonValue;
}

export function recordFold({ format, session, directory, reader: readerOf, state: saved }: FoldRequest): RecordFold {
  const both = saved as JsonObject | undefined;
  const state =
    both === undefined
      ? newFoldState({ ...session, state: 'idle', ...(directory !== undefined && { directory }) })
      : loadFoldState(both['fold'] as JsonValue);
  const reader = readerOf(both?.['reader']);
  let changes = noChanges();
  return {
    push: (line) => {
      const value = 'bytes' in line ? parse(line.bytes) : undefined;
      if (value === undefined) {
        state.totals.unreadable += 1;
        return;
      }
      const folding: Folding = { state, line: { offset: line.offset, value, format }, changes };
      for (const event of reader.read(value)) apply(folding, event);
    },
    take: () => {
      const { items, actions, ledger } = changes;
      changes = noChanges();
      return {
        items: inOrder(items),
        actions: inOrder(actions),
        ledger: inOrder(ledger),
        window: state.window,
        session: sessionOf(state),
      };
    },
    state: () => ({ version: FOLD_VERSION, fold: saveFoldState(state), reader: reader.state() }),
  };
}

function noChanges(): Changes {
  return { items: new Map(), actions: new Map(), ledger: new Map() };
}

function inOrder<T>(records: ReadonlyMap<number, T>): readonly T[] {
  return [...records].sort(([a], [b]) => a - b).map(([, record]) => record);
}

function parse(bytes: Uint8Array): LogObject | undefined {
  const text = bytes.length > LONGEST_LINE ? undefined : strictText(bytes);
  if (text === undefined) return undefined;
  try {
    return asLogObject(JSON.parse(text) as LogValue);
  } catch {
    return undefined;
  }
}

function apply(folding: Folding, event: LogEvent): void {
  switch (event.event) {
    case 'item':
      addItem(folding, event);
      break;
    case 'sent':
      showItem(folding, event);
      break;
    case 'counted':
      countItems(folding, event);
      break;
    case 'call':
      beginAction(folding, event);
      break;
    case 'result':
      endAction(folding, event);
      break;
    case 'usage':
      addUsage(folding, event);
      break;
    case 'window':
      openWindow(folding.state, event);
      break;
    case 'compaction':
      compact(folding.state);
      break;
    case 'session':
      describe(folding.state, event);
  }
}

function openWindow(state: FoldState, { request, exact, items }: WindowEvent): void {
  const { compacted } = state.window;
  state.window = {
    in: items,
    since: state.totals.items,
    compacted: compacted.length === 0 ? [] : subtractRuns(compacted, uniteRuns(items)),
    ...worded('request', request),
    exact,
  };
}

/** Until the next request shows what was kept, nothing that was before the model counts as being there. */
function compact(state: FoldState): void {
  const { in: before, compacted } = state.window;
  state.totals.compactions += 1;
  state.window = { in: [], since: state.totals.items, compacted: uniteRuns(compacted, before), exact: false };
}
