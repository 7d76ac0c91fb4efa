/** Fixed results of ops, whole enough for every view. */
import type {
  AtResult,
  CaptureResult,
  ConfigResult,
  DiffResult,
  ImportResult,
  InitResult,
  KeyShowResult,
  LedgerResult,
  ListResult,
  OperationResult,
  OperationsResult,
  PublishResult,
  RewindPointsResult,
  ShowResult,
  ShowWindowResult,
  SnapshotSummary,
  StatusResult,
  TimelineResult,
  VerifyResult,
} from '@savepoint/core';

export const ID = `9f2c4b1a7e31${'0d'.repeat(26)}`;
export const PARENT = `7d1a02c3b4f5${'0e'.repeat(26)}`;
export const SIGNER = `ed25519:7b1e90${'ab'.repeat(27)}c4d2`;
export const TIMELINE = '5a'.repeat(16);

export const BODY = {
  format: 'savepoint.snapshot/1',
  repository: '0f'.repeat(16),
  timeline: TIMELINE,
  sequence: 2,
  parents: [PARENT],
  createdAt: '2026-11-21T11:58:00.000Z',
  signer: SIGNER,
  message: 'Resume the timeline work',
  tags: ['safe'],
  trigger: { kind: 'manual', reason: 'command' },
  session: { agent: 'claude-code', id: 'b7c1', guessed: true },
  anchor: { commit: `3a8f12c${'0'.repeat(33)}`, branch: 'main', dirty: true, objectFormat: 'sha1' },
  slices: [
    { name: 'filesystem', algorithm: 'blake3', digest: 'aa'.repeat(32), bytes: 310, parts: 1 },
    { name: 'worktree', algorithm: 'git-sha1', digest: 'bb'.repeat(20), bytes: 8_200_000, parts: 1204 },
  ],
  totals: { files: 1204, bytes: 8_200_000 },
  redactions: { count: 2, kinds: { 'github-token': 2 } },
  boundaries: [{ path: 'vendor/lib', kind: 'submodule' }],
  omitted: [],
  complete: true,
  seen: [],
} as const;

const NAMED = { ...BODY, id: ID, shortId: '9f2c4b1a7e31', verdict: 'valid' } as const;

export const CAPTURED: CaptureResult = { ...NAMED, unchanged: false, notes: [] };

export const SUMMARY: SnapshotSummary = {
  id: ID,
  shortId: '9f2c4b1a7e31',
  verdict: 'valid',
  timeline: TIMELINE,
  sequence: 2,
  parents: [PARENT],
  createdAt: BODY.createdAt,
  message: BODY.message,
  tags: BODY.tags,
  trigger: BODY.trigger,
  session: BODY.session,
  anchor: BODY.anchor,
  complete: true,
  totals: BODY.totals,
};

export const OLDER: SnapshotSummary = {
  ...SUMMARY,
  id: PARENT,
  shortId: '7d1a02c3b4f5',
  verdict: 'unsigned',
  sequence: 1,
  parents: [],
  createdAt: '2026-11-19T09:00:00.000Z',
  message: '',
  tags: [],
  anchor: { dirty: false, objectFormat: 'sha1' },
  complete: false,
};

export const LISTED: ListResult = { snapshots: [SUMMARY, OLDER], more: true, unreadable: [] };

export const DRAWN: TimelineResult = {
  snapshots: [SUMMARY, OLDER],
  timelines: [{ id: TIMELINE, label: 'worktree main', head: ID }],
  more: false,
  unreadable: [],
};

export const SHOWN: ShowResult = {
  ...NAMED,
  commit: 'cc'.repeat(20),
  filesystem: {
    modes: { file: '0644', executable: '0755', directory: '0755' },
    exceptions: [],
    emptyDirectories: [],
    boundaries: [],
    omitted: [],
    ignored: [{ path: 'node_modules/' }],
    diverted: [],
  },
  transcripts: [
    {
      agent: 'claude-code',
      session: 'b7c1',
      folder: 'b7c1',
      name: 'b7c1.jsonl',
      bytes: 20_480,
      parts: 1,
      guessed: true,
    },
  ],
};

export const READ: AtResult = {
  reading: 'the newest snapshot at or before 2026-11-21T11:59:00.000Z',
  snapshot: { ...NAMED, boundaries: [], redactions: { count: 0, kinds: {} }, commit: 'cc'.repeat(20), transcripts: [] },
};

const BLOB = { mode: '0644', blob: 'dd'.repeat(20), bytes: 30 };

const SPENDING = {
  requests: 3,
  input: 3000,
  output: 150,
  cacheRead: 600,
  cacheWrite: 0,
  reasoning: 0,
  costMicros: 11_430,
  unknown: { tokens: 0, cost: 1 },
};

