import { expect, test } from 'vitest';
import type { SnapshotBody } from '../../../src/model/snapshot.js';
import { chooseTranscript, type StoredTranscript } from '../../../src/timeline/snapshot/slices.js';

const log = (folder: string, session: string, parent?: string): StoredTranscript => ({
  snapshot: 'x',
  folder,
  files: new Map(),
  source: { agent: 'a', session, name: 'n', bytes: 1, parts: 1, ...(parent !== undefined && { parent }) },
});
// As git sorts folders: `s.10` and `s.2` come before `s`.
const ALL = [log('a sub', 'a sub', 's'), log('r', 'r'), log('s.10', 's'), log('s.2', 's'), log('s', 's')];

const chosen = (name: string, session?: string, all = ALL): string | undefined => {
  const body = { ...(session !== undefined && { session: { agent: 'a', id: session } }) } as SnapshotBody;
  return chooseTranscript(all, { body }, name)?.folder;
};

test('without a name the log of the session that the snapshot was taken in is chosen, in its newest version', () => {
  expect(chosen('', 's')).toBe('s.10');
  expect(chosen('', 'r')).toBe('r');
  expect(chosen('', 'a sub')).toBe('a sub');
});

test('where the snapshot has no session, or its log is not there, no log of a subagent is chosen before another', () => {
  expect([chosen(''), chosen('', 'gone')]).toEqual(['r', 'r']);
  expect(chosen('', undefined, ALL.slice(0, 1))).toBe('a sub');
  expect(chosen('', 's', [])).toBeUndefined();
});

test('a name is that of a session, or of the folder of one version', () => {
  expect([chosen('s'), chosen('s.2'), chosen('s.10'), chosen('r', 's')]).toEqual(['s.10', 's.2', 's.10', 'r']);
  expect([chosen('s.1'), chosen('r.1')]).toEqual(['s', 'r']);
  expect(chosen('s.3')).toBeUndefined();
});
