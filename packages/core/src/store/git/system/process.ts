/** Runs the git program with an environment of its own: no `GIT_*` variable of the caller reaches it. */
import {
  spawn,
  type ChildProcess,
  type ChildProcessByStdio,
  type ChildProcessWithoutNullStreams,
} from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { contextError } from '../../../base/errors.js';
import type { Git, GitDialogue, GitResult, GitRun, ShellPart, ShellThenGit } from '../../../base/git-command.js';
import { ByteQueue } from './byte-queue.js';

export interface GitPlace {
  readonly directory: string;
  /** The caller's environment; its `GIT_*` variables are dropped. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Added to every run, such as GIT_DIR. */
  readonly variables?: Readonly<Record<string, string>>;
}

// No hook of the user runs because of Savepoint, no file system monitor is started, no reflog is written for its refs.
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.logAllRefUpdates=false',
  'gc.auto=0',
  'protocol.allow=never',
].flatMap((setting) => ['-c', setting]);

/**
 * For each git that reads contents while others do: packs are looked at through small windows, 4 MiB at the most. By itself
 * git maps a pack of up to 1 GiB whole, and each of these processes then holds as much as the repository is large.
 */
export const SMALL_WINDOWS = ['-c', 'core.packedGitWindowSize=2m', '-c', 'core.packedGitLimit=4m'] as const;

/** Marks the processes that Savepoint itself started. */
export const OWN_PROCESS = 'SAVEPOINT_GIT_PROCESS=1';

/** Returns the environment for git: the caller's without `GIT_*`, with nothing that asks, fetches or writes unasked. */
export function cleanEnvironment(place: GitPlace): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(place.environment)) {
    if (value !== undefined && !name.startsWith('GIT_')) environment[name] = value;
  }
  return {
    ...environment,
    SAVEPOINT_GIT_PROCESS: '1',
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    ...place.variables,
  };
}

/** Returns the Git port for a place. */
export function gitProcess(place: GitPlace): Git {
  return {
    run: (run) => {
      const { input, result } = startGit(place, run);
      input.end(run.input);
      return result;
    },
    runAfter: (part, run) => startShellThenGit(place, part, run),
    open: (run) => new PipeDialogue(spawnGit(place, run), run),
  };
}

interface StartedGit {
  readonly input: Writable;
  readonly result: Promise<GitResult>;
}

/** Starts git; its input is open until it is ended. */
function startGit(place: GitPlace, run: GitRun): StartedGit {
  const child = spawnGit(place, run);
  // git may end before it has read all its input; its exit code tells the story, not the broken pipe.
  child.stdin.on('error', () => undefined);
  return { input: child.stdin, result: runToEnd(child, run) };
}

// `exec`: what is waited for and what signals reach is git itself.
const THEN_GIT = 'exec 3>&-; exec git "$@"';

function startShellThenGit(place: GitPlace, { script, word }: ShellPart, run: GitRun): ShellThenGit {
  const child = spawn('sh', ['-c', `${script}\n${THEN_GIT}`, word, ...SETTINGS, ...run.args], {
    cwd: place.directory,
    env: { ...cleanEnvironment(place), ...run.env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  // Absent where no more files can be opened; then there is no answer.
  const said = child.stdio[3] as Readable | null | undefined;
  const pieces: Buffer[] = [];
  const answer = new Promise<Buffer>((resolve) => {
    const end = (): void => {
      resolve(Buffer.concat(pieces));
    };
    child.on('error', end);
    said?.on('data', (piece: Buffer) => pieces.push(piece)).on('close', end);
  });
  return { answer, result: runToEnd(child, run) };
}

function spawnGit(place: GitPlace, { args, env }: GitRun): ChildProcessWithoutNullStreams {
  return spawnWithPipes(place, [...SETTINGS, ...args], env);
}

/** Starts git with pipes to all its streams. @throws system_failed */
export function spawnWithPipes(
  place: GitPlace,
  args: readonly string[],
  env?: GitRun['env'],
): ChildProcessWithoutNullStreams {
  const child = spawn('git', args, {
    cwd: place.directory,
    env: { ...cleanEnvironment(place), ...env },
    windowsHide: true,
  });
  // Where no more files can be opened, Node returns a child without pipes and tells why a moment later.
  if ((child.stdin as unknown) !== undefined) return child;
  child.on('error', () => undefined);
  throw contextError('system_failed', { reason: 'git could not be started, as too many files are open' });
}

/** Starts git with open files to read from and to write to; what it says of failures is lost. */
export function spawnWithFiles(
  place: GitPlace,
  args: readonly string[],
  { input, output }: { readonly input: number; readonly output: number },
): ChildProcess {
  const env = cleanEnvironment(place);
  return spawn('git', args, { cwd: place.directory, env, windowsHide: true, stdio: [input, output, 'ignore'] });
}

function runToEnd(child: ChildProcessByStdio<Writable | null, Readable, Readable>, run: GitRun): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.on('error', (error) => {
      reject(startFailure(error));
    });
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('close', (code, signal) => {
      const errors = Buffer.concat(stderr).toString('utf8');
      if (code === 0 || (code !== null && run.accept?.includes(code) === true)) {
        resolve({ code, stdout: Buffer.concat(stdout), stderr: errors });
      } else reject(gitFailure(run, errors, code ?? signal ?? 'unknown'));
    });
  });
}

