/**
 * A lock file that names its holder. It is taken over only with proof that the holder is dead: the same machine, and
 * either another boot, or the same process namespace where the process is gone or began at another time.
 */
import { mkdirSync, readFileSync, readlinkSync, rmdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { systemClock, type Random } from '../../../base/clock.js';
import { contextError } from '../../../base/errors.js';
import { LockQueue } from './lock-queue.js';
import { createFile, makeDirectory, removeQuietly, writeFailure } from '../system/durable.js';

export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** The machine's boot, where the system tells. */
  readonly boot?: string;
  /** The process namespace, where the system tells: a container has its own process numbers. */
  readonly namespace?: string;
  /** When the process began, in the system's own units. */
  readonly began?: string;
}

export interface LockRequest {
  readonly file: string;
  readonly random: Random;
  readonly waitMilliseconds: number;
  readonly meanwhile?: () => Promise<void>;
}

const POLL_MILLISECONDS = 4;
const POLL_MOST_MILLISECONDS = 25;
/** A takeover lasts microseconds; a guard this old was left by a process that died in the middle of one. */
const GUARD_STALE_MILLISECONDS = 10_000;

let presentProcess: Holder | undefined;

/** Returns this process as a holder. */
export function thisProcess(): Holder {
  presentProcess ??= describeProcess(process.pid);
  return presentProcess;
}

function describeProcess(pid: number): Holder {
  const boot = quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
  const namespace = quietly(() => readlinkSync(`/proc/self/ns/pid`));
  const { began } = statusOf(pid);
  return {
    pid,
    host: os.hostname(),
    ...(boot === undefined ? {} : { boot }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(began === undefined ? {} : { began }),
  };
}

// Fields 3 and 22 of /proc/<pid>/stat; the program's name in field 2 may hold blanks and parentheses.
function statusOf(pid: number): { readonly state: string | undefined; readonly began: string | undefined } {
  const stat = quietly(() => readFileSync(`/proc/${String(pid)}/stat`, 'latin1')) ?? '';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0], began: fields[19] };
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Tells whether a holder is dead beyond doubt. */
export function isDead(holder: Holder): boolean {
  const self = thisProcess();
  const knowsBoot = holder.boot !== undefined && self.boot !== undefined;
  // No two boots have the same id, so with the same one it is this machine, whatever it was called then.
  if (!(knowsBoot && holder.boot === self.boot) && holder.host !== self.host) return false;
  if (knowsBoot && holder.boot !== self.boot) return true;
  if (holder.namespace !== self.namespace) return false;
  return isGone(holder);
}

function isGone(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  const { state, began } = statusOf(holder.pid);
  // A process that was killed stays a zombie until its parent asks, which may be never.
  if (state === 'Z' || state === 'X') return true;
  return holder.began !== undefined && began !== undefined && began !== holder.began;
}

/** Runs `work` while holding the lock. @throws timeline_locked when a living holder does not let go in time */
export async function holdLock<T>(request: LockRequest, work: () => Promise<T>): Promise<T> {
  await take(request);
  try {
    return await work();
  } finally {
    removeQuietly(request.file);
  }
}

async function take(request: LockRequest): Promise<void> {
  const { file, random } = request;
  const mine = Buffer.from(JSON.stringify(thisProcess()));
  const queue = new LockQueue(file, random);
  if (queue.isMyTurn() && tryCreate(file, mine, random)) return;
  try {
    queue.enter();
    await waitFor(request, mine, queue);
  } catch (error) {
    throw writeFailure(path.dirname(file), error);
  } finally {
    queue.leave();
  }
}

async function waitFor(request: LockRequest, mine: Buffer, queue: LockQueue): Promise<void> {
  const { file, random, waitMilliseconds, meanwhile } = request;
  const deadline = process.hrtime.bigint() + BigInt(waitMilliseconds) * 1_000_000n;
  for (let pause = POLL_MILLISECONDS; ; pause = Math.min(pause * 1.5, POLL_MOST_MILLISECONDS)) {
    const first = queue.isMyTurn();
    if (first && tryCreate(file, mine, random)) return;
    const found = readHolder(file);
    const { holder, bytes } = found ?? {};
    if (bytes !== undefined && (holder === undefined || isDead(holder)) && takeOver(file, bytes)) continue;
    if (process.hrtime.bigint() > deadline) {
      const name = holder === undefined ? 'others that wait for it' : `process ${String(holder.pid)} on ${holder.host}`;
      throw contextError('timeline_locked', { holder: name, lock: file });
    }
    await meanwhile?.();
    if (bytes !== undefined || !first) await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Makes the lock file; returns false if there is one. */
export function tryCreate(file: string, bytes: Uint8Array, random: Random): boolean {
  const choice = { temporary: `${file}.${random.hex(12)}.tmp`, durable: false };
  try {
    return createFile(file, bytes, choice);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw writeFailure(path.dirname(file), error);
    makeDirectory(path.dirname(file));
    return createFile(file, bytes, choice);
  }
}

/** Without a holder where the file is damaged: it was whole when it got its name, so the machine went down since. */
export function readHolder(file: string): { readonly holder: Holder | undefined; readonly bytes: Buffer } | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw writeFailure(path.dirname(file), error);
  }
  const value = quietly(() => JSON.parse(bytes.toString('utf8')) as unknown);
  return { holder: isHolder(value) ? value : undefined, bytes };
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, host } = value as Partial<Holder>;
  return Number.isInteger(pid) && (pid ?? 0) > 0 && typeof host === 'string';
}

/**
 * Removes a dead holder's lock. Only one process at a time may take over, and only the very lock that was judged: between
 * the judgement and now the dead holder's file may have been replaced by a living one's.
 */
export function takeOver(file: string, judged: Buffer): boolean {
  const guard = `${file}.takeover`;
  try {
    mkdirSync(guard);
  } catch {
    const age = quietly(() => statSync(guard).mtimeMs);
    if (age !== undefined && systemClock.now() - age > GUARD_STALE_MILLISECONDS)
      quietly(() => {
        rmdirSync(guard);
      });
    return false;
  }
  try {
    if (quietly(() => readFileSync(file))?.equals(judged) === true) removeQuietly(file);
    return true;
  } finally {
    quietly(() => {
      rmdirSync(guard);
    });
  }
}
