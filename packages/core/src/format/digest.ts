/** BLAKE3-256, the digest of ids, files and manifests, as 64 lower hex digits. */
import { Hasher, hash } from 'blake3-jit';
import { hex } from '../base/bytes.js';
import { SMALL_BYTES, smallBlake3 } from './blake3/small.js';
import { wideBlake3 } from './blake3/wide.js';

/** Four chunks at a time are quicker from here on, once what does it has been compiled, which is worth it for so many bytes. */
const FOUR_CHUNKS = 4 * 1024;
const WORTH_BYTES = 256 * 1024;

let passed = 0;

export function blake3(bytes: Uint8Array): string {
  passed += bytes.length;
  const isSmall = bytes.length <= (passed > WORTH_BYTES ? FOUR_CHUNKS : SMALL_BYTES);
  return (isSmall ? smallBlake3(bytes) : wideBlake3(bytes)) ?? hex(hash(bytes));
}

/** A running digest, for content that need not fit in memory. */
export interface RunningDigest {
  update(bytes: Uint8Array): RunningDigest;
  /** Returns the digest of what was added so far; more can be added afterwards. */
  hex(): string;
}

/** More than this is not held together: a digest of bytes that come piece by piece takes several times as long. */
const HELD_BYTES = 1024 * 1024;

export function blake3Hasher(): RunningDigest {
  let held: Uint8Array[] = [];
  let length = 0;
  let running: Hasher | undefined;
  const digest: RunningDigest = {
    update: (bytes) => {
      length += bytes.length;
      // The caller may use its buffer again.
      if (length <= HELD_BYTES) held.push(new Uint8Array(bytes));
      else {
        running ??= begun(held);
        held = [];
        running.update(bytes);
      }
      return digest;
    },
    hex: () => (running === undefined ? blake3(Buffer.concat(held)) : hex(running.finalize())),
  };
  return digest;
}

function begun(held: readonly Uint8Array[]): Hasher {
  const hasher = new Hasher();
  for (const bytes of held) hasher.update(bytes);
  return hasher;
}
