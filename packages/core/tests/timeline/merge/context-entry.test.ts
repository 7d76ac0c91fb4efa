/** The law of a merge: additions only, each once, and nothing is left to add afterwards. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ItemRecord } from '../../../src/model/context/item.js';
import { MERGED_SLICES } from '../../../src/model/operation.js';
import { entriesOf, keyOf, missingEntries, type SessionEntries } from '../../../src/timeline/merge/context-entry.js';
import type { ContextSession } from '../../../src/timeline/merge/context-session.js';

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');

const item = fc
  .record({ id: name, root: fc.option(name, { nil: undefined }) })
  .map(({ id, root }, sequence = 0): ItemRecord => ({
    ...{ id, sequence, kind: 'snippet' as const, selection: 'explicit' as const },
    content: { blob: 'f'.repeat(40), bytes: 1, place: { in: 'content' } },
    tokens: { count: 1, estimated: true },
    ...(root !== undefined && { origin: { snapshot: 'e'.repeat(64), item: root } }),
  }));

const session = fc
  .record({
    id: name,
    task: fc.option(name, { nil: undefined }),
    touched: fc.uniqueArray(name),
    todos: fc.array(fc.record({ text: name, status: fc.constantFrom('pending', 'completed') })),
    items: fc.array(item),
  })
  .map(({ id, task, touched, todos, items }): ContextSession => {
    const totals = { prompts: 0, items: 0, actions: 0, requests: 0, compactions: 0, unreadable: 0 };
    const about = { id, agent: 'agent', agentSessionId: id, state: 'idle' as const, totals };
    const paths = touched.map((path) => ({ path }));
    return {
      record: { ...about, touched: paths, ...(task !== undefined && { task }), progress: todos },
      items,
    };
  });

const slices = fc.subarray([...MERGED_SLICES], { minLength: 1 });
const keys = (sessions: readonly SessionEntries[]): readonly string[] =>
  sessions.flatMap(({ entries }) => entries.map(keyOf));

test('a merge adds what the target has and the present has not, each once, and then nothing is missing', () => {
  fc.assert(
    fc.property(fc.array(session), fc.array(session), slices, (then, now, asked) => {
      const [target, present] = [entriesOf(then, asked), entriesOf(now, MERGED_SLICES)];
      const added = missingEntries(target, present);
      const [wanted, there] = [new Set(keys(target)), new Set(keys(present))];
      expect(keys(added)).toEqual([...wanted].filter((key) => !there.has(key)));
      expect(missingEntries(target, [...present, ...added])).toEqual([]);
      expect(added.every(({ entries }) => entries.length > 0)).toBe(true);
      if (asked.length === 1)
        expect(keys(added).some((key) => key.startsWith('item') !== (asked[0] === 'context'))).toBe(false);
    }),
  );
});