/** Returns the error for a git program that could not be started. */
export function startFailure(error: NodeJS.ErrnoException): Error {
  return error.code === 'ENOENT'
    ? contextError('git_missing', {}, error)
    : contextError('system_failed', { reason: `git could not be started (${error.message})` }, error);
}

/** Returns the error for a git run that ended badly, by what git said. */
export function gitFailure(run: GitRun, stderr: string, code: number | string): Error {
  const reason = stderr.trim() === '' ? `it ended with ${String(code)}` : lastLines(stderr);
  const command = run.args
    .filter((arg, at) => arg !== '-c' && run.args[at - 1] !== '-c')
    .slice(0, 2)
    .join(' ');
  if (/No space left on device|Disk quota exceeded/.test(stderr))
    return contextError('disk_full', { directory: 'the repository' });
  if (/Read-only file system|Permission denied|insufficient permission|Input\/output error/.test(stderr)) {
    return contextError('store_unwritable', { directory: 'the repository', reason });
  }
  return contextError('git_failed', { command, reason });
}

function lastLines(stderr: string): string {
  return stderr
    .trim()
    .split('\n')
    .slice(-3)
    .map((line) => line.replace(/^(?:fatal|error): /, ''))
    .join('; ')
    .replace(/\.$/, '');
}

/**
 * Leads what git answers into a queue, which fails when git could not be started or has ended, then with what `failureOf`
 * makes of it. Resolves with that failure.
 */
export function answersInto(
  queue: ByteQueue,
  child: ChildProcessWithoutNullStreams,
  failureOf: (stderr: string, code: number | null) => Error,
): Promise<Error> {
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  child.stdout.on('data', (chunk: Buffer) => {
    queue.push(chunk);
  });
  child.stdin.on('error', () => undefined);
  return new Promise((resolve) => {
    const end = (failure: Error): void => {
      queue.fail(failure);
      resolve(failure);
    };
    child.on('error', (error) => {
      end(startFailure(error));
    });
    child.on('close', (code) => {
      end(failureOf(stderr, code));
    });
  });
}

/** Pipes to a running git; requests and answers are matched by order. */
class PipeDialogue implements GitDialogue {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #queue = new ByteQueue();
  readonly #ended: Promise<unknown>;

  constructor(child: ChildProcessWithoutNullStreams, run: GitRun) {
    this.#child = child;
    this.#ended = answersInto(this.#queue, child, (stderr, code) => gitFailure(run, stderr, code ?? 'a signal'));
  }

  write(bytes: Uint8Array | string): void {
    this.#child.stdin.write(bytes);
  }

  async fields(count: number): Promise<readonly string[]> {
    const fields: string[] = [];
    while (fields.length < count) fields.push((await this.#queue.until(0)).toString('latin1'));
    return fields;
  }

  async line(): Promise<string> {
    return (await this.#queue.until(0x0a)).toString('utf8');
  }

  async close(): Promise<void> {
    this.#child.stdin.end();
    await this.#ended;
  }
}
