/** Takes bytes from a stream in the amounts that a reader needs, and never holds more than a chunk and what was asked for. */
import { refusal } from './refusal.js';

export class ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array();
  #ended = false;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Returns what is there, at most so many bytes; empty only at the end. */
  async some(most: number): Promise<Uint8Array> {
    while (this.#chunk.length === 0 && !this.#ended) {
      const next = await this.#chunks.next();
      this.#ended = next.done === true;
      if (next.done !== true) this.#chunk = next.value;
    }
    const taken = this.#chunk.subarray(0, most);
    this.#chunk = this.#chunk.subarray(taken.length);
    return taken;
  }

  /** Returns exactly so many bytes. @throws bundle_refused where the stream ends before */
  async take(bytes: number): Promise<Uint8Array> {
    const first = await this.some(bytes);
    if (first.length === bytes) return first;
    const pieces = [first];
    for (let missing = bytes - first.length; missing > 0;) {
      const piece = await this.some(missing);
      if (piece.length === 0) throw refusal('truncated', 'it ends in the middle');
      pieces.push(piece);
      missing -= piece.length;
    }
    return new Uint8Array(Buffer.concat(pieces));
  }

  /** Gives up the stream. */
  async close(): Promise<void> {
    this.#ended = true;
    await this.#chunks.return?.();
  }
}
