/** Makes the n-th system call of a kind fail in a real run of the program, and looks whether the failure is an honest one. */
import { resolve } from 'node:path';
import { cleanEnvironment } from '../processes/environment.js';
import { diskManifest, manifestDifferences, snapshotManifest } from '../manifest.js';
import { differences, observe } from '../observation.js';
import { PROGRAM, savepoint, type ErrorOutput, type JsonOutput } from '../processes/program.js';
import type { FixtureRepository } from '../repositories/repository.js';
import { auditStore, storedSnapshots } from '../stored.js';
import { bytesOf, pathOfDescriptor, trace, type SystemCall, type TracedRun } from './system-calls.js';

const MESSAGE = 'with a fault';
const LONGEST_SECONDS = 20;

export type FaultError = 'EIO' | 'ENOSPC' | 'EDQUOT' | 'EACCES' | 'EROFS' | 'EMFILE' | 'EAGAIN';

export interface Fault {
  /** Name of the system call. */
  readonly call: string;
  readonly error: FaultError;
  /** Which call of each process and thread fails, from 1. */
  readonly when: number;
}

export interface FaultTrial {
  /** False where the run made too few such calls: nothing failed. */
  readonly struck: boolean;
  readonly code: number;
  /** The error's code, or nothing after a success. */
  readonly errorCode?: string;
  readonly problems: readonly string[];
  /** The error's message. */
  readonly message?: string;
  /** The calls that failed. */
  readonly calls: readonly string[];
}

/**
 * Captures undisturbed and returns which calls of a kind touch the fixture: the numbers, from 1, that they have in their
 * process or thread. All others are of the programs themselves, which read their own code.
 */
export function faultMoments(fixture: FixtureRepository, call: string): readonly number[] {
  const { code, stderr, calls } = tracedCapture(fixture, ['-e', `trace=${call}`]);
  if (code !== 0) throw new Error(`the undisturbed capture ended with ${String(code)}: ${stderr}`);
  const counts = new Map<number, number>();
  const moments = new Set<number>();
  for (const one of calls) {
    const count = (counts.get(one.pid) ?? 0) + 1;
    counts.set(one.pid, count);
    if (touches(one, fixture)) moments.add(count);
  }
  return [...moments].sort((a, b) => a - b);
}

function tracedCapture({ root, home }: FixtureRepository, options: readonly string[]): TracedRun {
  // Node waits for ever where a pipe between its own threads fails; ended from outside, the children end too.
  const limit = ['timeout', '--signal=KILL', String(LONGEST_SECONDS)];
  const command = [...limit, process.execPath, PROGRAM, '--json', 'capture', '-m', MESSAGE];
  return trace({ command, cwd: root, env: cleanEnvironment(home), options });
}

/** Captures with a fault, then without. There must be a snapshot already. */
export async function tryFault(fixture: FixtureRepository, { call, error, when }: Fault): Promise<FaultTrial> {
  const before = observe(fixture);
  const known = storedSnapshots(fixture).map(({ id }) => id);
  const inject = `inject=${call}:error=${error}:when=${String(when)}`;
  const { code, stdout, stderr, calls } = tracedCapture(fixture, ['-e', `trace=${call}`, '-e', inject]);
  const struck = calls.filter(({ remark }) => remark.includes('(INJECTED)'));
  const stored = storedSnapshots(fixture).map(({ id }) => id);
  // Node itself dies where it cannot read its own code or write to its own pipes, and where it cannot close what it has
  // read; then the store is all that is looked at.
  const isOurs = struck.every((one) => touches(one, fixture)) && !/ node::\w+/.test(stderr);
  const answer = readAnswer({ code, stdout, stderr });
  const problems = [
    ...(isOurs || code === 0 ? answer.problems : []),
    ...differences(before, observe(fixture)).map((line) => `the user's world changed: ${line}`),
    ...auditProblems(fixture),
    ...known.filter((id) => !stored.includes(id)).map((id) => `${id} is gone`),
    ...(answer.id === undefined || stored.includes(answer.id) ? [] : [`${answer.id} was printed and is not there`]),
    ...(isOurs && answer.id === undefined && stored.length > known.length ? ['a snapshot was made and not told'] : []),
    ...(await nextCapture(fixture)),
  ];
  return {
    struck: struck.length > 0,
    code,
    ...(answer.error === undefined ? {} : { errorCode: answer.error.code, message: answer.error.message }),
    problems,
    calls: struck.map((one) => describeCall(one, fixture)),
  };
}

