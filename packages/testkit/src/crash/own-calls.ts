/** Numbers the calls of this very process. It has to be started with the preload, before anything keeps a call for itself. */
import { createRequire } from 'node:module';
import { PRELOAD, type NumberedCall } from './numbered-calls.js';

interface Calls {
  arm(order: NumberedCall & { readonly below: string }): void;
  disarm(): { readonly count: number; readonly struck?: string };
}

const load = createRequire(import.meta.url);

/** Begins to count the calls below a directory; the n-th fails as asked. */
export function armOwnCalls(order: NumberedCall & { readonly below: string }): Pick<Calls, 'disarm'> {
  if (load.cache[PRELOAD] === undefined) throw new Error(`start this with: node --require ${PRELOAD}`);
  const calls = load(PRELOAD) as Calls;
  calls.arm(order);
  return calls;
}
