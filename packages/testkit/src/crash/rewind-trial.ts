/** Tears one rewind: kills it, stops it, or lets one of its calls fail; then it is looked at what became of it. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { savepoint } from '../processes/program.js';
import { inspect, whileItLives, type Aftermath, type EndedRun } from './aftermath.js';
import { startNumbered, type NumberedCall } from './numbered-calls.js';
import type { TornTree } from './torn-tree.js';

export interface TornTrial extends Aftermath {
  /** False where the run made too few calls, or ended too early: nothing happened to it. */
  readonly struck: boolean;
  /** The call at which something happened. */
  readonly at?: string;
  /** How many calls there were. */
  readonly count: number;
}

export interface TearOptions {
  /** What is left open is rolled back; otherwise it is completed. */
  readonly rollBack: boolean;
}

// What was born since is in no snapshot, and would be kept otherwise.
const rewindTo = ({ target }: TornTree): readonly string[] => ['--json', '--yes', 'rewind', target, '--exact'];

/** Kills the rewind at a call, or lets the call fail. */
export async function tearRewind(tree: TornTree, call: NumberedCall, options: TearOptions): Promise<TornTrial> {
  const world = tree.reset();
  const run = await startNumbered(tree.fixture, rewindTo(tree), call).end;
  const { struck, count } = run;
  const aftermath = await inspect(tree, run, { ...options, world });
  const at = struck?.replaceAll(tree.fixture.base, '…');
  return { struck: struck !== undefined, ...(at !== undefined && { at }), count, ...aftermath };
}

/** Kills the rewind and all programs that it started, after so many milliseconds. */
export async function killRewindGroup(tree: TornTree, after: number, options: TearOptions): Promise<TornTrial> {
  const world = tree.reset();
  const { root: cwd, home } = tree.fixture;
  const run: EndedRun = await savepoint(rewindTo(tree), { cwd, home, killAfter: after, killGroup: true });
  return { struck: run.signal !== undefined, count: 0, ...(await inspect(tree, run, { ...options, world })) };
}

/** Stops the rewind at a call: as long as it lives others are refused with 11, and once it is dead with 18. */
export async function stopRewind(tree: TornTree, at: number, options: TearOptions): Promise<TornTrial> {
  const world = tree.reset();
  const { pid, end } = startNumbered(tree.fixture, rewindTo(tree), { at, act: 'stop', kinds: 'changes' });
  const isStopped = await Promise.race([untilStopped(pid), end.then(() => false)]);
  const problems = isStopped ? await whileItLives(tree) : [];
  if (isStopped) process.kill(pid, 'SIGKILL');
  const run = await end;
  const aftermath = await inspect(tree, run, { ...options, world });
  return { struck: isStopped, count: run.count, ...aftermath, problems: [...problems, ...aftermath.problems] };
}

async function untilStopped(pid: number): Promise<boolean> {
  for (;;) {
    try {
      if (/\) T /.test(readFileSync(`/proc/${String(pid)}/stat`, 'latin1'))) return true;
    } catch {
      return false;
    }
    await sleep(5);
  }
}
