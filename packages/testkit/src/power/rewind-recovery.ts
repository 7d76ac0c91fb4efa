/** What must hold of a rewind after a power cut: one of two trees, as it is or after `recover`. */
import { manifestDifferences, snapshotManifest, type Manifest } from '../manifest.js';
import { savepoint } from '../processes/program.js';
import type { FixtureRepository } from '../repositories/repository.js';
import { storedSnapshots } from '../stored.js';
import type { PowerCut } from './power-cuts.js';
import { presentTree } from './recovery.js';

export interface RewindRecovery {
  readonly fixture: FixtureRepository;
  readonly before: Manifest;
  readonly after: Manifest;
  /** How many snapshots are told before the rewind begins. */
  readonly captures: number;
}

const MOST_LINES = 3;

/** Returns a check: it recovers what is open, in one way or the other, and compares the trees. */
export function rewindRecovery(recovery: RewindRecovery): (cut: PowerCut) => Promise<readonly string[]> {
  const { fixture, before, after, captures } = recovery;
  const run = (...args: readonly string[]) => savepoint(['--json', ...args], { cwd: fixture.root, home: fixture.home });
  const wrong = (what: string, expected: Manifest): readonly string[] =>
    manifestDifferences(expected, presentTree(fixture))
      .slice(0, MOST_LINES)
      .map((line) => `${what}: ${line}`);
  return async ({ acknowledged, after: operations }) => {
    const unsaved = unsavedState(recovery);
    if (unsaved !== undefined) return [unsaved];
    const listed = await run('operations');
    if (listed.code !== 0) return [`operations: exit ${String(listed.code)} ${listed.stderr.slice(0, 400)}`];
    if (!(listed.json() as unknown as { readonly open: boolean }).open) {
      if (acknowledged.length > captures) return wrong('told as done', after);
      return wrong('after', after).length === 0 ? [] : wrong('nothing is open', before);
    }
    const rollBack = operations % 2 === 0;
    const { code, stderr } = await run('recover', ...(rollBack ? ['--roll-back'] : []));
    if (code !== 0) return [`recover: exit ${String(code)} ${stderr.slice(0, 600)}`];
    return rollBack ? wrong('rolled back', before) : wrong('completed', after);
  };
}

/** Where any file is not as it was, the safety snapshot has to be there and to hold them all as they were. */
function unsavedState({ fixture, before }: RewindRecovery): string | undefined {
  if (manifestDifferences(before, presentTree(fixture)).length === 0) return undefined;
  try {
    const safeties = storedSnapshots(fixture).filter(({ body }) => body.message.startsWith('Before rewind'));
    const held = safeties.map(({ commit }) => manifestDifferences(before, snapshotManifest(fixture, commit)));
    if (held.some((differences) => differences.length === 0)) return undefined;
    return 'a file was changed, and no safety snapshot holds everything as it was';
  } catch (error) {
    return `a file was changed, and the safety snapshot cannot be read: ${String(error).slice(0, 300)}`;
  }
}
