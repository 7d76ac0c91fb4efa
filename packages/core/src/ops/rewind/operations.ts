/** `operations`: what rewind, restore, undo and redo did in this worktree. */
import type { ContextCount, OperationBody, OperationKind } from '../../model/operation.js';
import { readJournal } from '../../timeline/operations/journal.js';
import { operationNote } from '../../timeline/operations/note.js';
import { undoneOperations, undoStack } from '../../timeline/operations/undo-stack.js';
import { totalsOf, type FileTotals } from '../operation/operation-result.js';
import type { Repository } from '../repository/repository.js';

export interface OperationsRequest {
  readonly repository: Repository;
  /** Default: all. */
  readonly limit?: number;
}

/** One operation, as its journal has it. */
export interface OperationSummary {
  readonly id: string;
  readonly kind: OperationKind;
  /** When it was recorded, as formatted time. */
  readonly at: string;
  readonly session?: string;
  /** Id of the snapshot whose state was brought back. */
  readonly target: string;
  /** Id of the snapshot of everything as it was just before. */
  readonly safety: string;
  readonly options: OperationBody['options'];
  readonly totals: FileTotals;
  /** What was added to the context, or taken back; absent where nothing was. */
  readonly context?: readonly ContextCount[];
  /** Of `undo` and `redo`: the operation that was taken back or repeated. */
  readonly of?: string;
  /** True where it was taken back and not repeated since. */
  readonly undone: boolean;
  /** What the next `undo` or `redo` of whoever asked for it takes. */
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

/**
 * Lists the operations of this worktree, newest first, with those that were taken back.
 * @example
 * const { operations: done } = await operations({ repository, limit: 5 });
 * console.log(done.map(({ kind, undone }) => [kind, undone]));
 */
export async function operations({ repository, limit = Infinity }: OperationsRequest): Promise<OperationsResult> {
  const { store, id, self, worktree } = repository;
  const [journal, open] = await Promise.all([
    readJournal({ store, repository: id, worktree: self.id }),
    worktree.replacements.find(),
  ]);
  const all = journal.operations;
  const undone = undoneOperations(all);
  const next = new Map<string, 'undo' | 'redo'>();
  for (const session of new Set(all.map((operation) => operation.session))) {
    const stack = undoStack(all, session);
    const [back, again] = [stack.undo.at(-1), stack.redo.at(-1)];
    if (back !== undefined) next.set(back.id, 'undo');
    if (again !== undefined) next.set(again.id, 'redo');
  }
  return {
    operations: all.slice(0, limit).map((operation) => summarizeOperation(operation, { undone, next })),
    more: all.length > limit,
    open: open !== undefined,
    problems: journal.problems,
  };
}

interface Standing {
  readonly undone: ReadonlySet<string>;
  readonly next: ReadonlyMap<string, 'undo' | 'redo'>;
}

function summarizeOperation(operation: OperationBody, { undone, next }: Standing): OperationSummary {
  const { id, kind, at, session, target, safety, options, files, of, context } = operation;
  const following = next.get(id);
  return {
    id,
    kind,
    at,
    ...(session !== undefined && { session }),
    target,
    safety,
    options,
    totals: totalsOf(files),
    ...(context !== undefined && { context }),
    ...(of !== undefined && { of }),
    undone: undone.has(id),
    ...(following !== undefined && { next: following }),
    note: operationNote(operation),
  };
}
