/** Cuts the stored bytes of a log into whole lines, each with where it begins; how the bytes come in does not matter. */
import { LONGEST_LINE, type RecordFold } from '../../records/fold.js';

/** A line that is too long to be read has no bytes. */
type Line = Parameters<RecordFold['push']>[0];

export class StoredLines {
  #offset: number;
  #pending: Uint8Array[] = [];
  #length = 0;

  /** `offset` is where the first byte stands, which begins a line. */
  constructor(offset: number) {
    this.#offset = offset;
  }

  /** Where the first line begins that has not ended yet. */
  get offset(): number {
    return this.#offset;
  }

  *push(bytes: Uint8Array): Iterable<Line> {
    let from = 0;
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, from)) {
      this.#keep(bytes.subarray(from, at));
      yield this.#take();
      from = at + 1;
    }
    this.#keep(bytes.subarray(from));
  }

  #keep(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length > LONGEST_LINE) this.#pending = [];
    else if (piece.length > 0) this.#pending.push(piece);
  }

  #take(): Line {
    const offset = this.#offset;
    const [only] = this.#pending;
    const bytes = this.#pending.length === 1 && only !== undefined ? only : Buffer.concat(this.#pending);
    const line = this.#length > LONGEST_LINE ? { offset } : { offset, bytes };
    this.#offset += this.#length + 1;
    this.#pending = [];
    this.#length = 0;
    return line;
  }
}
