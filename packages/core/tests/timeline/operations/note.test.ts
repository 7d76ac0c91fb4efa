import { expect, test } from 'vitest';
import { operationNote } from '../../../src/timeline/operations/note.js';
import { draftOf } from './drafts.js';

test('the note says what, from where, to where, and what was not restored', () => {
  const draft = draftOf({
    files: [
      { path: 'a.txt', action: 'write', bytes: 3 },
      { path: 'b\nc', action: 'delete', bytes: 3 },
      { path: 'mine.txt', action: 'skip', reason: 'in_no_snapshot' },
      { path: 'theirs.txt', action: 'conflict', reason: 'other_session' },
    ],
    kept: 2,
  });
  expect(operationNote({ ...draft, at: '2026-11-21T10:00:00.000Z' })).toBe(
    [
      'At 2026-11-21T10:00:00.000Z the files of this worktree and the context were rewound to the snapshot aaaaaaaaaaaa. ' +
        'What was there before is in the snapshot bbbbbbbbbbbb.',
      'Written: a.txt.',
      'Removed: b\\nc.',
      'Not restored: mine.txt (in no snapshot), theirs.txt (other session).',
      'Ignored paths and boundaries were left as they were (2).',
    ].join('\n'),
  );
});

test.each([
  [{}, 'No file differed.'],
  [{ kept: 1 }, 'Ignored paths and boundaries were left as they were (1).\nNo other file differed.'],
])('the note does not say of what was kept by design that it did not differ: %j', (kept, end) => {
  const note = operationNote({ ...draftOf({ files: [] }), ...kept, at: '2026-11-21T10:00:00.000Z' });
  expect(note.endsWith(`\n${end}`)).toBe(true);
});

test('the note names twenty paths and counts the others', () => {
  const files = Array.from({ length: 25 }, (_, at) => ({ path: `f${String(at)}`, action: 'write' as const }));
  expect(operationNote({ ...draftOf({ files }), at: '2026-11-21T10:00:00.000Z' })).toMatch(/f19 and 5 more\.$/);
});

test.each([
  [{ files: true, context: false, paths: [{ path: 'a' }] }, '1 named path was rewound'],
  [{ files: true, context: false, paths: [{ path: 'a' }, { path: 'b' }] }, '2 named paths were rewound'],
  [{ files: true, context: false }, 'the files of this worktree were rewound'],
  [{ files: false, context: true }, 'the context was rewound'],
  [
    { files: true, context: true, index: true },
    'the files of this worktree, the staged tree and the context were rewound',
  ],
])('the note of a rewind with %j says "%s"', (options, words) => {
  const draft = draftOf({});
  expect(
    operationNote({ ...draft, options: { ...draft.options, ...options }, at: '2026-11-21T10:00:00.000Z' }),
  ).toContain(words);
});
