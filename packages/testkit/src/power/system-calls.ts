/** Runs a program under strace and reads back which system calls it and its children made, in the order they ended. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SystemCall {
  readonly pid: number;
  readonly name: string;
  /** As strace prints them: strings and descriptors' paths as hex escapes. */
  readonly args: readonly string[];
  /** -1 where the call failed. */
  readonly result: number;
  /** What follows the result, such as `ENOENT (No such file or directory)`. */
  readonly remark: string;
}

export interface TracedRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly calls: readonly SystemCall[];
}

export interface TraceRequest {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Options of strace; default: trace what changes a file system. */
  readonly options?: readonly string[];
}

/** How to get the tool where it is missing. */
export const STRACE_HINT = 'strace is missing or may not trace here; install it, such as with: apt-get install strace';

const CHANGES_TO_FILES = [
  ...['open', 'openat', 'creat', 'read', 'write', 'pwrite64', 'writev', 'pwritev', 'pwritev2', 'lseek', 'truncate'],
  ...['ftruncate', 'fallocate', 'copy_file_range', 'sendfile', 'rename', 'renameat', 'renameat2', 'link', 'linkat'],
  ...['symlink', 'symlinkat', 'unlink', 'unlinkat', 'mkdir', 'mkdirat', 'rmdir', 'chmod', 'fchmod', 'fchmodat'],
  ...['fsync', 'fdatasync', 'sync', 'syncfs', 'chdir', 'fchdir'],
];
const WHOLE = 1 << 26;

let straceProblem: string | undefined | false = false;

/** Returns why nothing can be traced here, or undefined where it can. */
export function noStrace(): string | undefined {
  if (straceProblem === false) {
    const { status } = spawnSync('strace', ['-f', '-o', '/dev/null', 'true'], { stdio: 'ignore' });
    straceProblem = status === 0 ? undefined : STRACE_HINT;
  }
  return straceProblem;
}

export function trace({ command, cwd, env, options }: TraceRequest): TracedRun {
  const folder = mkdtempSync(join(tmpdir(), 'savepoint-trace-'));
  const log = join(folder, 'log');
  const changes = ['-e', `trace=${CHANGES_TO_FILES.join(',')}`, '-s', String(WHOLE)];
  try {
    const args = ['-f', '-y', '-xx', '-o', log, ...(options ?? changes), '--', ...command];
    const ended = spawnSync('strace', args, { cwd, env: { ...env }, input: '', maxBuffer: 1 << 28 });
    if (ended.error !== undefined) throw ended.error;
    return {
      code: ended.status ?? -1,
      stdout: ended.stdout.toString('utf8'),
      stderr: ended.stderr.toString('utf8'),
      calls: existsSync(log) ? parseCalls(readFileSync(log, 'latin1')) : [],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads a log of `strace -f`, in which a call may be cut in two by those of other processes. */
export function parseCalls(log: string): readonly SystemCall[] {
  const begun = new Map<string, string>();
  const calls: SystemCall[] = [];
  for (const line of log.split('\n')) {
    const [, pid = '', text = ''] = /^(\d+) +(.*)$/s.exec(line) ?? [];
    const unfinished = / <unfinished \.\.\.>$/.exec(text);
    const resumed = /^<\.\.\. \w+ resumed>/.exec(text);
    if (unfinished !== null) {
      begun.set(pid, text.slice(0, unfinished.index));
      continue;
    }
    const whole = resumed === null ? text : `${begun.get(pid) ?? ''}${text.slice(resumed[0].length)}`;
    const call = parseCall(Number(pid), whole);
    if (call !== undefined) calls.push(call);
  }
  return calls;
}

function parseCall(pid: number, text: string): SystemCall | undefined {
  const [, name, rest] = /^(\w+)\((.*)$/s.exec(text) ?? [];
  const end = rest?.lastIndexOf(') ') ?? -1;
  if (name === undefined || rest === undefined || end < 0) return undefined;
  // "= 3</path>", "= -1 ENOENT (No such file or directory)", "= ? ERESTARTSYS"
  const closing = lastClosing(rest);
  const [, result, remark = ''] = /^\) += (-?\d+)(.*)$/s.exec(rest.slice(closing)) ?? [];
  if (result === undefined) return undefined;
  return { pid, name, args: splitArguments(rest.slice(0, closing)), result: Number(result), remark: remark.trim() };
}

// The arguments hold no plain parenthesis: names and content are escaped. An error's text may.
function lastClosing(rest: string): number {
  const found = /\) += (?:-?\d|\?)/.exec(rest);
  return found === null ? rest.length : found.index;
}

function splitArguments(text: string): readonly string[] {
  const args: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth -= 1;
    else if (char === ',' && depth === 0) {
      args.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...args, text.slice(start).trim()];
}

/** Returns the bytes of a string argument. */
export function bytesOf(arg: string): Buffer {
  const [, quoted = ''] = /^"((?:\\x[0-9a-f]{2})*)"/.exec(arg) ?? [];
  return unescaped(quoted);
}

/** Returns the path that strace gives with a descriptor, or undefined where it is no file with a name. */
export function pathOfDescriptor(arg: string): string | undefined {
  const escaped = /^(?:AT_FDCWD|\d+)<((?:\\x[0-9a-f]{2})+)>(?!\(deleted\))/.exec(arg)?.[1];
  if (escaped === undefined) return undefined;
  const path = unescaped(escaped).toString('utf8');
  return path.startsWith('/') && !path.endsWith(' (deleted)') ? path : undefined;
}

function unescaped(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex');
}
