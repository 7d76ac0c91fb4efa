/** Asks git of objects whether they are there: a long list of a process of its own, short ones of a process that stays. */
import type { ObjectId, ObjectInfo } from '../../../model/tree/tree.js';
import type { GitPlace } from '../system/process.js';
import { COMMANDS, ObjectReader, type FoundObject } from './object-reader.js';

const ASKED_AT_ONCE = 256;

/** Tells of objects whether they are there, by names that git understands. */
export interface LookUp {
  all(names: readonly string[]): Promise<readonly (FoundObject | undefined)[]>;
  close(): Promise<void>;
}

export class LookUps {
  readonly #place: GitPlace;
  /** Stays for who asks again. */
  #checker: ObjectReader | undefined;
  /** False where git does not know how to answer a list at once and stay. */
  #checkersStay = true;
  #retired: Promise<unknown> = Promise.resolve();

  constructor(place: GitPlace) {
    this.#place = place;
  }

  async info(ids: readonly ObjectId[]): Promise<readonly (ObjectInfo | undefined)[]> {
    if (ids.length === 0) return [];
    if (this.#checker === undefined || this.#checker.hasEnded) {
      // Answers a long list at once and ends; whoever asks for a few asks again, and a process takes milliseconds to start.
      if (ids.length > ASKED_AT_ONCE || !this.#checkersStay) return this.#startCheck().checkLast(ids);
      this.#checker = this.#startStayingCheck().idle();
    }
    return this.#checker.checkTogether(ids).catch(() => {
      this.#checkersStay = false;
      return this.#startCheck().checkLast(ids);
    });
  }

  /** Starts a process that ends with its first answer. */
  once(): LookUp {
    const check = this.#startCheck();
    return { all: (names) => check.checkLast(names), close: () => check.close() };
  }

  /** Has the process end that stays, and resolves when all have. */
  retire(): Promise<unknown> {
    const checker = this.#checker;
    this.#checker = undefined;
    this.#retired = Promise.all([this.#retired, checker?.close()]);
    return this.#retired;
  }

  /** Answers each list at once: answers one by one would wake this process for each. git has it from 2.36 on. */
  #startStayingCheck(): ObjectReader {
    return new ObjectReader(this.#place, ...COMMANDS);
  }

  #startCheck(): ObjectReader {
    return new ObjectReader(this.#place, '--batch-check', '--buffer');
  }
}
