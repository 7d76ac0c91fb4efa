/** What undo and redo have to take next, kept by hand: persons and each session have a stack of their own. */
import type { RawTree } from './raw-tree.js';

export interface Done {
  readonly operation: string;
  readonly target: string;
  readonly paths: readonly string[] | undefined;
  readonly exact: boolean;
  readonly before: RawTree;
  readonly after: RawTree;
}

interface Stack {
  readonly undo: Done[];
  readonly redo: Done[];
}

export interface UndoModel {
  /** The operation that comes next, without taking it. */
  next(way: 'undo' | 'redo', session: string | undefined): Done | undefined;
  /** Says that an operation was done. */
  did(verb: 'rewind' | 'restore' | 'undo' | 'redo', done: Done, session: string | undefined): void;
}

export function undoModel(): UndoModel {
  const stacks = new Map<string | undefined, Stack>();
  const stackOf = (session: string | undefined): Stack => {
    const stack = stacks.get(session) ?? { undo: [], redo: [] };
    stacks.set(session, stack);
    return stack;
  };
  return {
    next: (way, session) => stackOf(session)[way].at(-1),
    did: (verb, done, session) => {
      const { undo, redo } = stackOf(session);
      if (verb === 'undo') {
        const taken = undo.pop();
        if (taken !== undefined) redo.push(taken);
        return;
      }
      if (verb === 'redo') redo.pop();
      else redo.splice(0);
      undo.push(done);
    },
  };
}