interface Answer {
  readonly id?: string;
  readonly error?: ErrorOutput;
  readonly problems: readonly string[];
}

function readAnswer({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }): Answer {
  if (code === 0 || code === 3) {
    const { id, verdict, complete, omitted } = parse<JsonOutput>(stdout) ?? {};
    if (id === undefined) return { problems: [`exit ${String(code)} and no snapshot: ${stdout.slice(0, 200)}`] };
    // What could not be read is left out, and named.
    const isWhole = complete === true && omitted?.length === 0;
    const isNamed = complete === false && (omitted?.length ?? 0) > 0;
    // A key that could not be read leaves a snapshot unsigned.
    const isGood = code === 0 ? isWhole && verdict === 'valid' : isNamed || (isWhole && verdict === 'unsigned');
    const told = `exit ${String(code)}, verdict ${String(verdict)}, complete: ${String(complete)}`;
    return { id, problems: isGood ? [] : [told] };
  }
  const printed = parse<JsonOutput>(stdout)?.id;
  const error = parse<{ readonly error?: ErrorOutput }>(stderr)?.error;
  const isClear = error?.hint !== undefined && error.code !== 'invariant_broken';
  return {
    ...(printed === undefined ? {} : { id: printed }),
    ...(error === undefined ? {} : { error }),
    problems: isClear ? [] : [`exit ${String(code)} without a clear error: ${stderr.slice(0, 600)}`],
  };
}

function auditProblems(fixture: FixtureRepository): readonly string[] {
  try {
    return auditStore(fixture);
  } catch (error) {
    return [`the store cannot be read: ${String(error)}`];
  }
}

function parse<T>(text: string): Partial<T> | undefined {
  try {
    return JSON.parse(text) as Partial<T>;
  } catch {
    return undefined;
  }
}

async function nextCapture(fixture: FixtureRepository): Promise<readonly string[]> {
  const args = ['--json', 'capture', '-m', 'after the fault'];
  const { code, stdout, stderr } = await savepoint(args, { cwd: fixture.root, home: fixture.home });
  if (code !== 0) return [`the next capture: exit ${String(code)} ${stderr.slice(0, 300)}`];
  const made = storedSnapshots(fixture).find(({ id }) => id === (JSON.parse(stdout) as JsonOutput).id);
  if (made === undefined) return ['the next capture is not in the store'];
  const different = manifestDifferences(diskManifest(fixture), snapshotManifest(fixture, made.commit));
  return different.slice(0, 3).map((line) => `the next capture is not exact: ${line}`);
}

function describeCall(call: SystemCall, { root }: FixtureRepository): string {
  return `${call.name} ${pathsOf(call, root).join(' ')} ${call.remark.split(' ')[0] ?? ''}`;
}

function touches(call: SystemCall, { root, base }: FixtureRepository): boolean {
  return pathsOf(call, root).some((path) => path.startsWith(base));
}

/** A name is below the descriptor before it, or else below where the program was started; so are most of git's. */
function pathsOf({ args }: SystemCall, start: string): readonly string[] {
  const [first = ''] = args;
  const holder = pathOfDescriptor(first);
  // What follows a file's descriptor is content, or a name below it.
  if (/^\d/.test(first)) return holder === undefined ? [] : [holder];
  const names = args.filter((arg) => arg.startsWith('"'));
  return names.map((name) => resolve(holder ?? start, bytesOf(name).toString()));
}
