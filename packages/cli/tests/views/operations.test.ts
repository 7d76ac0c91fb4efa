/** Screens of the verbs that change files, as they stand in a pipe. */
import { describe, expect, test } from 'vitest';
import { operationView, planView } from '../../src/views/operation/operation.js';
import { operationsView } from '../../src/views/operation/operations.js';
import { recoverView } from '../../src/views/operation/recover.js';
import { restoreView } from '../../src/views/operation/restore.js';
import { rewindPointsView } from '../../src/views/operation/rewind.js';
import { NOW, screen } from '../fake-face.js';
import * as records from '../records.js';

const LAYOUT = { unicode: true };
const ASCII = { unicode: false };

describe('the screen of', () => {
  test('rewind --dry-run', () => {
    expect(screen(planView(records.PLANNED, LAYOUT))).toMatchInlineSnapshot(`
      "
      Plan: rewind to 7d1a02c3b4f5 of 2026-11-19 09:00:00 UTC "Before the refactoring"
        keep      notes.md  – It is in no snapshot but the safety snapshot.
        mode      run.sh  12 B
        overwrite src/app.ts  1.2 kB
        create    src/new.ts  30 B
        delete    tmp/
        delete    tmp/a  5 B
        conflict  x.ts  – Another live session changed it since.
        index     the staged tree would be restored
      Left alone by design
        build  ignored
      1 created · 1 overwritten · 2 deleted · 1 with another mode · 1 kept · 1 in conflict · 1.2 kB written
      Nothing was changed. This plan: --plan 51aa907777777777777777777777777777777777777777777777777777777777
      "
    `);
  });
  test('rewind', () => {
    expect(screen(operationView(records.REWOUND, { layout: ASCII, known: false }))).toMatchInlineSnapshot(`
      "
      Rewound to 7d1a02c3b4f5 of 2026-11-19 09:00:00 UTC "Before the refactoring"
        keep      notes.md  - It is in no snapshot but the safety snapshot.
        mode      run.sh  12 B
        overwrite src/app.ts  1.2 kB
        create    src/new.ts  30 B
        delete    tmp/
        delete    tmp/a  5 B
        conflict  x.ts  - Another live session changed it since.
        index     the staged tree was restored
      Left alone by design
        build  ignored
      1 created, 1 overwritten, 2 deleted, 1 with another mode, 1 kept, 1 in conflict, 1.2 kB written
        operation  c4a1e2f39b07
        safety     9f2c4b1a7e31, everything as it was before
        head       44d0c8b7a611
      \`savepoint undo\` takes it back.
      "
    `);
  });
  test('where only what is left alone differs, it is not said that nothing does', () => {
    const nothing = { ...records.REWOUND.totals, create: 0, overwrite: 0, delete: 0, mode: 0, skip: 0, conflict: 0 };
    const shown = (files: typeof records.REWOUND.files): string =>
      screen(operationView({ ...records.REWOUND, files, totals: nothing }, { layout: LAYOUT, known: true }));
    expect(shown([])).toMatch(/^ *No file differs\.$/m);
    expect(shown([{ path: 'build', action: 'skip', reason: 'ignored' }])).toMatch(/^ *No other file differs\.$/m);
  });
  test('of an index that could not be restored it is not said that it was', () => {
    const shown = screen(operationView({ ...records.REWOUND, stagedLeft: true }, { layout: LAYOUT, known: true }));
    expect(shown).toMatch(/^ *index +the staged tree was not restored$/m);
  });
  test('of a safety snapshot that had to leave something out, that is said', () => {
    const safetyOf = (unsaved: number): string | undefined =>
      screen(operationView({ ...records.REWOUND, unsaved }, { layout: LAYOUT, known: true }))
        .split('\n')
        .find((line) => line.includes('safety  '))
        ?.trim();
    expect(safetyOf(1)).toBe('safety     9f2c4b1a7e31, as it was before, without 1 path that it had to leave out');
    expect(safetyOf(2)).toBe('safety     9f2c4b1a7e31, as it was before, without 2 paths that it had to leave out');
  });
  test('rewind, after its plan was shown', () => {
    expect(screen(operationView(records.REWOUND, { layout: LAYOUT, known: true }))).toMatchInlineSnapshot(`
      "
      Rewound to 7d1a02c3b4f5 of 2026-11-19 09:00:00 UTC "Before the refactoring"
        keep      notes.md  – It is in no snapshot but the safety snapshot.
        conflict  x.ts  – Another live session changed it since.
        index     the staged tree was restored
      Left alone by design
        build  ignored
      1 created · 1 overwritten · 2 deleted · 1 with another mode · 1 kept · 1 in conflict · 1.2 kB written
        operation  c4a1e2f39b07
        safety     9f2c4b1a7e31, everything as it was before
        head       44d0c8b7a611
      \`savepoint undo\` takes it back.
      "
    `);
  });
  test('undo', () => {
    expect(screen(operationView(records.UNDONE, { layout: LAYOUT, known: false }))).toMatchInlineSnapshot(`
      "
      Undid the rewind of 2026-11-21 11:57:00 UTC: back to 7d1a02c3b4f5 of 2026-11-19 09:00:00 UTC "Before the refactoring"
        overwrite src/app.ts  1.2 kB
      1 overwritten · 1.2 kB written
        operation  c4a1e2f39b07
        safety     9f2c4b1a7e31, everything as it was before
        head       44d0c8b7a611
      \`savepoint redo\` does it again.
      "
    `);
  });
  test('more ignored paths than one wants to read are counted', () => {
    const files = Array.from({ length: 25 }, (_, at) => ({
      path: `${String(at)}.log`,
      action: 'skip' as const,
      reason: 'ignored' as const,
    }));
    const lines = screen(planView({ ...records.PLANNED, files }, LAYOUT)).split('\n');
    expect(lines.filter((line) => line.endsWith('.log  ignored'))).toHaveLength(20);
    expect(lines).toContain('  and 5 more paths');
  });
  test('what a restore would add to the context, and what it has added', () => {
    const from = { snapshot: '7d1a02c3b4f5'.padEnd(64, '0'), session: 'a' };
    const context = [
      { action: 'add', kind: 'task', from, text: 'Fix the parser\nsoon' },
      { action: 'add', kind: 'item', from: { ...from, item: '77aa' }, text: 'file src/app.ts', tokens: 1200 },
      { action: 'add', kind: 'touched', from, text: 'src/app.ts' },
    ] as const;
    const options = { ...records.PLANNED.options, files: false, index: false, merge: ['context', 'session'] as const };
    const totals = { create: 0, overwrite: 0, delete: 0, mode: 0, skip: 0, conflict: 0, bytes: 0 };
    const result = { ...records.PLANNED, kind: 'restore', options, files: [], totals, context } as const;
    expect(screen(planView(result, LAYOUT)).split('\n').slice(0, -2).join('\n')).toMatchInlineSnapshot(`
      "
      Plan: add to the context what is missing from 7d1a02c3b4f5 of 2026-11-19 09:00:00 UTC "Before the refactoring"
        add       task Fix the parser  – from 7d1a02c3b4f5
        add       file src/app.ts  – from 7d1a02c3b4f5, item 77aa, about 1,200 tokens
        add       touched file src/app.ts  – from 7d1a02c3b4f5
      3 pieces of context added, about 1,200 tokens"
    `);
    const nothing = { ...result, dryRun: false, context: [] };
    expect(screen(restoreView(nothing, { layout: LAYOUT, known: false }))).toMatchInlineSnapshot(`
      "
      Added to the context what is missing from 7d1a02c3b4f5 of 2026-11-19 09:00:00 UTC "Before the refactoring"
      All of it is in the context already.
      "
    `);
  });
  test('what a rewind makes of the window', () => {
    const from = { snapshot: '7d1a02c3b4f5'.padEnd(64, '0'), session: 'a', item: '77aa' };
    const out = Array.from({ length: 21 }, (_, at) => ({
      ...({
        action: 'remove',
        kind: 'item',
        from: { ...from, item: `item-${String(at)}` },
        text: 'assistant',
      } as const),
      tokens: 50,
    }));
    const context = [...out, { action: 'add', kind: 'item', from, text: 'file src/app.ts', tokens: 1200 }] as const;
    const options = { ...records.PLANNED.options, files: false, index: false };
    const result = { ...records.PLANNED, kind: 'rewind', options, files: [], context } as const;
    const lines = screen(planView(result, LAYOUT)).split('\n');
    expect(lines).toContain('  leave out assistant  – item item-0, about 50 tokens');
    expect(lines).toContain('  and 2 more items');
    expect(lines).toContain('Window: 21 items out (about 1,050 tokens), 1 item back in (about 1,200 tokens)');
    expect(lines).toContain('Only the record changes: an agent at work keeps its own conversation.');
    const { context: none, ...same } = result;
    expect(none).toHaveLength(22);
    expect(screen(planView(same, LAYOUT)).split('\n')).toContain('No item of the window differs.');
  });
  test('restore into another directory', () => {
    const result = { ...records.PLANNED, kind: 'restore', dryRun: false, files: [], to: '/tmp/then' } as const;
    expect(screen(restoreView(result, { layout: LAYOUT, known: false }))).toMatchInlineSnapshot(`
      "
      Restored from 7d1a02c3b4f5 of 2026-11-19 09:00:00 UTC "Before the refactoring"
        index     the staged tree was restored
      1 created · 1 overwritten · 2 deleted · 1 with another mode · 1 in conflict · 1.2 kB written
      Written to /tmp/then; nothing else was changed.
      "
    `);
  });
  test('rewind --list', () => {
    expect(screen(rewindPointsView(records.POINTS, LAYOUT, NOW))).toMatchInlineSnapshot(`
      "
      SNAPSHOT      WHEN           CHANGES         MESSAGE
      9f2c4b1a7e31  2 minutes ago  none            Resume the timeline work [safe]
      7d1a02c3b4f5  2 days ago     +1 ~1 -2 m1 !3  incomplete (manual: command)
      CHANGES: + created, ~ overwritten, - deleted, m mode, ! kept or in conflict
      There are more: \`--limit N\` shows them.
      "
    `);
  });
  test('operations', () => {
    expect(screen(operationsView(records.OPERATIONS, LAYOUT, NOW))).toMatchInlineSnapshot(`
      "
      OPERATION     WHEN           KIND                  TARGET        SAFETY        CHANGES         STATE
      d0a1e2f39b07  1 minute ago   undo of c4a1e2f39b07  9f2c4b1a7e31  7d1a02c3b4f5  ~1              
      c4a1e2f39b07  3 minutes ago  rewind                7d1a02c3b4f5  9f2c4b1a7e31  +1 ~1 -2 m1 !3  undone, next to redo session b7c1
      not believed: cccccccccccc: its signature does not hold
      An operation is open: run \`savepoint recover\` to complete it, or \`savepoint recover --roll-back\` to take it back.
      "
    `);
  });
  test('operations, where there are none', () => {
    const result = { operations: [], more: false, open: false, problems: [] };
    expect(screen(operationsView(result, LAYOUT, NOW))).toMatchInlineSnapshot(`
      "
      Nothing was rewound or restored here yet.
      "
    `);
  });
  test('recover', () => {
    expect(screen(recoverView({ outcome: 'nothing', left: [] }, LAYOUT))).toMatchInlineSnapshot(`
      "
      No operation is open: there is nothing to recover.
      "
    `);
    expect(screen(recoverView({ outcome: 'rolled_back', left: [{ path: 'a' }] }, LAYOUT))).toMatchInlineSnapshot(`
      "
      The operation that was interrupted is rolled back: the files are as they were before it.
        changed since a
      "
    `);
    const completed = { outcome: 'completed', result: records.UNDONE, left: [] } as const;
    expect(screen(recoverView(completed, LAYOUT))).toMatchInlineSnapshot(`
      "
      The operation that was interrupted is complete now.
      Undid the rewind of 2026-11-21 11:57:00 UTC: back to 7d1a02c3b4f5 of 2026-11-19 09:00:00 UTC "Before the refactoring"
        overwrite src/app.ts  1.2 kB
      1 overwritten · 1.2 kB written
        operation  c4a1e2f39b07
        safety     9f2c4b1a7e31, everything as it was before
        head       44d0c8b7a611
      \`savepoint redo\` does it again.
      "
    `);
  });
});
