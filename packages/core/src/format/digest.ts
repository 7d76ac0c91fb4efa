/** BLAKE3-256, the digest of ids, files and manifests, as 64 lower hex digits. */
import { Hasher, hash } from 'blake3-jit';
import { hex } from '../base/bytes.js';
import { SMALL_BYTES, smallBlake3 } from './blake3/small.js';

export function blake3(bytes: Uint8Array): string {
  return (bytes.length <= SMALL_BYTES ? smallBlake3(bytes) : undefined) ?? hex(hash(bytes));
}

/** A running digest, for content that need not fit in memory. */
export interface RunningDigest {
  update(bytes: Uint8Array): RunningDigest;
  /** Returns the digest of what was added so far; more can be added afterwards. */
  hex(): string;
}

export function blake3Hasher(): RunningDigest {
  const hasher = new Hasher();
  const digest: RunningDigest = {
    update: (bytes) => {
      hasher.update(bytes);
      return digest;
    },
    hex: () => hex(hasher.finalize()),
  };
  return digest;
}
