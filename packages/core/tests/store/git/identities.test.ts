/** What `worktrees.json` may say; a damaged one must not hide snapshots. */
import { expect, test } from 'vitest';
import { readWorktrees } from '../../../src/store/git/identities.js';
import { memoryLocalState } from '../../../src/store/memory/memory-local-state.js';

const TIMELINES = ['1'.repeat(32), '2'.repeat(32)];
const ENTRY = {
  id: '0'.repeat(32),
  timeline: TIMELINES[1],
  timelines: TIMELINES,
  gitDirectory: '/project/.git',
  birth: '7 0',
  root: '/project',
  main: true,
};

function read(...worktrees: readonly unknown[]): Promise<unknown> {
  const local = memoryLocalState();
  local.files.set('worktrees.json', Buffer.from(JSON.stringify({ worktrees })));
  return readWorktrees(local);
}

test('an entry is read as it was written, with what a later version adds', async () => {
  const later = { ...ENTRY, main: false, note: 'new' };
  expect(await read(ENTRY, later)).toEqual([ENTRY, later]);
});

test.each([
  ['null', null],
  ['an id with another letter', { ...ENTRY, id: 'p'.repeat(32) }],
  ['an id that is a path', { ...ENTRY, id: '../../..' }],
  ['a timeline that is not among its own', { ...ENTRY, timeline: '3'.repeat(32) }],
  ['timelines with a damaged name', { ...ENTRY, timelines: [TIMELINES[1], 'p'.repeat(32)] }],
  ['no timelines', { ...ENTRY, timelines: undefined }],
  ['no root', { ...ENTRY, root: undefined }],
  ['a number for the birth', { ...ENTRY, birth: 7 }],
  ['no word on whether it is the main one', { ...ENTRY, main: undefined }],
])('%s is damage, and is said to be', async (_, entry) => {
  await expect(read(ENTRY, entry)).rejects.toMatchObject({ code: 'identity_unreadable' });
});
