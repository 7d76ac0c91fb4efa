/**
 * Reads objects through one `git cat-file` process that stays open; requests are pipelined. Where git knows
 * `--batch-command` (2.36 and newer), what is asked together is answered together: else git writes each line and each
 * content by itself, and this process wakes up for each. The same process then also tells what objects are.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { contextError } from '../../../base/errors.js';
import type { ObjectId, ObjectInfo, ObjectType } from '../../../model/tree/tree.js';
import { ByteQueue } from '../system/byte-queue.js';
import { answersInto, gitFailure, type GitPlace } from '../system/process.js';
import { MOST_BYTES, readingArgs, startReading, type ReadObject } from './read-ahead.js';

export interface FoundObject extends ObjectInfo {
  readonly id: ObjectId;
}

/** A process that runs already. */
interface RunningReader {
  readonly child: ChildProcessWithoutNullStreams;
}

/** Pieces in which a streamed blob is handed out at most. */
const PIECE_BYTES = 256 * 1024;

/** Takes `contents NAME`, `info NAME` and `flush`. */
export const COMMANDS = ['--batch-command', '--buffer'] as const;
/** With this git ends where it does not know an option. */
const USAGE_CODE = 129;

export class ObjectReader {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #queue = new ByteQueue();
  readonly #ended: Promise<unknown>;
  // Answers come in the order of the requests, so each reads its answer after the one before has read its own.
  #turn: Promise<unknown> = Promise.resolve();
  #hasEnded = false;
  #isIdle = false;
  /** Requests are waiting to be sent together. */
  #isAsking = false;
  /** Whether requests are commands, and not bare names. */
  readonly takesCommands: boolean;
  #isTooOld = false;

  constructor(place: GitPlace, ...mode: readonly string[]);
  /** Reads on through a process that runs already; first of all with `readAsked`. */
  constructor(early: RunningReader);
  constructor(start: GitPlace | RunningReader, ...mode: readonly string[]) {
    const args = readingArgs(...mode);
    this.takesCommands = mode[0] === COMMANDS[0];
    this.#child = 'child' in start ? start.child : startReading(start, ...mode);
    this.#ended = answersInto(this.#queue, this.#child, (stderr, code) => {
      this.#hasEnded = true;
      this.#isTooOld = code === USAGE_CODE;
      return gitFailure({ args }, stderr, code ?? 'a signal');
    });
  }

  /** True once git has ended; it dies of an object that it cannot read. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** True once git has ended because it does not know what it was started with. */
  get isTooOld(): boolean {
    return this.#isTooOld;
  }

  /** Resolves with the object's bytes, or undefined if it is not there. `name` is an id, a ref, or `<id>:<path>`. */
  read(
    name: string,
  ): Promise<{ readonly id: ObjectId; readonly type: ObjectType; readonly bytes: Buffer } | undefined> {
    this.#ask(name);
    return this.#inTurn(async () => {
      const header = await this.#header();
      if (header === undefined) return undefined;
      const bytes = await this.#queue.take(header.size + 1);
      return { id: header.id, type: header.type, bytes: bytes.subarray(0, header.size) };
    });
  }

  /** Resolves with what git has of so many names that it was asked for before; whatever goes wrong only makes it less. */
  async readAsked(count: number): Promise<readonly ReadObject[]> {
    const found: ReadObject[] = [];
    const all = this.#inTurn(async () => {
      let size = 0;
      for (let left = count; left > 0; left -= 1) {
        const header = await this.#header();
        if (header === undefined) continue;
        size += header.size;
        if (size > MOST_BYTES) {
          this.#child.kill();
          return;
        }
        const bytes = await this.#queue.take(header.size + 1);
        found.push({ id: header.id, type: header.type, bytes: bytes.subarray(0, header.size) });
      }
    });
    await all.catch(() => undefined);
    return found;
  }

  /** Hands out a blob piece by piece. It holds back all later requests until its end. */
  async *stream(id: ObjectId): AsyncIterable<Uint8Array> {
    let release: () => void = () => undefined;
    const before = this.#turn;
    this.#turn = new Promise<void>((resolve) => (release = resolve));
    this.#ask(id);
    await before;
    let missing = 0;
    try {
      const header = await this.#header();
      if (header?.type !== 'blob') {
        missing = header === undefined ? 0 : header.size + 1;
        throw contextError('object_missing', { object: id, owner: 'the snapshot' });
      }
      missing = header.size + 1;
      while (missing > 1) {
        const piece = await this.#queue.some(Math.min(PIECE_BYTES, missing - 1));
        missing -= piece.length;
        yield piece;
      }
    } finally {
      try {
        while (missing > 0) missing -= (await this.#queue.some(Math.min(PIECE_BYTES, missing))).length;
      } finally {
        // Also when git died: whoever waits for a turn has to hear of it.
        release();
      }
    }
  }

  /** Resolves with what the objects are, in the order asked, of a reader that takes commands: it answers all at once and stays. */
  checkTogether(names: readonly string[]): Promise<readonly (FoundObject | undefined)[]> {
    return this.#check(names, `${names.map((name) => `info ${name}\n`).join('')}flush\n`);
  }

  #check(names: readonly string[], request: string): Promise<readonly (FoundObject | undefined)[]> {
    this.#wake();
    this.#child.stdin.write(Buffer.from(request, 'latin1'));
    return this.#inTurn(async () => {
      const answers: (FoundObject | undefined)[] = [];
      while (answers.length < names.length) answers.push(await this.#header());
      return answers;
    });
  }

  /** The same of a `--batch-check` reader, and the process ends with it; with `--buffer` it answers only then. */
  async checkLast(names: readonly string[]): Promise<readonly (FoundObject | undefined)[]> {
    const answers = this.#check(names, names.map((name) => `${name}\n`).join(''));
    this.#child.stdin.end();
    try {
      return await answers;
    } finally {
      await this.#ended;
    }
  }

  /** Lets the process end, and resolves when it has: one that is left behind stays as a zombie where nobody reaps it. */
  async close(): Promise<void> {
    this.#wake();
    this.#child.stdin.end();
    await this.#ended;
  }

  /** Lets the program end although this process runs, until something is asked of it. */
  idle(): this {
    for (const handle of this.#handles()) handle.unref();
    this.#isIdle = true;
    return this;
  }

  #handles(): readonly { ref(): unknown; unref(): unknown }[] {
    const { stdin, stdout, stderr } = this.#child;
    // Pipes of a child are sockets, whatever their type says.
    return [this.#child, ...([stdin, stdout, stderr] as unknown as { ref(): unknown; unref(): unknown }[])];
  }

  #wake(): void {
    if (this.#isIdle) for (const handle of this.#handles()) handle.ref();
    this.#isIdle = false;
  }

  #ask(name: string): void {
    this.#wake();
    const { stdin } = this.#child;
    if (!this.#isAsking) {
      // What is asked together goes in one write, and is answered then.
      this.#isAsking = true;
      stdin.cork();
      queueMicrotask(() => {
        this.#isAsking = false;
        if (this.takesCommands) stdin.write('flush\n');
        stdin.uncork();
      });
    }
    stdin.write(Buffer.from(this.takesCommands ? `contents ${name}\n` : `${name}\n`, 'latin1'));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #header(): Promise<FoundObject | undefined> {
    const line = (await this.#queue.until(0x0a)).toString('latin1');
    const match = /^([0-9a-f]+) (blob|tree|commit|tag) (\d+)$/.exec(line);
    if (match === null) return undefined;
    return { id: match[1] ?? '', type: match[2] as ObjectType, size: Number(match[3]) };
  }
}
