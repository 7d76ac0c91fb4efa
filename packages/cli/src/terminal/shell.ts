/** Runs a command of the user with the shell, bounded in time and in what it may write. */
import { spawnSync } from 'node:child_process';
import type { CommandRun } from './terminal.js';

const LONGEST_MILLISECONDS = 10 * 60 * 1000;
const MOST_BYTES = 4 * 1024 * 1024;

export function runShell(command: string, directory: string): CommandRun {
  const started = performance.now();
  // One stream for both, so that what was written is in its order.
  const { stdout, status, error } = spawnSync('/bin/sh', ['-c', 'exec 2>&1; eval "$1"', 'sh', command], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: LONGEST_MILLISECONDS,
    maxBuffer: MOST_BYTES,
  });
  const milliseconds = Math.round(performance.now() - started);
  const late = (error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT';
  return {
    // Where it could not be started at all there is no output.
    output: (stdout as Buffer | null)?.subarray(0, MOST_BYTES) ?? new Uint8Array(),
    status: late ? 'timeout' : status === 0 ? 'ok' : 'error',
    ...(status === null ? {} : { exitCode: status }),
    milliseconds,
  };
}
