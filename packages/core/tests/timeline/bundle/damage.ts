/** Every byte of a bundle changed, and every end cut off. */
import { inspectBundle } from '../../../src/timeline/shelf/take.js';
import { ContextError } from '../../../src/base/errors.js';
import { inPieces } from './bundles.js';

export interface Damage {
  /** Of each so many bytes one is tried. */
  readonly stride: number;
  readonly seed: number;
}

async function holds(bytes: Uint8Array): Promise<boolean> {
  try {
    await inspectBundle(inPieces(bytes));
    return true;
  } catch (error) {
    if (error instanceof ContextError && (error.kind === 'corrupt' || error.kind === 'too_new')) return false;
    throw error;
  }
}

/** Returns the places where a changed byte was not noticed; `values` are what each byte is combined with. */
export async function unnoticedFlips(
  original: Uint8Array,
  { stride, seed }: Damage,
  values: readonly number[],
): Promise<readonly number[]> {
  const unnoticed: number[] = [];
  for (let at = seed % stride; at < original.length; at += stride) {
    for (const value of values) {
      const bytes = Uint8Array.from(original);
      bytes[at] = (bytes[at] ?? 0) ^ value;
      if (await holds(bytes)) unnoticed.push(at);
    }
  }
  return unnoticed;
}

/** Returns the lengths at which a cut was not noticed. */
export async function unnoticedCuts(original: Uint8Array, { stride, seed }: Damage): Promise<readonly number[]> {
  const unnoticed: number[] = [];
  for (let length = seed % stride; length < original.length; length += stride) {
    if (await holds(original.subarray(0, length))) unnoticed.push(length);
  }
  return unnoticed;
}
