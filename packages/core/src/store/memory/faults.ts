/** Places where a test makes the memory store fail, as a full disk or a killed process would. */
import { contextError } from '../../base/errors.js';

/** `object`: one object becomes durable; `ref`: a ref is about to move; `check`: it has moved; `read`: anything is read. */
export type FaultPoint = 'object' | 'ref' | 'check' | 'read';

/** Called before each step; what it throws is what the caller of the store sees. */
export type FaultHook = (point: FaultPoint) => void;

/** Returns a hook that fails the `n`-th call (from 1) of a step at one of `points`, and only that one. */
export function failCall(n: number, points: readonly FaultPoint[], error?: Error): FaultHook {
  let calls = 0;
  return (point) => {
    if (!points.includes(point)) return;
    calls += 1;
    if (calls !== n) return;
    throw error ?? contextError('store_unwritable', { directory: 'memory', reason: `fault at call ${String(n)}` });
  };
}
