/** Bytes as they arrive from a pipe, taken out by length or up to a delimiter. */

interface Waiting {
  tryTake(): boolean;
  reject(error: Error): void;
}

export class ByteQueue {
  #chunks: Buffer[] = [];
  #size = 0;
  #waiting: Waiting[] = [];
  #failure: Error | undefined;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.#serve();
  }

  /** No more bytes will come: what waits, and what asks later for more than there is, fails with this. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#serve();
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#failure);
  }

  /** Resolves with exactly `count` bytes. */
  take(count: number): Promise<Buffer> {
    return this.#ask(() => (this.#size < count ? undefined : this.#cut(count)));
  }

  /** Resolves with at most `count` bytes, as soon as there is one. */
  some(count: number): Promise<Buffer> {
    return this.#ask(() => (this.#size === 0 ? undefined : this.#cut(Math.min(count, this.#chunks[0]?.length ?? 0))));
  }

  /** Resolves with the bytes before `delimiter`, which is dropped. */
  until(delimiter: number): Promise<Buffer> {
    let searched = 0;
    return this.#ask(() => {
      const at = this.#find(delimiter, searched);
      searched = this.#size;
      if (at < 0) return undefined;
      searched = 0;
      return this.#cut(at + 1).subarray(0, at);
    });
  }

  #find(delimiter: number, from: number): number {
    let offset = 0;
    for (const chunk of this.#chunks) {
      if (offset + chunk.length > from) {
        const at = chunk.indexOf(delimiter, Math.max(0, from - offset));
        if (at >= 0) return offset + at;
      }
      offset += chunk.length;
    }
    return -1;
  }

  #cut(count: number): Buffer {
    const pieces: Buffer[] = [];
    let missing = count;
    while (missing > 0) {
      const chunk = this.#chunks[0];
      if (chunk === undefined) break;
      if (chunk.length <= missing) {
        pieces.push(chunk);
        this.#chunks.shift();
        missing -= chunk.length;
      } else {
        pieces.push(chunk.subarray(0, missing));
        this.#chunks[0] = chunk.subarray(missing);
        missing = 0;
      }
    }
    this.#size -= count;
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  }

  #ask(take: () => Buffer | undefined): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const tryTake = (): boolean => {
        const bytes = take();
        if (bytes !== undefined) resolve(bytes);
        return bytes !== undefined;
      };
      if (this.#waiting.length === 0 && tryTake()) return;
      if (this.#failure !== undefined) reject(this.#failure);
      else this.#waiting.push({ tryTake, reject });
    });
  }

  #serve(): void {
    while (this.#waiting[0]?.tryTake() === true) this.#waiting.shift();
  }
}
