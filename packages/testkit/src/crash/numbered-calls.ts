/** Runs the real program and kills it, stops it, or lets a call fail at the n-th call by which it touches the disk. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment } from '../processes/environment.js';
import { PROGRAM } from '../processes/program.js';
import type { FixtureRepository } from '../repositories/repository.js';

/** Counts the calls of whatever process loads it. */
export const PRELOAD = fileURLToPath(new URL('../../preload/numbered-calls.cjs', import.meta.url));

export interface NumberedCall {
  /** From 1; undefined: nothing happens, the calls are only counted. */
  readonly at?: number;
  /** `kill` and `stop` do so before the call; anything else is the error with which it fails. */
  readonly act?: 'kill' | 'stop' | 'EIO' | 'ENOSPC' | 'EACCES';
  /** `changes`: those that change something, and starts of git. `all`: also those that read. */
  readonly kinds: 'changes' | 'all';
}

export interface NumberedRun {
  readonly code: number;
  readonly signal?: NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
  /** How many calls there were. */
  readonly count: number;
  /** The call at which something happened, such as `renameSync /…`. */
  readonly struck?: string;
}

export interface StartedRun {
  readonly pid: number;
  readonly end: Promise<NumberedRun>;
}

/** Starts the program in the fixture's worktree. */
export function startNumbered(fixture: FixtureRepository, args: readonly string[], call: NumberedCall): StartedRun {
  const report = join(fixture.base, 'calls.json');
  rmSync(report, { force: true });
  const order = JSON.stringify({ below: fixture.base, report, ...call });
  const child = spawn(process.execPath, ['--require', PRELOAD, PROGRAM, ...args], {
    cwd: fixture.root,
    env: { ...cleanEnvironment(fixture.home), SAVEPOINT_TEST_CALLS: order },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const end = new Promise<NumberedRun>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      resolve({
        code: code ?? -1,
        ...(signal !== null && { signal }),
        stdout: Buffer.concat(out).toString('utf8'),
        stderr: Buffer.concat(err).toString('utf8'),
        ...readReport(report),
      });
    });
  });
  return { pid: child.pid ?? -1, end };
}

function readReport(file: string): Pick<NumberedRun, 'count' | 'struck'> {
  if (!existsSync(file)) return { count: 0 };
  return JSON.parse(readFileSync(file, 'utf8')) as Pick<NumberedRun, 'count' | 'struck'>;
}