export const LEDGER: LedgerResult = {
  entries: [],
  totals: { ...SPENDING, saved: { cacheMicros: 1620, tools: 0, byTool: {}, briefs: 0, negative: [] } },
  byModel: { 'a-model': SPENDING },
  prices: { date: '2026-10-24', source: 'built in' },
  from: { id: PARENT, shortId: '7d1a02c3b4f5', createdAt: OLDER.createdAt },
  to: { id: ID, shortId: '9f2c4b1a7e31', createdAt: BODY.createdAt },
};

const ITEM = {
  session: 'b7c1',
  sequence: 0,
  selection: 'explicit',
  pinned: false,
  window: 'in',
  relevance: 400,
  blob: 'ee'.repeat(20),
  bytes: 40,
  digest: 'dd'.repeat(32),
} as const;

export const WINDOW: ShowWindowResult = {
  id: ID,
  shortId: '9f2c4b1a7e31',
  windows: [
    {
      session: 'b7c1',
      exact: true,
      request: 'req_1',
      counted: 1200,
      tokens: 50,
      items: [
        {
          ...ITEM,
          id: 'a1b2c3d4',
          kind: 'message',
          role: 'user',
          preview: 'fix\nthe bug',
          tokens: 10,
          estimated: true,
        },
        {
          ...ITEM,
          id: 'b1b2c3d4',
          sequence: 1,
          kind: 'file',
          path: 'src/app.ts',
          range: { from: 1, to: 9 },
          preview: 'const a = 1;',
          tokens: 1040,
          estimated: false,
        },
      ],
    },
  ],
};

export const DIFFERENCE: DiffResult = {
  from: { id: PARENT, shortId: '7d1a02c3b4f5', createdAt: OLDER.createdAt, anchor: OLDER.anchor },
  to: { createdAt: '2026-11-21T12:00:00.000Z', anchor: BODY.anchor },
  files: [
    {
      path: 'src/app.ts',
      change: 'modified',
      before: BLOB,
      after: BLOB,
      binary: false,
      insertions: 1,
      deletions: 1,
      patch: '@@ -1,2 +1,2 @@\n const a = 1;\n-const b = 2;\n+const b = 3;\n',
    },
    { path: 'run.sh', change: 'mode', before: BLOB, after: { ...BLOB, mode: '0755' }, binary: false },
    { path: 'logo.png', change: 'added', after: { ...BLOB, bytes: 5120 }, binary: true },
  ],
  directories: [{ path: 'tmp', change: 'removed' }],
  unknown: [{ path: 'data', side: 'from', reason: 'ignored' }],
  understanding: [],
  items: [],
  actions: [],
  ledger: {},
  transcripts: [{ session: 'b7c1', from: 10_240, to: 20_480 }],
  totals: { files: 3, insertions: 1, deletions: 1 },
};

export const VERIFIED: VerifyResult = {
  results: [
    {
      id: ID,
      timeline: TIMELINE,
      sequence: 2,
      commit: 'cc'.repeat(20),
      verdict: 'valid',
      checks: [
        { name: 'content', ok: true, detail: 'the id is the BLAKE3 digest of the body' },
        { name: 'signature', ok: true, detail: 'signed by your key' },
      ],
    },
  ],
  completeness: 'not_proven',
  proven: ['The body was not changed since it was signed.'],
  notProven: ['Whether newer snapshots were cut off.'],
  exitCode: 0,
};

export const PUBLISHED: PublishResult = {
  id: ID,
  shortId: ID.slice(0, 12),
  signer: SIGNER,
  format: 'bundle',
  dryRun: false,
  bytes: 68_608,
  files: [
    { path: 'snapshot.json', slice: '', bytes: 1100 },
    { path: 'transcript/b7c1/00/00/00.jsonl', slice: 'transcript', bytes: 64_000 },
  ],
  withheld: [
    { path: 'worktree', reason: 'by_name_only', bytes: 8_200_000 },
    { path: 'transcript/b7c1/00/00/01.jsonl', reason: 'secret', kind: 'github-token', bytes: 60_000 },
  ],
  secrets: 1,
  ref: `refs/savepoint/v1/published/7b1e90000000/${'e'.repeat(32)}`,
  added: 2,
};

export const IMPORTED: ImportResult = {
  format: 'bundle',
  snapshots: [
    {
      id: ID,
      signer: SIGNER,
      verdict: 'valid_unknown_signer',
      createdAt: '2026-11-21T10:20:30.456Z',
      message: 'Resume the \u001b[31mtimeline work',
      withheld: ['worktree'],
      parents: [{ id: 'ab'.repeat(32), state: 'withheld' }],
      added: 2,
      own: false,
    },
  ],
  unchanged: false,
};

export const HEALTH: StatusResult = {
  root: '/project',
  repository: '0f'.repeat(16),
  worktree: '1a'.repeat(16),
  snapshots: 2,
  timelines: 1,
  head: { id: ID, shortId: '9f2c4b1a7e31', createdAt: BODY.createdAt, complete: true, message: BODY.message },
  key: { signer: SIGNER },
  git: { version: '2.39.5', objectFormat: 'sha1' },
  failures: {
    count: 2,
    last: { at: '2026-11-21T11:00:00.000Z', code: 'disk_full', message: 'There is no space left.' },
  },
  warnings: [
    { code: 'no_guard', message: 'Nothing keeps local refs from being pushed.', hint: 'Run `savepoint init`.' },
  ],
};

