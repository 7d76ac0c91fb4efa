/** Runs whole processes and measures them: time, and the memory of the process and its children. */
import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const PROGRAM = path.join(ROOT, 'packages/cli/bin/savepoint.cjs');

/** The user pressed Ctrl-C; a child may have seen it before we did. */
export class Interrupted extends Error {}

const interruption = { asked: false };

/** From now on a signal ends the measuring before its next process, and not this program in the middle of one. */
export function listenForInterruption() {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (interruption.asked = true));
}

function obeyInterruption() {
  if (interruption.asked) throw new Interrupted();
}

export const savepoint = (...words) => [process.execPath, PROGRAM, ...words];

/** An environment without `GIT_*`, without an agent, and without what makes Node slow to start (NODE_EXTRA_CA_CERTS). */
export function environment(home) {
  const { PATH, TMPDIR } = process.env;
  const tmpdir = TMPDIR === undefined ? {} : { TMPDIR };
  const config = { XDG_CONFIG_HOME: path.join(home, '.config'), CLAUDE_CONFIG_DIR: path.join(home, '.claude') };
  return {
    PATH,
    ...tmpdir,
    HOME: home,
    ...config,
    GIT_CONFIG_NOSYSTEM: '1',
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
  };
}

/** Runs a command to its end; from before the process is made to after its last output was read. */
export function run(command, place, more = {}) {
  obeyInterruption();
  const [file, ...args] = command;
  const options = { cwd: place.root, env: environment(place.home), maxBuffer: 1 << 30, ...more };
  const start = process.hrtime.bigint();
  const { status, signal, error, stdout, stderr } = spawnSync(file, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    ...options,
  });
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  checkEnd({ command, status, signal, error, stderr });
  return { milliseconds, stdout: stdout.toString('utf8').trim() };
}

/** The same, and when the first of its output was there: `printed`, milliseconds from before the process is made. */
export async function runUntilPrinted(command, place) {
  obeyInterruption();
  const [file, ...args] = command;
  const options = { cwd: place.root, env: environment(place.home), stdio: ['ignore', 'pipe', 'pipe'] };
  const output = { stdout: [], stderr: [] };
  const start = performance.now();
  const since = () => performance.now() - start;
  const child = spawn(file, args, options);
  let printed;
  for (const name of Object.keys(output)) {
    child[name].on('data', (piece) => {
      if (name === 'stdout') printed ??= since();
      output[name].push(piece);
    });
  }
  const end = await new Promise((resolve) => {
    child.on('error', (error) => resolve({ error }));
    child.on('close', (status, signal) => resolve({ status, signal, milliseconds: since() }));
  });
  checkEnd({ command, ...end, stderr: Buffer.concat(output.stderr) });
  const stdout = Buffer.concat(output.stdout).toString('utf8').trim();
  return { milliseconds: end.milliseconds, printed, stdout };
}

export function git(place, ...args) {
  return run(['git', ...args], place).stdout;
}

function checkEnd({ command, status, signal, error, stderr }) {
  if (signal === 'SIGINT' || signal === 'SIGTERM' || status === 130) throw new Interrupted(signal);
  if (error !== undefined) throw error;
  if (status === 0) return;
  throw new Error(`exit ${status ?? signal}: ${command.join(' ')}\n${String(stderr)}`);
}

// `-f` is GNU's: elsewhere only /proc is asked.
const GNU_TIME = /GNU/.test(String(spawnSync('/usr/bin/time', ['--version']).stdout ?? ''))
  ? (file) => ['/usr/bin/time', '-f', '%M', '-o', file]
  : undefined;

/** As `run`, with the peak of the largest single process in kilobytes, where GNU time can tell. It adds about 1 ms. */
export function runWithPeak(command, place) {
  const file = path.join(place.home, 'peak');
  const result = run([...(GNU_TIME?.(file) ?? []), ...command], place);
  return { ...result, largest: GNU_TIME === undefined ? undefined : Number(fs.readFileSync(file, 'utf8').trim()) };
}

/**
 * Returns the memory that a command takes, in kilobytes: `largest` is the peak of the largest process, `together` the
 * most that all its processes were seen to have at one time, which counts pages that they share more than once.
 */
export async function memoryOf(command, place) {
  obeyInterruption();
  const file = path.join(place.home, 'peak');
  const [program, ...args] = [...(GNU_TIME?.(file) ?? []), ...command];
  const options = { cwd: place.root, env: environment(place.home), stdio: ['ignore', 'ignore', 'pipe'] };
  const child = spawn(program, args, options);
  const errors = [];
  child.stderr.on('data', (chunk) => errors.push(chunk));
  let end;
  child.on('close', (status, signal) => (end = { status, signal }));
  child.on('error', (error) => (end = { error }));
  let together = 0;
  while (end === undefined) {
    together = Math.max(together, residentMemory(child.pid, ''));
    await sleep(1);
  }
  checkEnd({ command, ...end, stderr: Buffer.concat(errors) });
  const largest = GNU_TIME === undefined ? undefined : Number(fs.readFileSync(file, 'utf8').trim());
  return { largest, together: together === 0 ? undefined : Math.max(together, largest ?? 0) };
}

// A process that is only just made shares its parent's memory until it becomes another program.
function residentMemory(pid, parentCommand) {
  try {
    const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1');
    if (command === parentCommand) return 0;
    const status = fs.readFileSync(`/proc/${pid}/status`, 'latin1');
    let sum = Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1] ?? 0);
    for (const thread of fs.readdirSync(`/proc/${pid}/task`)) {
      const children = fs.readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1');
      for (const inner of children.split(' ').filter(Boolean)) sum += residentMemory(inner, command);
    }
    return sum;
  } catch {
    // It ended in this very moment, or there is no /proc.
    return 0;
  }
}

export function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

const IDLE_LIMIT_MILLISECONDS = 300_000;

/** Waits until no process works in a directory any more; returns how long that took, 0 where nothing was running. */
export async function untilIdle(root) {
  const start = performance.now();
  for (let waited = false; ; waited = true) {
    if (!isWorkedIn(root)) return waited ? performance.now() - start : 0;
    if (performance.now() - start > IDLE_LIMIT_MILLISECONDS) throw new Error(`a process does not end in ${root}`);
    await sleep(10);
  }
}

function isWorkedIn(root) {
  const processes = fs.existsSync('/proc/self') ? fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return processes.some((pid) => {
    try {
      return fs.readlinkSync(`/proc/${pid}/cwd`).startsWith(root);
    } catch {
      return false;
    }
  });
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The 95th percentile by nearest rank: with fewer than 20 values it is the largest. */
export function p95(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1];
}
