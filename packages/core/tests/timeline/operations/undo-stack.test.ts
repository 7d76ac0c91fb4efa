/** Which operation undo and redo take: in order, repeatedly, and only one's own. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OperationBody } from '../../../src/model/operation.js';
import { undoneOperations, undoStack } from '../../../src/timeline/operations/undo-stack.js';
import { draftOf } from './drafts.js';

type Step = { readonly session: string | undefined; readonly verb: 'rewind' | 'undo' | 'redo' };

/** Plays steps; returns the operations, newest first, and the states that an editor with two stacks would be in. */
function play(steps: readonly Step[]) {
  const operations: OperationBody[] = [];
  for (const { session, verb } of steps) {
    const stack = undoStack(operations, session);
    const of = verb === 'undo' ? stack.undo.at(-1) : verb === 'redo' ? stack.redo.at(-1) : undefined;
    if (verb !== 'rewind' && of === undefined) continue;
    const draft = draftOf({ kind: verb, ...(of && { of: of.id }), ...(session !== undefined && { session }) });
    operations.unshift(draft as OperationBody);
  }
  return operations;
}

const steps = fc.array(
  fc.record(
    {
      session: fc.constantFrom(undefined, 'one', 'two'),
      verb: fc.constantFrom('rewind' as const, 'undo' as const, 'undo' as const, 'redo' as const),
    },
    { noNullPrototype: true },
  ),
  { maxLength: 30 },
);

describe('undo', () => {
  test('three rewinds, three undos, two redos, and one more undo take what was done last', () => {
    const verbs = ['rewind', 'rewind', 'rewind', 'undo', 'undo', 'undo', 'redo', 'redo', 'undo'] as const;
    const operations = play(verbs.map((verb) => ({ session: undefined, verb }))).toReversed();
    const [first, second, third, ...later] = operations.map(({ id }) => id);
    const of = operations.slice(3).map((operation) => operation.of);
    expect(of).toEqual([third, second, first, first, second, later[4]]);
  });

  test('that was rolled back after it was recorded leaves what it took back to be undone again', () => {
    const rewind = draftOf({ kind: 'rewind' }) as OperationBody;
    const undo = draftOf({ kind: 'undo', of: rewind.id }) as OperationBody;
    const rolledBack = draftOf({ kind: 'undo', of: undo.id }) as OperationBody;
    const operations = [rolledBack, undo, rewind];
    const { undo: back, redo: again } = undoStack(operations, undefined);
    expect([back, again].map((list) => list.map(({ id }) => id))).toEqual([[rewind.id], []]);
    expect(undoneOperations(operations).has(rewind.id)).toBe(false);
  });

  test('never takes an operation of another session, and is not changed by one', () => {
    fc.assert(
      fc.property(steps, (all) => {
        for (const session of [undefined, 'one', 'two']) {
          const mixed = undoStack(play(all), session);
          const alone = undoStack(play(all.filter((step) => step.session === session)), session);
          expect(mixed.undo.every((operation) => operation.session === session)).toBe(true);
          expect([mixed.undo.length, mixed.redo.length]).toEqual([alone.undo.length, alone.redo.length]);
        }
      }),
    );
  });

  test('follows the two stacks of an editor', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const own = all.filter(({ session }) => session === undefined);
        let [undo, redo] = [0, 0];
        for (const { verb } of own) {
          if (verb === 'rewind') [undo, redo] = [undo + 1, 0];
          else if (verb === 'undo' && undo > 0) [undo, redo] = [undo - 1, redo + 1];
          else if (verb === 'redo' && redo > 0) [undo, redo] = [undo + 1, redo - 1];
        }
        const stack = undoStack(play(own), undefined);
        expect([stack.undo.length, stack.redo.length]).toEqual([undo, redo]);
      }),
    );
  });

  test('what was undone is listed as undone until it is repeated', () => {
    const at = (verbs: readonly Step['verb'][]) =>
      undoneOperations(play(verbs.map((verb) => ({ session: undefined, verb }))));
    expect(at(['rewind', 'rewind', 'undo', 'undo']).size).toBe(2);
    expect(at(['rewind', 'rewind', 'undo', 'undo', 'redo']).size).toBe(1);
    expect(at(['rewind', 'undo', 'rewind']).size).toBe(1);
  });
});
