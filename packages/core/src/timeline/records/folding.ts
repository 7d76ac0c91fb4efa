/** One line in the fold: the state that it changes, and the records that are new or replaced since the last take. */
import type { ActionRecord } from '../../model/context/action.js';
import type { ItemRecord } from '../../model/context/item.js';
import type { LedgerEntry } from '../../model/context/ledger.js';
import type { FoldState } from './fold-state.js';
import type { FoldedLine } from './line.js';

/** Records by sequence. */
export interface Changes {
  readonly items: Map<number, ItemRecord>;
  readonly actions: Map<number, ActionRecord>;
  readonly ledger: Map<number, LedgerEntry>;
}

export interface Folding {
  readonly state: FoldState;
  readonly line: FoldedLine;
  readonly changes: Changes;
}
