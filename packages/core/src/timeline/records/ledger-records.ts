/** The ledger of the fold: each request once, by either of the two ids that providers give it. */
import type { LedgerEntry } from '../../model/context/ledger.js';
import type { UsageEvent } from '../../model/context/log-event.js';
import type { Folding } from './folding.js';
import { countUpTo, recordId, timeIn, worded, wording } from './wording.js';

const NUMBERS = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'cacheWriteLong',
  'reasoning',
  'costMicros',
  'baseline',
  'sent',
] as const;

/** So many answers come at a time: that of the session, and those of subagents whose lines stand in its log. */
const MOST_GROWING = 16;

export function addUsage(folding: Folding, event: UsageEvent): void {
  const { state } = folding;
  const names = namesOf(event);
  const known = names.map((name) => state.requests.get(name)).find((sequence) => sequence !== undefined);
  const sequence = known ?? state.totals.requests;
  for (const name of names) state.requests.set(name, sequence);
  if (known === undefined) {
    state.totals.requests += 1;
    put(folding, entryOf(event, sequence, names[0] ?? `${state.session.agentSessionId} ${String(sequence)}`));
  } else {
    const entry = state.growing.get(known);
    if (entry !== undefined) put(folding, grown(entry, event));
  }
  if (event.own) noteWindow(folding, event);
}

function namesOf({ requestId, messageId }: UsageEvent): readonly string[] {
  return [requestId, messageId].flatMap((name) => (name === undefined ? [] : [wording(name)]));
}

function put({ state, changes }: Folding, entry: LedgerEntry): void {
  state.growing.set(entry.sequence, entry);
  changes.ledger.set(entry.sequence, entry);
  const [oldest] = state.growing.keys();
  if (state.growing.size > MOST_GROWING && oldest !== undefined) state.growing.delete(oldest);
}

function entryOf(event: UsageEvent, sequence: number, name: string): LedgerEntry {
  const { at, model, requestId, messageId, estimated } = event;
  const time = timeIn(at);
  return {
    id: recordId('ledger', name),
    sequence,
    ...(time !== undefined && { at: time }),
    ...worded('model', model),
    ...worded('requestId', requestId),
    ...worded('messageId', messageId),
    ...numbersOf(event),
    estimated,
  };
}

function numbersOf(event: UsageEvent): Partial<LedgerEntry> {
  return Object.fromEntries(NUMBERS.flatMap((name) => (event[name] === undefined ? [] : [[name, event[name]]])));
}

/** An answer that still comes is told of with what it cost so far. */
function grown(entry: LedgerEntry, event: UsageEvent): LedgerEntry {
  const larger = NUMBERS.flatMap((name) => {
    const values = [entry[name], event[name]].filter((value) => value !== undefined);
    return values.length === 0 ? [] : [[name, Math.max(...values)]];
  });
  return { ...entry, ...(Object.fromEntries(larger) as Partial<LedgerEntry>) };
}

/** The input of the session's newest request is what its window holds. */
function noteWindow({ state }: Folding, { input, cacheRead = 0, cacheWrite = 0 }: UsageEvent): void {
  if (input !== undefined) state.window = { ...state.window, tokens: countUpTo(input + cacheRead + cacheWrite) };
}
