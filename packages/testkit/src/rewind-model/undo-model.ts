/** What undo and redo have to take next, kept by hand: persons and each session have a stack of their own. */
import type { RawTree } from './raw-tree.js';

export interface Done {
  readonly operation: string;
  readonly target: string;
  readonly paths: readonly string[] | undefined;
  readonly exact: boolean;
  readonly force: boolean;
  readonly index: boolean;
  /** A time while it was at work, in milliseconds since 1970 UTC. */
  readonly at: number;
  readonly before: RawTree;
  readonly after: RawTree;
}

type Verb = 'rewind' | 'restore' | 'undo' | 'redo';

interface Stack {
  readonly undo: Done[];
  readonly redo: Done[];
}

export interface UndoModel {
  /** The operation that comes next, without taking it. */
  next(way: 'undo' | 'redo', session: string | undefined): Done | undefined;
  /** Says that an operation was done. */
  did(verb: Verb, done: Done, session: string | undefined): void;
  /** Says that the newest was rolled back after it had been recorded. */
  takenBack(verb: Verb, session: string | undefined): void;
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
    takenBack: (verb, session) => {
      const { undo, redo } = stackOf(session);
      const [from, to] = verb === 'undo' ? [redo, undo] : [undo, redo];
      const taken = from.pop();
      if (taken !== undefined) to.push(taken);
    },
  };
}