export const KEYS: KeyShowResult = {
  signer: SIGNER,
  location: '/home/ada/.config/savepoint/keys',
  former: [`ed25519:${'11'.repeat(32)}`],
  trusted: [{ name: 'grace', key: `ed25519:${'22'.repeat(32)}` }],
  revoked: [{ key: `ed25519:${'33'.repeat(32)}`, lastGood: [ID], reason: 'Laptop stolen' }],
};

export const SETTINGS_LISTED: ConfigResult = {
  settings: [
    { key: 'capture.maxFileBytes', value: 52_428_800, layer: 'default', summary: 'A larger new file is left out' },
    { key: 'capture.transcript', value: false, layer: 'local', summary: "Look for the agent's transcript" },
  ],
  unknown: [{ key: 'capture.colour', path: '/project/.savepoint/settings.json' }],
  refused: [{ key: 'ledger.prices', path: '/r/.savepoint/settings.json' }],
};

export const GUARDED: InitResult = {
  hooks: [
    {
      hook: 'pre-push',
      path: '/project/.git/hooks/pre-push',
      installed: true,
      changed: true,
      chained: '/project/.git/hooks/pre-push.savepoint',
    },
  ],
};

export const OPERATION = `c4a1e2f39b07${'1c'.repeat(10)}`;
const PLAN = `51aa90${'77'.repeat(29)}`;

const PLANNED_PART = {
  kind: 'rewind',
  plan: PLAN,
  target: { id: PARENT, shortId: '7d1a02c3b4f5', createdAt: OLDER.createdAt, message: 'Before the refactoring' },
  options: { files: true, context: true, index: true, exact: false, force: false },
  files: [
    {
      path: 'build',
      action: 'skip',
      reason: 'ignored',
      why: 'It is or was ignored, and what is ignored is left alone.',
    },
    {
      path: 'notes.md',
      action: 'skip',
      reason: 'in_no_snapshot',
      why: 'It is in no snapshot but the safety snapshot.',
    },
    { path: 'run.sh', action: 'mode', bytes: 12 },
    { path: 'src/app.ts', action: 'write', bytes: 1200 },
    { path: 'src/new.ts', action: 'write', creates: true, bytes: 30 },
    { path: 'tmp', action: 'delete', type: 'directory' },
    { path: 'tmp/a', action: 'delete', bytes: 5 },
    { path: 'x.ts', action: 'conflict', reason: 'other_session', why: 'Another live session changed it since.' },
  ],
  totals: { create: 1, overwrite: 1, delete: 2, mode: 1, skip: 2, conflict: 1, bytes: 1230 },
  partial: true,
  note: 'Facts.',
  notes: ['A merge is in progress; its state files are left as they are.'],
} as const satisfies Partial<OperationResult>;

export const REWOUND: OperationResult = {
  ...PLANNED_PART,
  dryRun: false,
  operation: OPERATION,
  safety: ID,
  snapshot: `44d0c8b7a611${'0f'.repeat(26)}`,
};

/** The same, before anything was done. */
export const PLANNED: OperationResult = { ...PLANNED_PART, dryRun: true };

export const UNDONE: OperationResult = {
  ...REWOUND,
  kind: 'undo',
  options: { ...REWOUND.options, index: false },
  files: [{ path: 'src/app.ts', action: 'write', bytes: 1200 }],
  totals: { create: 0, overwrite: 1, delete: 0, mode: 0, skip: 0, conflict: 0, bytes: 1200 },
  partial: false,
  of: { id: OPERATION, kind: 'rewind', at: '2026-11-21T11:57:00.000Z' },
  notes: [],
};

export const POINTS: RewindPointsResult = {
  points: [
    { ...SUMMARY, changes: { create: 0, overwrite: 0, delete: 0, mode: 0, skip: 0, conflict: 0, bytes: 0 } },
    { ...OLDER, changes: REWOUND.totals },
  ],
  more: true,
  unreadable: [],
};

export const OPERATIONS: OperationsResult = {
  operations: [
    {
      id: `d0${OPERATION.slice(2)}`,
      kind: 'undo',
      at: '2026-11-21T11:59:00.000Z',
      target: ID,
      safety: PARENT,
      options: UNDONE.options,
      totals: UNDONE.totals,
      of: OPERATION,
      undone: false,
      note: 'Facts.',
    },
    {
      id: OPERATION,
      kind: 'rewind',
      at: '2026-11-21T11:57:00.000Z',
      session: 'b7c1',
      target: PARENT,
      safety: ID,
      options: REWOUND.options,
      totals: REWOUND.totals,
      undone: true,
      next: 'redo',
      note: 'Facts.',
    },
  ],
  more: false,
  open: true,
  problems: [{ commit: 'cc'.repeat(20), reason: 'its signature does not hold' }],
};
