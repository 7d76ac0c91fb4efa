/** The files of a bundle's archive, one after the other, within limits. Nothing here knows what they mean. */
import { compareBytes } from '../../base/bytes.js';
import { BLOCK_BYTES, paddingBytes, readUstarHeader, type UstarEntry } from '../../format/ustar.js';
import type { BundleLimits } from '../../model/bundle.js';
import { ByteSource } from './byte-source.js';
import { refusal, shown } from './refusal.js';

const PIECE_BYTES = 64 * 1024;
const GZIP = [0x1f, 0x8b];

/** Reads an archive. `peek` says what comes next; its content is taken once, with `whole` or `content`. */
export class Archive {
  readonly #source: ByteSource;
  readonly #limits: BundleLimits;
  #next: UstarEntry | undefined;
  #state: 'before' | 'header' | 'end' = 'before';
  #bytes = 0;
  #files = 0;

  constructor(chunks: AsyncIterable<Uint8Array>, limits: BundleLimits) {
    this.#source = new ByteSource(chunks);
    this.#limits = limits;
  }

  /** Returns the next file's path and size, or undefined behind the last one. @throws bundle_refused */
  async peek(): Promise<UstarEntry | undefined> {
    if (this.#state === 'before') await this.#readHeader();
    return this.#state === 'end' ? undefined : this.#next;
  }

  /** Returns the size of the next file, which has to have this path. @throws bundle_refused */
  async expect(path: string): Promise<number> {
    const next = await this.peek();
    if (next?.path === path) return next.bytes;
    if (next === undefined) throw refusal('missing_object', `it has no ${shown(path)}`);
    throw refusal('unexpected_entry', `it has ${shown(next.path)} where ${shown(path)} should be`);
  }

  /** Returns the bytes of the next file. @throws bundle_refused, before it reads them, where they are more than `most` */
  async whole(path: string, most: number): Promise<Uint8Array> {
    const bytes = await this.expect(path);
    if (bytes > most) throw refusal('unexpected_entry', `${shown(path)} has more than ${String(most)} bytes`);
    this.#state = 'before';
    const content = new Uint8Array(await this.#source.take(bytes));
    await this.#padding(bytes);
    return content;
  }

  /** Yields the bytes of the next file, which is known from `expect`. @throws bundle_refused */
  async *content(): AsyncGenerator<Uint8Array> {
    const bytes = this.#next?.bytes ?? 0;
    this.#state = 'before';
    for (let left = bytes; left > 0;) {
      const piece = await this.#source.some(Math.min(left, PIECE_BYTES));
      if (piece.length === 0) throw refusal('truncated', 'it ends in the middle');
      left -= piece.length;
      yield piece;
    }
    await this.#padding(bytes);
  }

  close(): Promise<void> {
    return this.#source.close();
  }

  async #readHeader(): Promise<void> {
    const block = await this.#source.take(BLOCK_BYTES);
    if (this.#files === 0 && block[0] === GZIP[0] && block[1] === GZIP[1]) {
      throw refusal('not_canonical', 'it is compressed, and bundles are not; unpack it with `gunzip` first');
    }
    if (isZero(block)) {
      await this.#end();
      return;
    }
    const entry = readUstarHeader(block);
    if (entry === undefined) throw refusal('not_canonical', 'the header of a file in it is not of the one form');
    this.#files += 1;
    this.#bytes += entry.bytes;
    const { files, bytes, fileBytes } = this.#limits;
    // Manifests and proofs come on top of the files themselves.
    if (this.#files > 2 * files) throw refusal('unexpected_entry', `it has more than ${String(files)} files`);
    if (entry.bytes > fileBytes)
      throw refusal('unexpected_entry', `a file in it has more than ${String(fileBytes)} bytes`);
    if (this.#bytes > bytes) throw refusal('unexpected_entry', `it has more than ${String(bytes)} bytes`);
    this.#next = entry;
    this.#state = 'header';
  }

  async #end(): Promise<void> {
    const last = await this.#source.take(BLOCK_BYTES);
    const beyond = isZero(last) ? await this.#source.some(1) : last;
    if (beyond.length > 0) throw refusal('unexpected_entry', 'it goes on behind its end');
    this.#state = 'end';
  }

  async #padding(bytes: number): Promise<void> {
    const padding = await this.#source.take(paddingBytes(bytes));
    if (!isZero(padding)) throw refusal('not_canonical', 'something stands between its files');
  }
}

const ZEROS = new Uint8Array(BLOCK_BYTES);

function isZero(bytes: Uint8Array): boolean {
  return compareBytes(bytes, ZEROS.subarray(0, bytes.length)) === 0;
}
