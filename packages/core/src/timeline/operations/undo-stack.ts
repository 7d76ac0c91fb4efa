/** Which operation the next undo or redo is about; sessions and persons each have their own. */
import type { OperationBody, OperationId } from '../../model/operation.js';

export interface UndoStack {
  /** What can be taken back, the next one last. */
  readonly undo: readonly OperationBody[];
  /** What was taken back and can be repeated, the next one last. */
  readonly redo: readonly OperationBody[];
}

/**
 * Folds the operations of one session (undefined: of persons). A new restore or rewind clears what could be repeated;
 * captures and edits, which are no operations, do not.
 * @param newestFirst of all sessions
 */
export function undoStack(newestFirst: readonly OperationBody[], session: string | undefined): UndoStack {
  let undo: OperationBody[] = [];
  let redo: OperationBody[] = [];
  const own = newestFirst.filter((operation) => operation.session === session).toReversed();
  const undos = undosOf(own);
  for (const operation of own) {
    const { kind, of } = operation;
    const rolledBack = kind === 'undo' ? undos.get(of) : undefined;
    if (rolledBack !== undefined) {
      // An undo that died after it was recorded, and was taken back itself: what it had undone stands again.
      const again = redo.find(({ id }) => id === rolledBack);
      redo = without(redo, rolledBack);
      if (again !== undefined) undo.push(again);
      continue;
    }
    if (kind === 'undo') {
      const taken = undo.find(({ id }) => id === of);
      undo = without(undo, of);
      if (taken !== undefined) redo.push(taken);
      continue;
    }
    redo = kind === 'redo' ? without(redo, of) : [];
    undo.push(operation);
  }
  return { undo, redo };
}

function without(operations: readonly OperationBody[], id: OperationId | undefined): OperationBody[] {
  return operations.filter((operation) => operation.id !== id);
}

/** What each undo took back. */
function undosOf(operations: readonly OperationBody[]): ReadonlyMap<OperationId | undefined, OperationId | undefined> {
  return new Map(operations.filter(({ kind }) => kind === 'undo').map(({ id, of }) => [id, of]));
}

/** Returns the operations that are taken back at present. */
export function undoneOperations(newestFirst: readonly OperationBody[]): ReadonlySet<OperationId> {
  const undone = new Set<OperationId>();
  const undos = undosOf(newestFirst);
  for (const { kind, of } of newestFirst.toReversed()) {
    if (of === undefined) continue;
    if (kind === 'undo') undone.add(of);
    const again = undos.get(of);
    if (again !== undefined) undone.delete(again);
    // What is repeated is an operation of its own; the one that it repeats is not listed as undone any more.
    if (kind !== 'undo') undone.delete(of);
  }
  return undone;
}
