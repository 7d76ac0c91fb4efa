/** A Lease in a file, with the proof of life and death that locks have. */
import type { Lease } from '../../../base/lease.js';
import type { Random } from '../../../base/clock.js';
import { removeQuietly } from '../system/durable.js';
import { isDead, readHolder, takeOver, thisProcess, tryCreate, type Holder } from './lock.js';

/** Several processes may find the same dead holder; so many times the file may change hands while this one looks. */
const ATTEMPTS = 50;
const UNKNOWN = 'one that is just taking over';

export function fileLease(file: string, random: Random): Lease {
  const living = (): string | undefined => {
    const found = readHolder(file);
    return found?.holder === undefined || isDead(found.holder) ? undefined : nameOf(found.holder);
  };
  let isHeld = false;
  return {
    take: () => {
      const mine = Buffer.from(JSON.stringify(thisProcess()));
      for (let count = 0; count < ATTEMPTS; count += 1) {
        if (tryCreate(file, mine, random)) {
          isHeld = true;
          return undefined;
        }
        const holder = living();
        if (holder !== undefined) return holder;
        const found = readHolder(file);
        if (found !== undefined) takeOver(file, found.bytes);
      }
      return UNKNOWN;
    },
    holder: living,
    release: () => {
      // Released twice, it may be another's by then.
      if (isHeld) removeQuietly(file);
      isHeld = false;
    },
  };
}

function nameOf({ pid, host }: Holder): string {
  return `process ${String(pid)} on ${host}`;
}
