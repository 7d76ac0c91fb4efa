/**
 * The objects of a repository, read through as few git processes as there can be. One stays open, started by whoever came
 * first; what it dies of is asked again of another, so that one broken object hides no other.
 */
import { ContextError, contextError } from '../../../base/errors.js';
import type { ObjectId, ObjectInfo } from '../../../model/tree/tree.js';
import type { GitPlace } from '../system/process.js';
import { namesIn, type EarlyReader } from './early-reader.js';
import { LookUps, type LookUp } from './look-ups.js';
import { COMMANDS, ObjectReader } from './object-reader.js';
import { readTogether, type ReadObject } from './read-ahead.js';

/** For so few snapshots a process of their own is not worth its start: there is one that others read through, too. */
const FEW = 4;

export class StoredObjects {
  readonly #place: GitPlace;
  #reader: ObjectReader | undefined;
  /** False once git has turned out to be too old for it. */
  #takesCommands = true;
  readonly #lookUps: LookUps;
  /** What was read ahead and not yet asked for. */
  readonly #ahead = new Map<ObjectId, ReadObject>();
  /** What an early reader was asked for; it goes with the first that is read ahead. */
  #asked: Promise<readonly ReadObject[]> | undefined;
  #retired: Promise<unknown> = Promise.resolve();

  /** `early` is a process that runs already. */
  constructor(place: GitPlace, early: EarlyReader | undefined) {
    this.#place = place;
    this.#lookUps = new LookUps(place);
    if (early !== undefined) this.#adopt(early);
  }

  #adopt(early: EarlyReader): void {
    if (!early.stays) this.#asked = early.answers();
    else if (early.isAlive()) {
      this.#reader = new ObjectReader(early);
      this.#asked = this.#reader.readAsked(early.asked);
    }
  }

  /** Starts the process that stays, if there is none; until it is asked, the program can end although it runs. */
  prepare(): void {
    this.#reader ??= this.#startReader().idle();
  }

  /** Returns what git has under a name: an id, a ref, or an id with a path. */
  find(name: string): Promise<ReadObject | undefined> {
    return this.#open().read(name);
  }

  /** Tells of each whether it is there. */
  async info(ids: readonly ObjectId[]): Promise<readonly (ObjectInfo | undefined)[]> {
    if (ids.length === 0) return [];
    const reader = this.#open();
    if (!reader.takesCommands) return this.#lookUps.info(ids);
    try {
      return await reader.checkTogether(ids);
    } catch (error) {
      if (!reader.hasEnded) throw error;
      this.#heed(reader);
      return this.#lookUps.info(ids);
    }
  }

  /** Starts a process that looks objects up as they are now, and ends with its first answer. */
  lookUp(): LookUp {
    return this.#lookUps.once();
  }

  /** Returns one that may have been read ahead, and is forgotten then; undefined where it is not there or cannot be read. */
  async read(id: ObjectId): Promise<ReadObject | undefined> {
    const ahead = this.#ahead.get(id);
    this.#ahead.delete(id);
    return ahead ?? (await this.#survive((reader) => reader.read(id)));
  }

  /** Reads commits, their trees and these files at the root of each, for whoever asks for them next. */
  async readAhead(commits: readonly ObjectId[], files: readonly string[]): Promise<void> {
    for (const object of (await this.#asked) ?? []) this.#ahead.set(object.id, object);
    this.#asked = undefined;
    const unread = commits.filter((id) => !this.#ahead.has(id));
    const names = namesIn(unread, files);
    const found =
      names.length > FEW * (2 + files.length) ? await readTogether(this.#place, names) : await this.#readFew(names);
    for (const object of found) this.#ahead.set(object.id, object);
  }

  async #readFew(names: readonly string[]): Promise<readonly ReadObject[]> {
    if (names.length === 0) return [];
    const reader = this.#open();
    const answers = await Promise.all(names.map((name) => reader.read(name).catch(() => undefined)));
    return answers.filter((answer) => answer !== undefined);
  }

  /** Hands out a blob piece by piece. @throws object_missing */
  async *stream(id: ObjectId): AsyncIterable<Uint8Array> {
    const reader = this.#open();
    let begun = false;
    try {
      for await (const piece of reader.stream(id)) {
        begun = true;
        yield piece;
      }
    } catch (error) {
      if (!reader.hasEnded) throw error;
      this.#heed(reader);
      const blob = begun ? undefined : await this.read(id);
      if (blob?.type !== 'blob') throw contextError('object_missing', { object: id, owner: 'the snapshot' }, error);
      yield blob.bytes;
    }
  }

  /**
   * git dies of an object that it cannot read, and takes the requests after it along. Each is asked again of a process
   * of its own; the one that kills that too is as good as missing.
   */
  async #survive<T>(ask: (reader: ObjectReader) => Promise<T>): Promise<T | undefined> {
    const shared = this.#open();
    try {
      return await ask(shared);
    } catch (error) {
      if (!shared.hasEnded) throw error;
      this.#heed(shared);
    }
    const own = this.#startReader();
    try {
      return await ask(own);
    } catch (error) {
      // Started and ended on this object: it is there and cannot be read.
      if (error instanceof ContextError && error.code === 'git_missing') throw error;
      return undefined;
    } finally {
      await own.close();
    }
  }

  /** Has the processes end while other work goes on; the next question starts another. */
  retire(): void {
    this.#retired = Promise.all([this.#retired, this.#asked, this.#reader?.close(), this.#lookUps.retire()]);
    this.#asked = undefined;
    this.#reader = undefined;
  }

  /** Forgets what was read ahead, and resolves when all processes have ended. */
  async close(): Promise<void> {
    this.#ahead.clear();
    this.retire();
    await this.#retired;
  }

  #open(): ObjectReader {
    if (this.#reader === undefined || this.#reader.hasEnded) {
      this.#reader = this.#startReader();
    }
    return this.#reader;
  }

  #startReader(): ObjectReader {
    return new ObjectReader(this.#place, ...(this.#takesCommands ? COMMANDS : ['--batch']));
  }

  #heed({ isTooOld }: ObjectReader): void {
    if (isTooOld) this.#takesCommands = false;
  }
}
