/** One expected screen for each view, as it stands in a pipe. */
import { describe, expect, test } from 'vitest';
import { atView } from '../../src/views/read/at.js';
import { captureView } from '../../src/views/capture.js';
import { changedSettingView, configView, settingView } from '../../src/views/config.js';
import { diffView } from '../../src/views/read/diff.js';
import { initView } from '../../src/views/init.js';
import { keyView } from '../../src/views/key.js';
import { listView } from '../../src/views/read/list.js';
import { showView } from '../../src/views/read/show.js';
import { statusView } from '../../src/views/read/status.js';
import { timelineView } from '../../src/views/read/timeline.js';
import { verifyView } from '../../src/views/read/verify.js';
import { NOW, screen } from '../fake-face.js';
import * as records from '../records.js';

const LAYOUT = { unicode: true };
const ASCII = { unicode: false };
const LOST = {
  timeline: records.TIMELINE,
  commit: 'cc'.repeat(20),
  code: 'object_missing',
  message: 'The object is gone.',
};

describe('the screen of', () => {
  test('capture', () => {
    expect(screen(captureView(records.CAPTURED, LAYOUT))).toMatchInlineSnapshot(`
      "
      Snapshot 9f2c4b1a7e31 captured
        id        9f2c4b1a7e310d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d
        message   Resume the timeline work
        tags      safe
        commit    3a8f12c on main (dirty)
        files     1,204 files, 8.2 MB; 1 boundary left alone
        session   claude-code b7c1 (guessed)
        slices    filesystem · worktree
        redacted  2 secrets removed: github-token 2
        signed    7b1e90…c4d2 ✓
      "
    `);
  });
  test('capture, where nothing changed', () => {
    expect(screen(captureView({ ...records.CAPTURED, unchanged: true }, LAYOUT))).toMatchInlineSnapshot(`
      "
      Snapshot 9f2c4b1a7e31 is unchanged: nothing differs from it, so no new snapshot was made
        id  9f2c4b1a7e310d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d
      "
    `);
  });
  test('capture, with something left out and no key', () => {
    const omitted = [
      { path: 'big.bin', reason: 'too_large', bytes: 60_000_000 },
      { path: 'secret', reason: 'unreadable' },
    ] as const;
    const result = { ...records.CAPTURED, omitted, complete: false, signer: '' };
    expect(screen(captureView(result, ASCII))).toMatchInlineSnapshot(`
      "
      Snapshot 9f2c4b1a7e31 captured
        id        9f2c4b1a7e310d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d
        message   Resume the timeline work
        tags      safe
        commit    3a8f12c on main (dirty)
        files     1,204 files, 8.2 MB; 1 boundary left alone
        session   claude-code b7c1 (guessed)
        slices    filesystem, worktree
        redacted  2 secrets removed: github-token 2
        signed    no
      Left out: 2 paths
        big.bin  is larger than capture.maxFileBytes (60.0 MB)
        secret  cannot be read
      "
    `);
  });
  test('list', () => {
    expect(screen(listView(records.LISTED, LAYOUT, NOW))).toMatchInlineSnapshot(`
      "
      SNAPSHOT      WHEN           COMMIT    FILES  SIGNED    MESSAGE
      9f2c4b1a7e31  2 minutes ago  3a8f12c*  1,204  ✓         Resume the timeline work [safe]
      7d1a02c3b4f5  2 days ago     -         1,204  unsigned  incomplete (manual: command)
      There are more: \`--limit N\` shows them.
      "
    `);
  });
  test('list on a narrow terminal without Unicode', () => {
    expect(screen(listView(records.LISTED, { ...ASCII, width: 72 }, NOW))).toMatchInlineSnapshot(`
      "
      SNAPSHOT      WHEN           COMMIT    FILES  SIGNED    MESSAGE
      9f2c4b1a7e31  2 minutes ago  3a8f12c*  1,204  ok        Resume the ti...
      7d1a02c3b4f5  2 days ago     -         1,204  unsigned  incomplete (m...
      There are more: \`--limit N\` shows them.
      "
    `);
  });
  test('list, where there is nothing', () => {
    expect(screen(listView({ snapshots: [], more: false, unreadable: [LOST] }, LAYOUT, NOW))).toMatchInlineSnapshot(`
      "
      No snapshot matches.
      Run \`savepoint capture\` to take one, or \`savepoint list --all\` to look everywhere.
      unreadable: commit cccccccccccc of timeline 5a5a5a5a5a5a: The object is gone.
      "
    `);
  });
  test('timeline', () => {
    expect(screen(timelineView(records.DRAWN, LAYOUT, NOW))).toMatchInlineSnapshot(`
      "
      ●  9f2c4b1a7e31  2 minutes ago  Resume the timeline work [safe]  (worktree main)
      ○  7d1a02c3b4f5  2 days ago  incomplete (manual: command)
      "
    `);
  });
  test('timeline on a narrow terminal, where the end of a long label stays', () => {
    const label = 'manual, /home/ada/projects/savepoint-docs';
    const drawn = { ...records.DRAWN, timelines: [{ id: records.TIMELINE, label, head: records.ID }] };
    expect(screen(timelineView(drawn, { unicode: true, width: 80 }, NOW).slice(0, 1))).toMatchInlineSnapshot(`
      "
      ●  9f2c4b1a7e31  2 minutes ago  Resume the timeline work [safe]  (…vepoint-docs)
      "
    `);
    expect(screen(timelineView(drawn, { unicode: false, width: 48 }, NOW).slice(0, 1))).toMatchInlineSnapshot(`
      "
      *  9f2c4b1a7e31  2 minutes ago  Resume the ti...
      "
    `);
  });
  test('show', () => {
    expect(screen(showView(records.SHOWN, LAYOUT))).toMatchInlineSnapshot(`
      "
      Snapshot 9f2c4b1a7e31  ✓ valid [safe]
        id        9f2c4b1a7e310d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d
        time      2026-11-21 11:58:00 UTC
        anchor    3a8f12c on main (dirty)
        timeline  5a5a5a5a5a5a number 2, after 7d1a02c3b4f5
        trigger   manual: command
        session   claude-code b7c1 (guessed)
        files     1,204 files, 8.2 MB
        redacted  2 secrets removed: github-token 2
        signer    ed25519:7b1e90abababababababababababababababababababababababababababc4d2
        stored    commit cccccccccccccccccccccccccccccccccccccccc

      Message
        Resume the timeline work

      Slices
        SLICE         SIZE  DIGEST
        filesystem   310 B  blake3 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        worktree    8.2 MB  git-sha1 bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb

      Transcripts
        claude-code b7c1  20.5 kB (guessed)

      Left alone by design
        vendor/lib  submodule

      Ignored by git
        node_modules/
      "
    `);
  });
  test('show, with files', () => {
    const files = [
      { path: 'a.ts', mode: '0644', blob: 'dd'.repeat(20), bytes: 30 },
      { path: 'link', mode: 'link', blob: 'ee'.repeat(20) },
    ];
    expect(screen(showView({ ...records.SHOWN, files }, LAYOUT).slice(-4))).toMatchInlineSnapshot(`
      "
      Files: 2
        MODE  SIZE  BLOB          PATH
        0644  30 B  dddddddddddd  a.ts
        link        eeeeeeeeeeee  link
      "
    `);
  });
  test('diff', () => {
    expect(screen(diffView(records.DIFFERENCE, LAYOUT, 'patch'))).toMatchInlineSnapshot(`
      "
      from 7d1a02c3b4f5  2026-11-19 09:00:00 UTC  no commit yet (clean)
      to   the present worktree  2026-11-21 12:00:00 UTC  3a8f12c on main (dirty)
      diff --git a/src/app.ts b/src/app.ts
      --- a/src/app.ts
      +++ b/src/app.ts
      @@ -1,2 +1,2 @@ hunk 1
       const a = 1;
      -const b = 2;
      +const b = 3;
      diff --git a/run.sh b/run.sh
      old mode 100644
      new mode 100755
      diff --git a/logo.png b/logo.png
      new file mode 100644
      Binary files differ: 0 B -> 5.1 kB
      directory tmp/ removed
      transcript b7c1: 10.2 kB -> 20.5 kB
      unknown: data (the first side did not look there: ignored)
      3 files · +1 -1
      "
    `);
  });
  test('diff --stat', () => {
    expect(screen(diffView(records.DIFFERENCE, ASCII, 'stat'))).toMatchInlineSnapshot(`
      "
      from 7d1a02c3b4f5  2026-11-19 09:00:00 UTC  no commit yet (clean)
      to   the present worktree  2026-11-21 12:00:00 UTC  3a8f12c on main (dirty)
       M src/app.ts |    2 +-
       m run.sh     | mode 0644 -> 0755
       A logo.png   | binary 0 B -> 5.1 kB
      directory tmp/ removed
      transcript b7c1: 10.2 kB -> 20.5 kB
      unknown: data (the first side did not look there: ignored)
      3 files, +1 -1
      "
    `);
  });
  test('diff --name-only', () => {
    expect(screen(diffView(records.DIFFERENCE, LAYOUT, 'names'))).toMatchInlineSnapshot(`
      "
      src/app.ts
      run.sh
      logo.png
      "
    `);
  });
  test.each(['patch', 'stat'] as const)('diff --%s of content that is not at hand', (form) => {
    const side = { mode: '0644', blob: 'b'.repeat(40) };
    const files = [{ path: 'gone.txt', change: 'modified' as const, before: side, after: side, binary: false }];
    const told = screen(diffView({ ...records.DIFFERENCE, files }, LAYOUT, form));
    expect(told).toContain('not compared: its content is not at hand\n');
    expect(told).not.toContain('| ' + '   0');
  });
  test('diff, where nothing differs', () => {
    const same = { ...records.DIFFERENCE, files: [], directories: [], transcripts: [] };
    expect(screen(diffView(same, LAYOUT, 'patch'))).toMatchInlineSnapshot(`
      "
      from 7d1a02c3b4f5  2026-11-19 09:00:00 UTC  no commit yet (clean)
      to   the present worktree  2026-11-21 12:00:00 UTC  3a8f12c on main (dirty)
      Nothing else differs.
      unknown: data (the first side did not look there: ignored)
      "
    `);
  });
  test('at', () => {
    expect(screen(atView(records.READ, LAYOUT).slice(0, 3))).toMatchInlineSnapshot(`
      "
      Read as the newest snapshot at or before 2026-11-21T11:59:00.000Z
      Snapshot 9f2c4b1a7e31  ✓ valid [safe]
        id        9f2c4b1a7e310d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d
      "
    `);
  });
  test('verify', () => {
    expect(screen(verifyView(records.VERIFIED, LAYOUT))).toMatchInlineSnapshot(`
      "
      Snapshot 9f2c4b1a7e31 is VALID
        ✓ content    the id is the BLAKE3 digest of the body
        ✓ signature  signed by your key
      Proven
        - The body was not changed since it was signed.
      Not proven
        - Whether newer snapshots were cut off.
      "
    `);
  });
  test('verify, of nothing', () => {
    const nothing = { ...records.VERIFIED, results: [], proven: [], notProven: ['There is no snapshot to verify.'] };
    expect(screen(verifyView(nothing, LAYOUT))).toMatchInlineSnapshot(`
      "
      There is no snapshot to verify.
      Run \`savepoint capture\` to take the first one.
      "
    `);
  });

  test('verify on a narrow terminal goes on below the beginning of each sentence', () => {
    expect(screen(verifyView(records.VERIFIED, { ...LAYOUT, width: 38 }))).toMatchInlineSnapshot(`
      "
      Snapshot 9f2c4b1a7e31 is VALID
        ✓ content    the id is the BLAKE3
                     digest of the body
        ✓ signature  signed by your key
      Proven
        - The body was not changed since it
          was signed.
      Not proven
        - Whether newer snapshots were cut
          off.
      "
    `);
  });
  test('verify, of many with one that is bad', () => {
    const [good] = records.VERIFIED.results;
    if (good === undefined) throw new Error('no result');
    const bad = {
      ...good,
      verdict: 'bad_signature',
      checks: [{ name: 'signature', ok: false, detail: 'it is not by that key' }],
    } as const;
    const results = [good, good, bad, { ...good, verdict: 'valid_unknown_signer' }] as const;
    expect(screen(verifyView({ ...records.VERIFIED, results }, ASCII))).toMatchInlineSnapshot(`
      "
      Snapshot 9f2c4b1a7e31 is BAD SIGNATURE
        !! signature  it is not by that key
      4 snapshots verified
        ok 2 valid
        !! 1 bad signature
        ok 1 valid, signer unknown
      Proven
        - The body was not changed since it was signed.
      Not proven
        - Whether newer snapshots were cut off.
      "
    `);
  });
  test('status', () => {
    expect(screen(statusView(records.HEALTH, LAYOUT, NOW))).toMatchInlineSnapshot(`
      "
      Savepoint in /project
        head       9f2c4b1a7e31  2 minutes ago  Resume the timeline work
        snapshots  2 snapshots on 1 timeline
        key        7b1e90…c4d2
        git        2.39.5, sha1
        failures   2 captures failed since, the last 1 hour ago: There is no space left.
        store      0f0f0f0f0f0f, worktree 1a1a1a1a1a1a
      warning: Nothing keeps local refs from being pushed.
        hint: Run \`savepoint init\`.
      "
    `);
  });
  test('status, before the first capture', () => {
    const { root, git } = records.HEALTH;
    const result = {
      root,
      repository: '',
      worktree: '',
      timelines: 0,
      git,
      snapshots: 0,
      key: {},
      failures: { count: 0 },
      warnings: [],
    };
    expect(screen(statusView(result, LAYOUT, NOW))).toMatchInlineSnapshot(`
      "
      Savepoint in /project
        head       none yet; \`savepoint capture\` takes the first snapshot
        snapshots  0 snapshots on 0 timelines
        key        none yet; the first capture makes one
        git        2.39.5, sha1
      ✓ Nothing needs your attention
      "
    `);
  });
  test('status, with a key that cannot be used', () => {
    const result = { ...records.HEALTH, key: { problem: 'the file is empty' } };
    expect(screen(statusView(result, LAYOUT, NOW))).toContain('key        the file is empty\n');
  });
  test('key', () => {
    expect(screen(keyView(records.KEYS))).toMatchInlineSnapshot(`
      "
      Your key
        public   ed25519:7b1e90abababababababababababababababababababababababababababc4d2
        kept in  /home/ada/.config/savepoint/keys
      Former keys of yours
        ed25519:1111111111111111111111111111111111111111111111111111111111111111
      Keys that you trust
        ed25519:2222222222222222222222222222222222222222222222222222222222222222  grace
      Revoked keys
        ed25519:3333333333333333333333333333333333333333333333333333333333333333  Laptop stolen
          good up to 9f2c4b1a7e31
      "
    `);
  });
  test('key show, of a key that is revoked and still signs', () => {
    const [revocation] = records.KEYS.revoked;
    const revoked = [{ lastGood: [], ...revocation, key: records.KEYS.signer ?? '' }];
    expect(screen(keyView({ ...records.KEYS, former: [], trusted: [], revoked }))).toContain(
      '  state    revoked in this repository: `savepoint key rotate` makes another one\n',
    );
  });
  test('config list', () => {
    expect(screen(configView(records.SETTINGS_LISTED, LAYOUT))).toMatchInlineSnapshot(`
      "
      SETTING                  VALUE  FROM     MEANING
      capture.maxFileBytes  52428800  default  A larger new file is left out
      capture.transcript       false  local    Look for the agent's transcript
      unknown: capture.colour in /project/.savepoint/settings.json
      ignored: ledger.prices in /r/.savepoint/settings.json, which only your own settings can choose
      "
    `);
  });
  test('config get and config set', () => {
    const [entry] = records.SETTINGS_LISTED.settings;
    if (entry === undefined) throw new Error('no setting');
    expect(screen([...settingView(entry), ...changedSettingView(entry)])).toMatchInlineSnapshot(`
      "
      52428800
      capture.maxFileBytes = 52428800 (default)
      "
    `);
  });
  test('init', () => {
    expect(screen(initView(records.GUARDED, LAYOUT))).toMatchInlineSnapshot(`
      "
      ✓ pre-push hook installed: /project/.git/hooks/pre-push
        it calls the hook that was there first: /project/.git/hooks/pre-push.savepoint
      No push sends local snapshots now. Next: \`savepoint capture\`.
      "
    `);
  });
});
