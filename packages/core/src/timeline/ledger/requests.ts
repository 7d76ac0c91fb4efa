/** Each provider request once: forks, resumed sessions, subagents and retries of a line tell of the same ones again. */
import type { LedgerEntry } from '../../model/context/ledger.js';

/** The ledger of one session, by the name of its folder. */
export interface SessionLedger {
  readonly session: string;
  readonly entries: readonly LedgerEntry[];
}

/** An entry with the session that told of it first. */
export interface RequestEntry extends LedgerEntry {
  readonly session: string;
}

const NUMBERS = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWriteLong', 'reasoning', 'costMicros'] as const;

/** Returns the keys by which an entry is known: either of the provider's ids, else its own. */
export function keysOf({ requestId, messageId, id }: LedgerEntry): readonly string[] {
  const keys = [requestId, messageId].filter((key) => key !== undefined);
  return keys.length > 0 ? keys : [id];
}

/** Puts ledgers together; of entries of one request, the larger numbers hold. */
export function eachRequestOnce(ledgers: readonly SessionLedger[]): readonly RequestEntry[] {
  const byKey = new Map<string, number>();
  const requests: (RequestEntry | undefined)[] = [];
  for (const { session, entries } of ledgers) {
    for (const entry of entries) {
      const keys = keysOf(entry);
      const known = [...new Set(keys.flatMap((key) => byKey.get(key) ?? []))];
      const at = known[0] ?? requests.length;
      // An entry with both ids can show that two entries with one id each are one request.
      const same = known.flatMap((index) => requests[index] ?? []);
      known.slice(1).forEach((index) => (requests[index] = undefined));
      const merged = [...same, { ...entry, session }].reduce(larger);
      requests[at] = merged;
      if (known.length > 1) for (const [key, index] of byKey) if (known.includes(index)) byKey.set(key, at);
      for (const key of keys) byKey.set(key, at);
    }
  }
  return requests.filter((entry) => entry !== undefined);
}

function larger(first: RequestEntry, second: RequestEntry): RequestEntry {
  const numbers = NUMBERS.flatMap((name) => {
    const values = [first[name], second[name]].filter((value) => value !== undefined);
    return values.length === 0 ? [] : [[name, Math.max(...values)] as const];
  });
  return { ...second, ...first, ...Object.fromEntries(numbers), estimated: first.estimated && second.estimated };
}
