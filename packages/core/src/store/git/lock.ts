/**
 * A lock file that names its holder. It is taken over only with proof that the holder is dead: the same machine, and
 * either another boot, or the same process namespace where the process is gone or began at another time.
 */
import { mkdirSync, readFileSync, readlinkSync, renameSync, rmdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { systemClock, type Random } from '../../base/clock.js';
import { contextError } from '../../base/errors.js';
import { createFile, makeDirectory, removeQuietly, writeFailure } from './durable.js';

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
  const began = beganAt(pid);
  return {
    pid,
    host: os.hostname(),
    ...(boot === undefined ? {} : { boot }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(began === undefined ? {} : { began }),
  };
}

// Field 22 of /proc/<pid>/stat; the program's name in field 2 may hold blanks and parentheses.
function beganAt(pid: number): string | undefined {
  return quietly(() => {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  });
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
  if (holder.host !== self.host) return false;
  if (holder.boot !== undefined && self.boot !== undefined && holder.boot !== self.boot) return true;
  if (holder.namespace !== self.namespace) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  const began = beganAt(holder.pid);
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
  const { file, random, waitMilliseconds } = request;
  const mine = Buffer.from(JSON.stringify(thisProcess()));
  const deadline = process.hrtime.bigint() + BigInt(waitMilliseconds) * 1_000_000n;
  for (let pause = POLL_MILLISECONDS; ; pause = Math.min(pause * 1.5, POLL_MOST_MILLISECONDS)) {
    if (tryCreate(file, mine, random)) return;
    const holder = readHolder(file);
    if (holder === undefined) continue;
    if (isDead(holder.holder)) takeOver(file, holder.bytes);
    else if (process.hrtime.bigint() > deadline) {
      const name = `process ${String(holder.holder.pid)} on ${holder.holder.host}`;
      throw contextError('timeline_locked', { holder: name, lock: file });
    } else await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

function tryCreate(file: string, bytes: Uint8Array, random: Random): boolean {
  const choice = { temporary: `${file}.${random.hex(12)}.tmp`, durable: false };
  try {
    return createFile(file, bytes, choice);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw writeFailure(path.dirname(file), error);
    makeDirectory(path.dirname(file));
    return createFile(file, bytes, choice);
  }
}

function readHolder(file: string): { readonly holder: Holder; readonly bytes: Buffer } | undefined {
  try {
    const bytes = readFileSync(file);
    return { holder: JSON.parse(bytes.toString('utf8')) as Holder, bytes };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) return { holder: { pid: 0, host: 'unknown' }, bytes: Buffer.alloc(0) };
    throw writeFailure(path.dirname(file), error);
  }
}

// Only one process at a time may take over, and only the very lock that was judged: between the judgement and now the
// dead holder's file may have been replaced by a living one's.
function takeOver(file: string, judged: Buffer): void {
  const guard = `${file}.takeover`;
  try {
    mkdirSync(guard);
  } catch {
    const age = quietly(() => statSync(guard).mtimeMs);
    if (age !== undefined && systemClock.now() - age > GUARD_STALE_MILLISECONDS)
      quietly(() => {
        rmdirSync(guard);
      });
    return;
  }
  try {
    const present = quietly(() => readFileSync(file));
    if (present?.equals(judged) === true) {
      renameSync(file, `${file}.dead`);
      removeQuietly(`${file}.dead`);
    }
  } finally {
    quietly(() => {
      rmdirSync(guard);
    });
  }
}
