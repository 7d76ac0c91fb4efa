import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderLine, styled, verbatim } from '../../src/terminal/line.js';
import { columnsOf, fitted, printable } from '../../src/terminal/printable.js';
import { table } from '../../src/terminal/table.js';
import { run } from '../fake-face.js';
import * as records from '../records.js';

const HOSTILE = 'a\tb\u001b[31mred\u001b]0;title\u0007\u009b2J\r\nb\u202egpj.exe\u007f\ud800';
/** Words that a view looks up, and times that it counts with; everything else may come from anywhere. */
const KEPT = /^(?:change|action|kind|state|status|verdict|window|.*At|at|at[A-Z].*|outcome)$/;

/** The same with hostile words wherever words are. */
function hostile(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return KEPT.test(key) ? value : `${HOSTILE}${value}`;
  if (Array.isArray(value)) return value.map((one) => hostile(one, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hostile(inner, name)]));
}

// What a terminal acts on: all C0 but the newline that ends a line, DEL, C1, and the controls of writing direction.
const ACTIVE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

describe('printable', () => {
  test('writes what a terminal acts on as escapes', () => {
    expect(printable(HOSTILE)).toBe('a\\tb\\x1b[31mred\\x1b]0;title\\x07\\x9b2J\\r\\nb\\u202egpj.exe\\x7f\ufffd');
  });

  test('leaves ordinary text of any language alone', () => {
    for (const text of ['naïve café', '日本語', '👩‍💻 emoji', 'עברית']) expect(printable(text)).toBe(text);
  });

  test('lets no active character through, whatever comes in, and does nothing twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = printable(text);
        expect(shown).not.toMatch(ACTIVE);
        expect(shown).not.toContain('\n');
        expect(printable(shown)).toBe(shown);
      }),
    );
  });
});

describe('columns', () => {
  test.each([
    ['abc', 3],
    ['日本', 4],
    ['e\u0301', 1],
    ['✓', 1],
    ['', 0],
  ])('of %j are %i', (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
  });

  test('decide where text is cut', () => {
    expect(fitted('abcdef', 4, '…')).toBe('abc…');
    expect(fitted('abcd', 4, '…')).toBe('abcd');
    expect(fitted('日本語', 5, '…')).toBe('日本…');
    expect(fitted('abcdef', 5, '...')).toBe('ab...');
  });
});

describe('a line', () => {
  test('carries codes only around its own styles', () => {
    expect(renderLine(['a ', styled('good', 'b')], true)).toBe('a \u001b[32mb\u001b[0m');
    expect(renderLine(['a ', styled('good', 'b')], false)).toBe('a b');
    expect(renderLine(verbatim('\ta\tb\u001b', 'added'), true)).toBe('\u001b[32m\ta\tb\\x1b\u001b[0m');
    expect(renderLine(verbatim('a\tb'), true)).toBe('a\tb');
    expect(renderLine(styled('bad', '\u001b[0m'), true)).toBe('\u001b[31m\\x1b[0m\u001b[0m');
  });

  test('in a table stays aligned when names are escaped or wide', () => {
    const lines = table(
      [{ title: 'A' }, { title: 'B' }],
      [
        ['\u0007', 'x'],
        ['日本', 'y'],
      ],
      { unicode: true },
    );
    expect(lines.map((line) => renderLine(line, false))).toEqual(['A     B', '\\x07  x', '日本  y']);
  });
});

