/**
 * The small files beside the store, under `<git common dir>/savepoint/`: caches that can be rebuilt, identities, locks.
 * Names are `/`-separated and chosen by Savepoint, never by input.
 */
export interface LocalState {
  /** Returns the file's bytes, or undefined if there is none, or none that can be unpacked. */
  read(name: string, options?: { readonly packed?: boolean }): Promise<Uint8Array | undefined>;
  /** Returns at most the last `count` bytes of the file, or undefined if there is none. */
  readEnd(name: string, count: number): Promise<Uint8Array | undefined>;
  /**
   * Replaces the file whole: readers see the old bytes or the new. Durable when it returns, unless `cache` is set. `packed`
   * takes less room and more time; it is read the same way.
   */
  write(name: string, bytes: Uint8Array, options?: WriteOptions): Promise<void>;
  /** Makes the file only if there is none; returns the bytes that stand there then. Durable when it returns. */
  claim(name: string, bytes: Uint8Array): Promise<Uint8Array>;
  /** Appends in one write. Not durable: for caches. */
  append(name: string, bytes: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
  /**
   * Runs `work` while holding the named lock, waiting at most `waitMilliseconds` for a living holder. A dead holder's
   * lock is taken over only with proof that it is dead.
   * @throws timeline_locked
   */
  locked<T>(name: string, wait: number | LockWait, work: () => Promise<T>): Promise<T>;
}

export interface WriteOptions {
  readonly cache?: boolean;
  readonly packed?: boolean;
}

export interface LockWait {
  readonly milliseconds: number;
  /** Asked again and again while somebody else has the lock; what it throws ends the waiting. */
  readonly meanwhile: () => Promise<void>;
}
