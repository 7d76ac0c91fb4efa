/** Returns the ContextError that `work` throws; anything else fails the test. */
import { ContextError } from '../../src/base/errors.js';

export function failure(work: () => unknown): ContextError {
  try {
    work();
  } catch (error) {
    if (error instanceof ContextError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
