/** Keys with known seeds, and a random source that counts. */
import type { Random } from '../../src/base/clock.js';
import { signingKeyOf } from '../../src/trust/secret-key.js';

export const keyOf = (digits: string) => signingKeyOf(digits.repeat(64 / digits.length));

/** Gives different digits at every call, the same ones in every run. */
export function countingRandom(): Random {
  let calls = 0;
  return { hex: (digits) => (++calls).toString(16).padStart(digits, '0') };
}
