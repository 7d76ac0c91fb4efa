/**
 * Who waits for a lock, first come first served: without an order, of many that wait one may wait for ever. A ticket is
 * an empty file whose name begins with the time. The queue is only manners: the lock itself does not depend on it.
 */
import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { systemClock, type Random } from '../../../base/clock.js';
import { removeQuietly } from '../system/durable.js';

const TICKET = /^\d{15}-(\d+)-[0-9a-f]+$/;
const ATTEMPTS = 8;

export class LockQueue {
  readonly #folder: string;
  readonly #name: string;

  constructor(lock: string, random: Random) {
    this.#folder = `${lock}.queue`;
    this.#name = `${String(Math.floor(systemClock.now())).padStart(15, '0')}-${String(process.pid)}-${random.hex(12)}`;
  }

  /** True while nobody who is alive waits longer. */
  isMyTurn(): boolean {
    for (const name of this.#waiting()) {
      if (name === this.#name) return true;
      if (isAlive(name)) return false;
      // Its process ended without taking it along.
      removeQuietly(path.join(this.#folder, name));
      this.#tidy();
    }
    return true;
  }

  enter(): void {
    // The last one to leave removes the folder, perhaps just now.
    for (let attempt = 1; ; attempt += 1) {
      try {
        mkdirSync(this.#folder, { recursive: true });
        writeFileSync(path.join(this.#folder, this.#name), '');
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === ATTEMPTS) throw error;
      }
    }
  }

  leave(): void {
    removeQuietly(path.join(this.#folder, this.#name));
    this.#tidy();
  }

  #tidy(): void {
    try {
      rmdirSync(this.#folder);
    } catch {
      // Others still wait.
    }
  }

  #waiting(): readonly string[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => TICKET.test(name))
        .sort();
    } catch {
      return [];
    }
  }
}

function isAlive(ticket: string): boolean {
  try {
    process.kill(Number(TICKET.exec(ticket)?.[1]), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
