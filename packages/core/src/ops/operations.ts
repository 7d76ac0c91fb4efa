/** `operations`: what rewind, restore, undo and redo did in this worktree. */
import type { OperationBody, OperationKind } from '../model/operation.js';
import type { FileTotals } from './perform.js';
import type { Repository } from './repository.js';

export interface OperationsRequest {
  readonly repository: Repository;
  /** Default: all. */
  readonly limit?: number;
}

export interface OperationSummary {
  readonly id: string;
  readonly kind: OperationKind;
  readonly at: string;
  readonly session?: string;
  readonly target: string;
  readonly safety: string;
  readonly options: OperationBody['options'];
  readonly totals: FileTotals;
  /** Of `undo` and `redo`: the operation that was taken back or repeated. */
  readonly of?: string;
  /** True where it was taken back and not repeated since. */
  readonly undone: boolean;
  /** What the next `undo` or `redo` without a session takes. */
  readonly next?: 'undo' | 'redo';
  /** Facts for the agent: what was done, from where to where, what was left out. */
  readonly note: string;
}

export interface OperationsResult {
  /** Newest first. */
  readonly operations: readonly OperationSummary[];
  readonly more: boolean;
  /** True while a replacement of files is open: see `recover`. */
  readonly open: boolean;
  /** Records that are not believed, and why. */
  readonly problems: readonly { readonly commit: string; readonly reason: string }[];
}
