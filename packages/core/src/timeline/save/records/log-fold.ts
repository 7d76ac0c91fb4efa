/** Folds what is new in one log while it is stored; where the fold cannot go on, it begins again with the first line. */
import { blake3 } from '../../../format/digest.js';
import type { RecordChanges, RecordFold } from '../../records/fold.js';
import { beginFold, foldVersion, type FoldedLog } from './record-fold.js';
import type { FoldPosition } from './record-memory.js';
import { StoredLines } from './stored-lines.js';

export interface LogStart {
  readonly log: FoldedLog;
  /** Where the last fold of this log stopped. */
  readonly position: FoldPosition | undefined;
  /** Parts that stay as they are, and their stored bytes together. */
  readonly kept: number;
  readonly start: number;
  /** Returns the stored bytes of one of these. */
  readonly read: (part: number) => Promise<Uint8Array>;
}

export interface FoldedChanges extends RecordChanges {
  /** True where these are all records of the log, not only the new ones. */
  readonly whole: boolean;
  readonly position?: FoldPosition;
}

/** Of a longer tail no position is kept, so that memory stays bounded. */
const TAIL_BYTES = 16 * 1024 * 1024;

export class LogFold {
  readonly #from: LogStart;
  readonly #tail: Tail;
  readonly #waiting: Uint8Array[] = [];
  #fold: RecordFold | undefined;
  #lines = new StoredLines(0);
  #whole = false;

  constructor(from: LogStart) {
    this.#from = from;
    this.#tail = new Tail(from);
  }

  /** Takes the stored bytes of the next part. */
  async take(bytes: Uint8Array, continues: boolean): Promise<void> {
    this.#tail.take(bytes, continues);
    if (this.#fold !== undefined) this.#push(bytes);
    else {
      this.#waiting.push(bytes);
      await this.#begin();
    }
  }

  /** @throws whatever the fold does */
  async finish(): Promise<FoldedChanges> {
    this.#fold ??= await this.#again();
    const version = foldVersion(this.#from.log);
    const tail = this.#tail.position(this.#lines.offset);
    const changes = this.#fold.take();
    return {
      ...changes,
      whole: this.#whole,
      ...(tail === undefined ? {} : { position: { ...tail, version, state: this.#fold.state() } }),
    };
  }

  /** Goes on where the last fold stopped, if what was folded then is still what the log says. */
  async #begin(): Promise<void> {
    const { position, kept, start, log } = this.#from;
    const fits = position?.version === foldVersion(log) && position.part === kept && position.start === start;
    if (!fits) {
      this.#fold = await this.#again();
      return;
    }
    if (this.#waiting.reduce((sum, { length }) => sum + length, 0) < position.done) return;
    const bytes = Buffer.concat(this.#waiting);
    if (blake3(bytes.subarray(0, position.done)) !== position.digest) {
      this.#fold = await this.#again();
      return;
    }
    this.#fold = beginFold(log, position.state);
    this.#lines = new StoredLines(start + position.done);
    this.#push(bytes.subarray(position.done));
  }

  async #again(): Promise<RecordFold> {
    const { log, kept, read } = this.#from;
    this.#whole = true;
    this.#lines = new StoredLines(0);
    this.#fold = beginFold(log);
    for await (const bytes of oneAhead(kept, read)) this.#push(bytes);
    for (const bytes of this.#waiting.splice(0)) this.#push(bytes);
    return this.#fold;
  }

  #push(bytes: Uint8Array): void {
    for (const line of this.#lines.push(bytes)) this.#fold?.push(line);
  }
}

/** Reads parts in their order; the next one is on its way while the one before is looked at. */
async function* oneAhead(count: number, read: LogStart['read']): AsyncGenerator<Uint8Array> {
  const begin = (part: number): Promise<Uint8Array> | undefined => {
    const reading = part < count ? read(part) : undefined;
    // Whoever waits for it is told; nobody does where the part before could not be folded.
    reading?.catch(() => undefined);
    return reading;
  };
  let next = begin(0);
  for (let part = 1; next !== undefined; part += 1) {
    const bytes = await next;
    next = begin(part);
    yield bytes;
  }
}

/** The parts that the next capture will cut again: the last one, with those that it continues. */
class Tail {
  #part: number;
  #start: number;
  #bytes: Uint8Array[] = [];
  #length = 0;
  #continues = true;

  constructor({ kept, start }: LogStart) {
    this.#part = kept;
    this.#start = start;
  }

  #parts = 0;

  take(bytes: Uint8Array, continues: boolean): void {
    if (!this.#continues) {
      this.#part += this.#parts;
      this.#start += this.#length;
      [this.#bytes, this.#length, this.#parts] = [[], 0, 0];
    }
    this.#continues = continues;
    this.#parts += 1;
    this.#length += bytes.length;
    if (this.#length > TAIL_BYTES) this.#bytes = [];
    else this.#bytes.push(bytes);
  }

  /** `folded` is where in the stored log the first line begins that has not ended. */
  position(folded: number): Omit<FoldPosition, 'version' | 'state'> | undefined {
    if (this.#length > TAIL_BYTES) return undefined;
    const done = folded - this.#start;
    const digest = blake3(Buffer.concat(this.#bytes).subarray(0, done));
    return { part: this.#part, start: this.#start, done, digest };
  }
}
