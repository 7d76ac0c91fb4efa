/** The one error for a bundle that does not hold, with the verdict that it stands for. */
import { contextError, type ContextError } from '../../base/errors.js';
import type { Verdict } from '../../model/verdict.js';

export function refusal(verdict: Verdict, reason: string): ContextError {
  return contextError('bundle_refused', { reason, verdict });
}

/** Returns a path for a sentence: what it holds comes from a stranger. */
export function shown(path: string): string {
  const plain = path.replace(/[^\x20-\x7e]/g, '?');
  return plain.length > 120 ? `${plain.slice(0, 120)}…` : plain;
}
