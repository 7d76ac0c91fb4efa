/** Runs real git for fixtures and oracles, in a clean environment. */
import { spawnSync } from 'node:child_process';
import { gitEnvironment, type Environment } from './environment.js';

export interface GitCall {
  readonly cwd: string;
  readonly home: string;
  readonly args: readonly string[];
  readonly input?: Uint8Array | string;
  readonly env?: Environment;
  /** Exit codes besides 0 that are no failure; `'any'` accepts all. */
  readonly accept?: readonly number[] | 'any';
}

export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs git to its end. @throws Error with git's own words when the exit code is not accepted */
export function runGit(call: GitCall): GitAnswer {
  const { cwd, home, args, accept = [] } = call;
  // Some fixtures belong to another user than the one who runs the tests.
  const result = spawnSync('git', ['-c', 'safe.directory=*', ...args], {
    cwd,
    env: { ...gitEnvironment(home), ...call.env },
    input: call.input ?? '',
    maxBuffer: 1 << 30,
  });
  if (result.error !== undefined) throw result.error;
  const code = result.status ?? 128;
  const stderr = result.stderr.toString('utf8');
  if (code !== 0 && accept !== 'any' && !accept.includes(code)) {
    throw new Error(`git ${args.join(' ')} in ${cwd} ended with ${String(code)}: ${stderr}`);
  }
  return { code, stdout: result.stdout, stderr };
}

/** Splits NUL-terminated fields; one character per byte, so that no name is changed. */
export function nulFields(bytes: Buffer): string[] {
  const fields = bytes.toString('latin1').split('\0');
  fields.pop();
  return fields;
}

let version: readonly number[] | undefined;

/** Tells whether the git on the PATH is at least of this version, such as `2.45`. */
export function gitIsAtLeast(wanted: string): boolean {
  version ??= numbers(spawnSync('git', ['version'], { encoding: 'utf8' }).stdout.replace(/^git version /, ''));
  const [major = 0, minor = 0] = version;
  const [wantedMajor = 0, wantedMinor = 0] = numbers(wanted);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

function numbers(text: string): number[] {
  return text.trim().split('.').map(Number);
}
