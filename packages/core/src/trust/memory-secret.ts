/**
 * The secret under which is remembered what was proven: random bytes beside the own key, of which nothing else is made. Who has
 * it can make this user's own looks believe a signature, and nothing anywhere else.
 */
import type { Random } from '../base/clock.js';
import { fromHex } from '../base/bytes.js';
import { linkWhole, readWhole } from './key-disk.js';

/** Returns the secret, or undefined where there is none, or none that only its owner can read. */
export function readMemorySecret(file: string, isPrivate: (mode: number) => boolean): Uint8Array | undefined {
  try {
    const { content = '', mode = 0 } = readWhole(file) ?? {};
    const [, digits] = /^([0-9a-f]{64})\n$/.exec(content) ?? [];
    return digits === undefined || !isPrivate(mode) ? undefined : fromHex(digits);
  } catch {
    return undefined;
  }
}

/** Many processes may do this at once: the first one's secret stays. */
export function makeMemorySecret(file: string, random: Random): void {
  linkWhole(file, `${random.hex(64)}\n`, random);
}