describe('no command lets a terminal escape of a snapshot through', () => {
  const anchor = { ...records.BODY.anchor, branch: HOSTILE };
  const summary = { ...records.SUMMARY, message: HOSTILE, tags: [HOSTILE], anchor };
  const body = {
    message: HOSTILE,
    tags: [HOSTILE],
    anchor,
    boundaries: [{ path: HOSTILE, kind: 'special' }],
    omitted: [{ path: HOSTILE, reason: 'unreadable' }],
    session: { agent: HOSTILE, id: HOSTILE },
    trigger: { kind: 'automatic', reason: HOSTILE },
    redactions: { count: 1, kinds: { [HOSTILE]: 1 } },
  };
  const file = { path: HOSTILE, mode: '0644', blob: 'dd', bytes: 1 };
  const shown = {
    ...records.SHOWN,
    ...body,
    files: [file],
    filesystem: { ...records.SHOWN.filesystem, ignored: [{ path: HOSTILE }] },
    transcripts: [{ agent: HOSTILE, session: HOSTILE, name: HOSTILE, bytes: 1, parts: 1 }],
    staged: {
      tree: 'aa',
      unmerged: [{ path: HOSTILE, stage: 1, mode: '', blob: '' }],
      flagged: [{ path: HOSTILE, flags: [] }],
    },
  };
  const change = {
    path: HOSTILE,
    change: 'modified',
    before: file,
    after: file,
    binary: false,
    insertions: 1,
    deletions: 1,
    patch: `@@\n-${HOSTILE}\n+x\r\n`,
  };
  const difference = {
    ...records.DIFFERENCE,
    from: { ...records.DIFFERENCE.from, anchor },
    files: [change],
    directories: [{ path: HOSTILE, change: 'added' }],
    unknown: [{ path: HOSTILE, side: 'from', reason: 'ignored' }],
    transcripts: [{ session: HOSTILE, from: 0, to: 1 }],
  };
  const answers = {
    capture: { ...records.CAPTURED, ...body, notes: [HOSTILE], complete: false },
    list: { snapshots: [summary], more: false, unreadable: [{ timeline: HOSTILE, commit: HOSTILE, message: HOSTILE }] },
    timeline: {
      snapshots: [summary],
      timelines: [{ id: 'x', label: HOSTILE, head: summary.id }],
      more: false,
      unreadable: [],
    },
    show: shown,
    showSlice: { items: [HOSTILE] },
    diff: difference,
    at: { reading: HOSTILE, snapshot: shown },
    verify: {
      ...records.VERIFIED,
      results: [
        { ...records.VERIFIED.results[0], id: HOSTILE, checks: [{ name: 'chain', ok: false, detail: HOSTILE }] },
      ],
      notProven: [HOSTILE],
    },
    status: {
      ...records.HEALTH,
      root: HOSTILE,
      head: { ...records.HEALTH.head, message: HOSTILE },
      warnings: [{ code: 'x', message: HOSTILE, hint: HOSTILE }],
    },
    keyShow: { ...records.KEYS, location: HOSTILE, trusted: [{ name: HOSTILE, key: HOSTILE }] },
    configList: { settings: [], unknown: [{ key: HOSTILE, path: HOSTILE }], refused: [] },
    showWindow: hostile(records.WINDOW),
    ledger: hostile(records.LEDGER),
    operations: hostile(records.OPERATIONS),
    rewindPoints: hostile(records.POINTS),
    importBundle: hostile(records.IMPORTED),
    publish: hostile(records.PUBLISHED),
    rewind: hostile(records.REWOUND),
    undo: hostile(records.UNDONE),
    init: {
      hooks: [
        { hook: 'pre-push', path: HOSTILE, installed: false, changed: false, chained: HOSTILE, problem: HOSTILE },
      ],
    },
  };

  test.each([
    'capture',
    'list',
    'timeline',
    'show --files',
    'show --slice context',
    'diff a',
    'diff a --stat',
    'diff a --name-only',
    'at now',
    'verify',
    'status',
    'show --window',
    'ledger',
    'operations',
    'rewind --list',
    'rewind a --yes',
    'undo --yes',
    'import file',
    'publish --out file',
    'key',
    'config',
    'init',
    `show ${'x'} --nothing=${'\u001b[31m'}`,
    '\u001b[31m',
  ])('%j', async (line) => {
    for (const json of [[], ['--json']]) {
      const ran = await run({ words: [...line.split(' '), ...json], answers });
      // A line of a file or of a message is shown with its tabs; there is one of either at most.
      const tabs = ran.out.match(/^(?:-| {2})a\tb.*$/gm) ?? [];
      expect(tabs.length).toBe(json.length === 0 && /^(?:show --files|at now|diff a)$/.test(line) ? 1 : 0);
      expect((ran.out + ran.err).replace(tabs[0] ?? '', tabs[0]?.replace('\t', '') ?? '')).not.toMatch(ACTIVE);
      // What is hostile was in the answer, and is shown.
      if (ran.calls.length > 0) expect(ran.out + ran.err).toMatch(/\\x1b|\\u001b/);
      else expect(ran.exitCode).toBe(2);
    }
  });
});
