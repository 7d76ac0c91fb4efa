/** Runs the built program as a user would: a process of its own, in a clean environment. */
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment, type Environment } from './environment.js';

/** Path of the built program: that of this workspace, or another one, such as an installed one, to be tested. */
export const PROGRAM =
  process.env['SAVEPOINT_TEST_PROGRAM'] ?? fileURLToPath(new URL('../../../cli/bin/savepoint.cjs', import.meta.url));

export interface ProgramOptions {
  readonly cwd: string;
  readonly home: string;
  /** Added to the clean environment. */
  readonly env?: Environment;
  readonly input?: string | Uint8Array;
  readonly umask?: number;
  /** Runs as this user and group. */
  readonly uid?: number;
  /** Ends the program with SIGKILL after so many milliseconds. */
  readonly killAfter?: number;
  /** Kills the program's own children too, as the end of a container would. */
  readonly killGroup?: boolean;
}

export interface ProgramAnswer {
  /** Exit code; -1 where a signal ended it. */
  readonly code: number;
  readonly signal?: NodeJS.Signals;
  readonly stdout: string;
  readonly stdoutBytes: Buffer;
  readonly stderr: string;
  /** Standard output as JSON. @throws Error that shows both outputs */
  json(): JsonOutput;
  /** The error object of standard error. @throws Error that shows both outputs */
  error(): ErrorOutput;
}

/** An entry of `omitted`, `boundaries`, `files` and the like. */
export interface ListedPath {
  readonly path: string;
  readonly pathBytes?: string;
  readonly kind: string;
  readonly reason: string;
  readonly change: string;
  readonly mode: string;
  readonly blob: string;
}

export interface ListedResult {
  readonly id: string;
  readonly timeline: string;
  readonly sequence?: number;
  readonly commit: string;
  readonly verdict: string;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[];
}

/** The fields of JSON output that tests look at; which of them are there depends on the verb. */
export interface JsonOutput {
  readonly id: string;
  readonly shortId: string;
  readonly commit: string;
  readonly verdict: string;
  readonly unchanged: boolean;
  readonly complete: boolean;
  readonly message: string;
  readonly timeline: string;
  readonly sequence: number;
  readonly parents: readonly string[];
  readonly createdAt: string;
  readonly signer: string;
  readonly notes: readonly string[];
  readonly omitted: readonly ListedPath[];
  readonly boundaries: readonly ListedPath[];
  readonly files: readonly ListedPath[];
  readonly directories: readonly ListedPath[];
  readonly redactions: { readonly count: number; readonly kinds: Readonly<Record<string, number>> };
  readonly session?: { readonly agent: string; readonly id: string; readonly guessed?: boolean };
  readonly anchor: { readonly commit?: string; readonly branch?: string; readonly dirty: boolean };
  readonly slices: readonly { readonly name: string; readonly digest: string; readonly algorithm: string }[];
  readonly staged: {
    readonly unmerged: readonly { readonly path: string; readonly stage: number }[];
    readonly flagged: readonly { readonly path: string; readonly flags: readonly string[] }[];
  };
  /** Of a rewind and its like: the snapshot of what was there. */
  readonly safety: string;
  readonly snapshots: readonly JsonOutput[];
  readonly snapshot: JsonOutput;
  readonly results: readonly ListedResult[];
  readonly completeness: string;
  readonly failures: { readonly count: number };
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly key: { readonly signer?: string; readonly problem?: string };
}

export interface ErrorOutput {
  readonly code: string;
  readonly kind: string;
  readonly message: string;
  readonly hint?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Starts the program and leaves its end to the caller. */
export function startSavepoint(args: readonly string[], options: ProgramOptions): ChildProcess {
  const { cwd, home, umask, uid } = options;
  const program = [process.execPath, PROGRAM, ...args];
  const command =
    umask === undefined ? program : ['sh', '-c', `umask ${umask.toString(8)}; exec "$@"`, 'sh', ...program];
  const [file = '', ...rest] = command;
  return spawn(file, rest, {
    cwd,
    env: { ...cleanEnvironment(home), ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: options.killGroup === true,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
}

/** Runs the program to its end. */
export async function savepoint(args: readonly string[], options: ProgramOptions): Promise<ProgramAnswer> {
  const child = startSavepoint(args, options);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  // A program that ends without reading its input closes the pipe: that is its right.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(options.input ?? '');
  const { killAfter } = options;
  const timer = killAfter === undefined ? undefined : setTimeout(() => kill(child, options.killGroup), killAfter);
  const [code, signal] = await new Promise<[number, NodeJS.Signals | undefined]>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, sent) => resolve([status ?? -1, sent ?? undefined]));
  });
  clearTimeout(timer);
  return answer({ args, code, signal, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8') });
}

function kill(child: ChildProcess, wholeGroup = false): void {
  if (!wholeGroup || child.pid === undefined) {
    child.kill('SIGKILL');
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It ended by itself in this very moment.
  }
}

interface Ended {
  readonly args: readonly string[];
  readonly code: number;
  readonly signal: NodeJS.Signals | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
}

function answer({ args, code, signal, stdout, stderr }: Ended): ProgramAnswer {
  const text = stdout.toString('utf8');
  const parse = (source: string): JsonOutput => {
    try {
      return JSON.parse(source) as JsonOutput;
    } catch {
      throw new Error(
        `savepoint ${args.join(' ')} (exit ${String(code)}) gave no JSON.\nstdout: ${text}\nstderr: ${stderr}`,
      );
    }
  };
  return {
    code,
    ...(signal === undefined ? {} : { signal }),
    stdout: text,
    stdoutBytes: stdout,
    stderr,
    json: () => parse(text),
    error: () => {
      const value = parse(stderr) as { readonly error?: ErrorOutput };
      if (value.error === undefined) throw new Error(`no error object: ${stderr}`);
      return value.error;
    },
  };
}
