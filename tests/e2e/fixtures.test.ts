/** Every kind of repository: capture changes nothing, is exact, and leaves a repository that git finds healthy. */
import {
  addedComplaints,
  bare,
  exactPath,
  fsckComplaints,
  NESTED_PATHS,
  REPOSITORY_KINDS,
  storedFilesystem,
  storedSnapshots,
} from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { act, capture, expectError, expectExact, headCommit, verify } from './support/acts.js';

const BOUNDARIES: Readonly<Record<string, { readonly kind: string; readonly paths: readonly string[] }>> = {
  submodules: { kind: 'submodule', paths: ['modules/absent', 'modules/clean', 'modules/dirty'] },
  'nested repositories': { kind: 'repository', paths: [...NESTED_PATHS].sort() },
};

describe.each(REPOSITORY_KINDS)('a capture in a repository of the kind: $name', ({ name, make, impossible }) => {
  it.skipIf(impossible !== undefined)(
    `is exact, changes nothing, verifies, and passes fsck${impossible === undefined ? '' : ` (${impossible})`}`,
    async () => {
      const fixture = make();
      const complaints = fsckComplaints(fixture);
      const first = await capture(fixture, { args: ['-m', 'the first'] });
      expect(first).toMatchObject({ complete: true, omitted: [], sequence: 1, message: 'the first', verdict: 'valid' });
      expectExact(fixture);
      expect(storedSnapshots(fixture).map(({ id }) => id)).toEqual([first.id]);
      expect(addedComplaints(complaints, fsckComplaints(fixture))).toEqual([]);
      const verified = await verify(fixture);
      expect(verified.results.map(({ id, verdict }) => ({ id, verdict }))).toEqual([
        { id: first.id, verdict: 'valid' },
      ]);
      const expected = BOUNDARIES[name];
      if (expected !== undefined) {
        const found = storedFilesystem(fixture, headCommit(fixture)).boundaries;
        expect(found.map((entry) => ({ path: exactPath(entry), kind: entry.kind }))).toEqual(
          expected.paths.map((path) => ({ path, kind: expected.kind })),
        );
      }
    },
  );

  it.skipIf(impossible !== undefined)(
    'repeated without a change gives the same id, and reading changes nothing',
    async () => {
      const fixture = make();
      const first = await capture(fixture);
      const again = await capture(fixture);
      expect(again).toMatchObject({ id: first.id, unchanged: true });
      expect(storedSnapshots(fixture)).toHaveLength(1);
      for (const args of [
        ['list'],
        ['show'],
        ['diff', 'head'],
        ['timeline'],
        ['status'],
        ['at', 'now'],
        ['key', 'show'],
      ]) {
        const answer = await act(fixture, ['--json', ...args]);
        expect(answer.code, `${args.join(' ')}: ${answer.stderr}`).toBe(0);
        expect(answer.json()).toBeTypeOf('object');
      }
      expect((await act(fixture, ['--json', 'diff', 'head'])).json().files).toEqual([]);
      fixture.write('d042/one more.txt', 'one more\n');
      const later = await capture(fixture);
      expect(later).toMatchObject({ sequence: 2, parents: [first.id], unchanged: false });
      expectExact(fixture);
      const { files } = (await act(fixture, ['--json', 'diff', first.id, later.id])).json();
      expect(files.map(({ path, change }) => ({ path, change }))).toEqual([
        { path: 'd042/one more.txt', change: 'added' },
      ]);
    },
  );
});

describe('a bare repository', () => {
  it('is refused in one clear sentence', async () => {
    await expectError(bare(), ['capture'], { exit: 10, code: 'bare_repository' });
  });
});
