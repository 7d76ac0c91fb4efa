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
  type FixtureRepository,
  type JsonOutput,
} from '@savepoint/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { capture, expectError, expectExact, headCommit, readAll, run, verify } from './support/acts.js';

const BOUNDARIES: Readonly<Record<string, { readonly kind: string; readonly paths: readonly string[] }>> = {
  submodules: { kind: 'submodule', paths: ['modules/absent', 'modules/clean', 'modules/dirty'] },
  'nested repositories': { kind: 'repository', paths: [...NESTED_PATHS].sort() },
};

// One repository and one first capture for all that is asked of a kind: making them is most of the work.
describe.each(REPOSITORY_KINDS)('a capture in a repository of the kind: $name', ({ name, make, impossible }) => {
  const why = impossible === undefined ? '' : ` (${impossible})`;
  describe.skipIf(impossible !== undefined)(`is as a user expects${why}`, () => {
    let fixture: FixtureRepository;
    let complaints: readonly string[];
    let first: JsonOutput;

    beforeAll(async () => {
      fixture = make();
      complaints = fsckComplaints(fixture);
      first = await capture(fixture, { args: ['-m', 'the first'] });
    });

    it('is exact, changes nothing, verifies, and passes fsck', async () => {
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
    });

    it('repeated gives the same id, goes on from there, and reads well', async () => {
      // What depends on the kind of repository: refs, objects, the worktree, and the state of git itself.
      const reads = [['list'], ['show', '--files'], ['diff', 'head'], ['status']];
      const answers = await readAll(
        fixture,
        [...reads, ['capture']].map((args) => ['--json', ...args]),
      );
      for (const answer of answers) expect(answer.json()).toBeTypeOf('object');
      expect(answers[2]?.json().files).toEqual([]);
      expect(answers.at(-1)?.json()).toMatchObject({ id: first.id, unchanged: true });
      expect(storedSnapshots(fixture)).toHaveLength(1);
      fixture.write('d042/one more.txt', 'one more\n');
      const later = await capture(fixture);
      expect(later).toMatchObject({ sequence: 2, parents: [first.id], unchanged: false });
      expectExact(fixture);
      const { files } = (await run(fixture, ['--json', 'diff', first.id, later.id])).json();
      expect(files.map(({ path, change }) => ({ path, change }))).toEqual([
        { path: 'd042/one more.txt', change: 'added' },
      ]);
    });
  });
});

describe('a bare repository', () => {
  it('is refused in one clear sentence', async () => {
    await expectError(bare(), ['capture'], { exit: 10, code: 'bare_repository' });
  });
});
