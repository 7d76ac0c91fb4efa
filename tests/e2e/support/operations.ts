/** Rewinds and their like under the observation oracle: nothing of the user's world changes but what the result lists. */
import {
  diskManifest,
  exactPath,
  manifestDifferences,
  observe,
  snapshotManifest,
  storedSnapshots,
  type FixtureRepository,
  type Manifest,
  type Observation,
} from '@savepoint/testkit';
import { expect } from 'vitest';
import { run, type ActOptions } from './acts.js';

export interface OperationFile {
  readonly path: string;
  readonly pathBytes?: string;
  readonly action: 'write' | 'delete' | 'mode' | 'skip' | 'conflict';
  readonly creates?: boolean;
  readonly reason?: string;
  readonly bytes?: number;
}

/** What the verbs that change files print with `--json`. */
export interface OperationOutput {
  readonly kind: string;
  readonly plan: string;
  readonly operation?: string;
  readonly safety?: string;
  readonly snapshot?: string;
  readonly files: readonly OperationFile[];
  readonly totals: Readonly<Record<string, number>>;
  readonly of?: { readonly id: string; readonly kind: string };
  readonly note: string;
  readonly notes: readonly string[];
  readonly to?: string;
}

export interface OperateOptions extends ActOptions {
  /** The exit code that is expected; default 0. */
  readonly code?: number;
  /** Names of observations that may change besides the files: `index`, `HEAD`. */
  readonly alsoChanges?: RegExp;
}

/** Carries out an operation with `--yes` and demands that nothing changed but what it lists. */
export async function operate(
  fixture: FixtureRepository,
  args: readonly string[],
  { code = 0, alsoChanges, ...options }: OperateOptions = {},
): Promise<OperationOutput> {
  const before = observe(fixture);
  const answer = await run(fixture, ['--json', '--yes', ...args], options);
  expect(answer.code, answer.stdout + answer.stderr).toBe(code);
  const output = answer.json() as unknown as OperationOutput;
  const strayed = changedOutside(before, observe(fixture), output.files);
  expect(
    strayed.filter((line) => alsoChanges?.test(line) !== true),
    `savepoint ${args.join(' ')} changed something else`,
  ).toEqual([]);
  return output;
}

const CHANGES = new Set(['write', 'delete', 'mode']);

/** Returns what changed and is neither a listed path nor the time of a directory above one. */
function changedOutside(before: Observation, after: Observation, files: readonly OperationFile[]): readonly string[] {
  const listed = new Set<string>();
  const above = new Set<string>(['worktree ']);
  for (const file of files) {
    if (!CHANGES.has(file.action)) continue;
    const path = exactPath(file);
    listed.add(`worktree ${path}`).add(`worktree ${path}/`);
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
      above.add(`worktree ${path.slice(0, at + 1)}`).add(`worktree ${path.slice(0, at)}`);
    }
  }
  const untimed = (text: string | undefined): string => (text ?? '').replace(/ mtime .*/, '');
  return [...new Set([...before.keys(), ...after.keys()])].filter((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    if (was === is || listed.has(name)) return false;
    // A directory comes and goes with what is in it; where it stays, only its times may change.
    if (above.has(name)) return was !== undefined && is !== undefined && untimed(was) !== untimed(is);
    return true;
  });
}

/** Returns the commit of a snapshot, read with plain git. */
export function commitOf(fixture: FixtureRepository, id: string | undefined): string {
  const found = storedSnapshots(fixture).find((snapshot) => snapshot.id === id);
  expect(found, `snapshot ${id ?? 'without id'}`).toBeDefined();
  return found?.commit ?? '';
}

/** Demands that the worktree equals the snapshot byte for byte, except for these paths. */
export function expectEqual(fixture: FixtureRepository, id: string | undefined, except: readonly string[] = []): void {
  const excepted = (path: string): boolean => except.some((one) => path === one || path.startsWith(`${one}/`));
  const scoped = (manifest: Manifest): Manifest => new Map([...manifest].filter(([path]) => !excepted(path)));
  const [disk, stored] = [diskManifest(fixture), snapshotManifest(fixture, commitOf(fixture, id))];
  expect(manifestDifferences(scoped(disk), scoped(stored))).toEqual([]);
}

/** Returns the listed paths with what happened to them, such as `a.txt: skip in_no_snapshot`. */
export function told({ files }: OperationOutput): readonly string[] {
  return files.map(
    (file) => `${file.path}: ${file.creates === true ? 'create' : file.action}${file.reason ? ` ${file.reason}` : ''}`,
  );
}
