/** The lock files that git makes beside refs: who waits for one, and when one is taken away that nobody holds. */
import { existsSync, statSync, type Stats } from 'node:fs';
import { uptime } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../../base/clock.js';
import { ContextError, contextError } from '../../../base/errors.js';
import { removeQuietly } from '../system/durable.js';
import { refLockers } from '../system/readers.js';
import { PACKED_REFS } from './ref-files.js';

/** So long, because `git pack-refs` takes these locks too and may have been stopped for a while. */
const STALE_MILLISECONDS = 10 * 60 * 1000;

/** A living git holds one for milliseconds; younger ones are not looked into. */
const YOUNG_MILLISECONDS = 2000;

/** Longer than it takes until the lock of a git that was killed may be taken away; a hook has a user who waits. */
export const WAIT_MILLISECONDS = 10_000;

const POLL_MILLISECONDS = 50;

/** The time stamp of a file and the start of the machine or of a process come from two clocks. */
const START_LEEWAY_MILLISECONDS = 2000;

/** Tells whether git says of a failure that a lock file was in its way. */
export function isLockedOut(error: unknown): error is ContextError {
  return error instanceof ContextError && /Another git process|remove the file manually/.test(error.message);
}

export interface RefLocks {
  readonly commonDirectory: string;
  readonly refs: readonly string[];
}

/**
 * Resolves when no lock is in the way of the refs any more, at the latest at `deadline` (of `systemClock`); one that a dead
 * git left is taken away. @throws ref_locked
 */
export async function waitForLocks({ commonDirectory, refs }: RefLocks, deadline: number): Promise<void> {
  // Whoever deletes a ref needs the packed ones as well; their lock is the user's, and is waited for only.
  const packed = path.join(commonDirectory, `${PACKED_REFS}.lock`);
  const own = refs.map((ref) => path.join(commonDirectory, `${ref}.lock`));
  for (;;) {
    const held = [...own.filter((lock) => !removeOrphan(lock)), packed].filter((lock) => existsSync(lock));
    const [first] = held;
    if (first === undefined && systemClock.now() <= deadline) return;
    if (systemClock.now() > deadline) throw contextError('ref_locked', { lock: first ?? own[0] ?? packed });
    await pause(POLL_MILLISECONDS);
  }
}

/** Removes the lock of a git that was killed. Nobody but Savepoint and `git pack-refs` locks these refs. */
function removeOrphan(lock: string): boolean {
  const found = statSync(lock, { throwIfNoEntry: false });
  if (found === undefined) return true;
  const made = found.mtimeMs;
  const now = systemClock.now();
  const isOrphan =
    isStale({ made, now, upMilliseconds: uptime() * 1000 }) ||
    (now - made > YOUNG_MILLISECONDS && refLockers(made + START_LEEWAY_MILLISECONDS) === 'none');
  return isOrphan && removeJudged(lock, found);
}

/**
 * Removes a lock if it still is the one that was judged. To judge takes milliseconds, in which somebody else who waits may have
 * taken it away and have begun; that one's lock has to stay.
 */
export function removeJudged(lock: string, { ino, mtimeMs }: Pick<Stats, 'ino' | 'mtimeMs'>): boolean {
  const now = statSync(lock, { throwIfNoEntry: false });
  if (now?.ino !== ino || now.mtimeMs !== mtimeMs) return now === undefined;
  removeQuietly(lock);
  return !existsSync(lock);
}

/** Tells whether a lock is too old, or from before the machine started: no process of then is alive. */
export function isStale(times: {
  readonly made: number;
  readonly now: number;
  readonly upMilliseconds: number;
}): boolean {
  const { made, now, upMilliseconds } = times;
  return now - made > Math.min(STALE_MILLISECONDS, upMilliseconds + START_LEEWAY_MILLISECONDS);
}
