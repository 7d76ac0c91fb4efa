/** Screens of what was seen and spent. */
import { describe, expect, test } from 'vitest';
import { ledgerView } from '../../src/views/read/ledger.js';
import { listView } from '../../src/views/read/list.js';
import { windowView } from '../../src/views/read/window.js';
import { NOW, screen } from '../fake-face.js';
import * as records from '../records.js';

const LAYOUT = { unicode: true };

describe('the screen of', () => {
  test('ledger', () => {
    expect(screen(ledgerView(records.LEDGER, LAYOUT))).toMatchInlineSnapshot(`
      "
      9f2c4b1a7e31 since 7d1a02c3b4f5

      MODEL    REQUESTS  INPUT  OUTPUT  CACHE READ  CACHE WRITTEN  COST
      a-model         3  3,000     150         600              0  $0.0114
      total           3  3,000     150         600              0  $0.0114

        cache    $0.0016 saved
        unknown  the cost of 1 request
        prices   of 2026-10-24, built in
      "
    `);
  });
  test('ledger, where one tool lost and the others did not', () => {
    const saved = { tools: 56, byTool: { 'lean-ctx': 60, t: -4 }, briefs: 1900, negative: [] };
    const told = {
      ...records.LEDGER,
      byModel: {},
      totals: { ...records.LEDGER.totals, requests: 0, reasoning: 7, saved },
    };
    expect(screen(ledgerView(told, LAYOUT))).toMatchInlineSnapshot(`
      "
      9f2c4b1a7e31 since 7d1a02c3b4f5
      No request to a model is known.
        tools    56 tokens left out
                 4 tokens more than without t
        briefs   1,900 tokens left out
        thought  7 tokens of the output
        unknown  the cost of 1 request
      "
    `);
  });
  test('show --window', () => {
    expect(screen(windowView(records.WINDOW, LAYOUT))).toMatchInlineSnapshot(`
      "
      Window of b7c1: 2 items, 1,200 tokens, counted by the provider, as sent with req_1
        ITEM      KIND  TOKENS  WHAT
        a1b2c3d4  user     ~10  fix
        b1b2c3d4  file   1,040  src/app.ts:1-9
      "
    `);
  });
  test('list, with what was spent', () => {
    const { totals } = records.LEDGER;
    const [first, ...others] = records.LISTED.snapshots.map((snapshot) => ({ ...snapshot }));
    const snapshots = [{ ...first, spent: totals }, ...others] as typeof records.LISTED.snapshots;
    expect(screen(listView({ ...records.LISTED, snapshots }, LAYOUT, NOW))).toMatchInlineSnapshot(`
      "
      SNAPSHOT      WHEN           COMMIT    FILES  SIGNED    TOKENS      COST  MESSAGE
      9f2c4b1a7e31  2 minutes ago  3a8f12c*  1,204  ✓          3,750  $0.0114+  Resume the timeline work [safe]
      7d1a02c3b4f5  2 days ago     -         1,204  unsigned                    incomplete (manual: command)
      There are more: \`--limit N\` shows them.
      "
    `);
  });
});
