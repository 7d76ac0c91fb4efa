/** The screens of publish and import. */
import { describe, expect, test } from 'vitest';
import { importView } from '../../src/views/share/import.js';
import { publishView } from '../../src/views/share/publish.js';
import { screen } from '../fake-face.js';
import * as records from '../records.js';

const LAYOUT = { unicode: true };

describe('the screen of', () => {
  test('publish', () => {
    expect(screen(publishView({ ...records.PUBLISHED, out: 'x.savepoint' }, LAYOUT))).toMatchInlineSnapshot(`
      "
      Snapshot 9f2c4b1a7e31, 2 files, 68.6 kB written to x.savepoint

      Withheld
        WHAT                            WHY
        worktree                        leaves only by name
        transcript/b7c1/00/00/01.jsonl  a secret was found in it (github-token)
      "
    `);
  });
  test('publish in a format that demands numbers where none are known', () => {
    const told = screen(publishView({ ...records.PUBLISHED, withheld: [], unknown: ['roi.tokens_saved'] }, LAYOUT));
    expect(told).toContain('Not known, and 0 in the file\n  roi.tokens_saved\n');
  });
  test('publish --dry-run', () => {
    expect(screen(publishView({ ...records.PUBLISHED, dryRun: true }, LAYOUT))).toMatchInlineSnapshot(`
      "
      Snapshot 9f2c4b1a7e31, 2 files, 68.6 kB would leave this machine. Nothing did.

      Would leave
        SLICE          SIZE  PATH
        -            1.1 kB  snapshot.json
        transcript  64.0 kB  transcript/b7c1/00/00/00.jsonl

      Withheld
        WHAT                            WHY
        worktree                        leaves only by name
        transcript/b7c1/00/00/01.jsonl  a secret was found in it (github-token)
      "
    `);
  });
  test('import, with what a stranger wrote made harmless', () => {
    expect(screen(importView(records.IMPORTED, LAYOUT))).toMatchInlineSnapshot(`
      "
      Snapshot 9f2c4b1a7e31 imported  ✓ valid, signer unknown
        signer    ed25519:7b1e90abababababababababababababababababababababababababababc4d2
        time      2026-11-21 10:20:30 UTC
        message   Resume the \\x1b[31mtimeline work
        new       2 files
        withheld  worktree
        parents   abababababab withheld
      This is the record of somebody else: look at it with \`savepoint show\`, and believe it as far as you trust its signer.
      "
    `);
  });
  test("import of what is one's own does not call it somebody else's", () => {
    const snapshots = records.IMPORTED.snapshots.map((snapshot) => ({ ...snapshot, own: true, added: 0 }));
    const told = screen(importView({ ...records.IMPORTED, snapshots }, LAYOUT));
    expect(told).toContain('is your own, and here already');
    expect(told).not.toContain('somebody else');
  });
});
