/** Acts of a user on a fixture, each wrapped in the observation oracle. */
import {
  auditStore,
  differences,
  diskManifest,
  manifestDifferences,
  observe,
  savepoint,
  snapshotManifest,
  timelineRefs,
  type FixtureRepository,
  type JsonOutput,
  type ProgramAnswer,
  type ProgramOptions,
} from '@savepoint/testkit';
import { expect } from 'vitest';

export type ActOptions = Partial<Omit<ProgramOptions, 'home'>>;

/** Runs the program in the fixture's root. */
export function run(
  fixture: FixtureRepository,
  args: readonly string[],
  options: ActOptions = {},
): Promise<ProgramAnswer> {
  return savepoint(args, { cwd: fixture.root, home: fixture.home, ...options });
}

/** Runs the program and demands that nothing of the user's world changed. */
export async function act(
  fixture: FixtureRepository,
  args: readonly string[],
  options: ActOptions = {},
): Promise<ProgramAnswer> {
  const before = observe(fixture);
  const answer = await run(fixture, args, options);
  expect(differences(before, observe(fixture)), `savepoint ${args.join(' ')} changed something`).toEqual([]);
  return answer;
}

export interface CaptureOptions extends ActOptions {
  /** Arguments after `capture`. */
  readonly args?: readonly string[];
  /** The exit code that is expected; default 0. */
  readonly code?: number;
}

/** Takes a snapshot under the oracle and returns what was printed. */
export async function capture(fixture: FixtureRepository, options: CaptureOptions = {}): Promise<JsonOutput> {
  const { args = [], code = 0, ...rest } = options;
  const answer = await act(fixture, ['--json', 'capture', ...args], rest);
  expect(answer.code, answer.stderr).toBe(code);
  return answer.json();
}

/** Returns the commit of the newest snapshot of the only timeline. */
export function headCommit(fixture: FixtureRepository): string {
  const commits = [...timelineRefs(fixture).values()];
  expect(commits).toHaveLength(1);
  return commits[0] ?? '';
}

/** Demands that the newest snapshot holds exactly what is on the disk, and that the store holds what it says. */
export function expectExact(fixture: FixtureRepository, commit = headCommit(fixture)): void {
  expect(manifestDifferences(diskManifest(fixture), snapshotManifest(fixture, commit))).toEqual([]);
  expect(auditStore(fixture)).toEqual([]);
}

/** Runs reading acts one after the other; all have to succeed, and together they must have changed nothing. */
export async function readAll(
  fixture: FixtureRepository,
  acts: readonly (readonly string[])[],
  options: ActOptions = {},
): Promise<readonly ProgramAnswer[]> {
  const before = observe(fixture);
  const answers: ProgramAnswer[] = [];
  for (const args of acts) {
    const answer = await run(fixture, args, options);
    expect(answer.code, `${args.join(' ')}: ${answer.stderr}`).toBe(0);
    answers.push(answer);
  }
  expect(differences(before, observe(fixture)), 'reading changed something').toEqual([]);
  return answers;
}

/** Verifies under the oracle; demands the exit code and returns what was printed. */
export async function verify(
  fixture: FixtureRepository,
  args: readonly string[] = ['--all', '--deep'],
  code = 0,
): Promise<JsonOutput> {
  const answer = await act(fixture, ['--json', 'verify', ...args]);
  expect(answer.code, `${answer.stdout}\n${answer.stderr}`).toBe(code);
  return answer.json();
}

/** Runs an act and demands this error, with nothing on standard output. */
export async function expectError(
  fixture: FixtureRepository,
  args: readonly string[],
  expected: { readonly exit: number; readonly code: string; readonly options?: ActOptions },
): Promise<void> {
  const answer = await act(fixture, ['--json', ...args], expected.options);
  expect({ exit: answer.code, stdout: answer.stdout }, answer.stderr).toEqual({ exit: expected.exit, stdout: '' });
  expect(answer.error()).toMatchObject({ code: expected.code });
  expect(answer.error().hint).toBeTruthy();
}

/** Returns why the program cannot run as another user here, or undefined if it can. */
export function noOtherUser(): string | undefined {
  return process.getuid?.() === 0 ? undefined : 'only root can start the program as another user';
}

/** A user without rights. */
export const NOBODY = 65534;
