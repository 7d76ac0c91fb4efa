/**
 * What the next request begins with. Newer logs number the messages (`history_sequence`) and say of each answer up to which
 * of them it was made from (`sampled_through_sequence`); in older ones it is all that came before. Tools stand in no line,
 * so no window is called exact.
 */
import type { ItemRun } from '../../../model/context/item.js';
import { asLogObject, type LogValue } from '../../../model/context/log-value.js';
import { addSpan, runsOfSpans } from '../../item-runs.js';
import { countOf, listOf, objectOf, textOf } from '../../log-fields.js';
import { addMessage } from './message.js';
import { addItem, nameOf, type Reading } from './reading.js';
import type { HistoryEntry, ReaderState } from './state.js';

/** What came after the message that an answer was made from stands at the end. */
const MOST_LATER = 100;

/** Takes a message with its items. */
export function note({ state, line }: Reading, entry: HistoryEntry): void {
  const sequence = countOf(objectOf(line, 'metadata'), 'history_sequence');
  if (entry.count === 0) return;
  state.history.push({ ...entry, ...(sequence !== undefined && { sequence }) });
  addSpan(state.runs, entry);
}

/** The rules stand before all else. */
export function noteRules({ state }: Reading, entry: HistoryEntry): void {
  state.history.unshift(entry);
  state.runs = runsOfSpans(state.history);
}

/** The first line of an answer shows that a request was made. */
export function windowBefore({ state, line, events }: Reading): void {
  const through = countOf(objectOf(line, 'metadata'), 'sampled_through_sequence');
  const isNew = through === undefined ? !state.answering : through !== state.sampled;
  if (!state.answering) state.answer = [];
  state.answering = true;
  if (!isNew) return;
  if (through !== undefined) state.sampled = through;
  events.push({ event: 'window', exact: false, items: runsThrough(state, through) });
}

/** Mostly all of it: the runs are kept beside the history, since making them anew for each answer would take the square of its length. */
function runsThrough({ history, runs }: ReaderState, through = Infinity): readonly ItemRun[] {
  const later = history.some(
    ({ sequence }, index) => index >= history.length - MOST_LATER && (sequence ?? 0) > through,
  );
  return later
    ? runsOfSpans(history.filter(({ sequence = 0 }) => sequence <= through))
    : runs.map((run) => ({ ...run }));
}

/** A compaction names the messages that take the place of all before it; some of them are known already. */
export function compact(reading: Reading): void {
  const { state, payload, events } = reading;
  events.push({ event: 'compaction' });
  const named = listOf(payload, 'replacement_history');
  state.history = named.length === 0 ? summarised(reading) : replaced(reading, named);
  state.runs = runsOfSpans(state.history);
  state.answering = false;
}

function replaced(reading: Reading, named: readonly LogValue[]): HistoryEntry[] {
  const { state, payload } = reading;
  const numbers = listOf(payload, 'replacement_history_metadata').map((one) =>
    countOf(asLogObject(one), 'history_sequence'),
  );
  const known = new Map(state.history.map((entry) => [entry.sequence, entry]));
  const rules = state.history.filter(isRules);
  const messages = named.flatMap((value, index): readonly HistoryEntry[] => {
    const sequence = numbers[index];
    const before = sequence === undefined ? undefined : known.get(sequence);
    if (before !== undefined) return [before];
    const entry = addMessage(reading, asLogObject(value) ?? {}, `/payload/replacement_history/${String(index)}`);
    return entry.count === 0 ? [] : [{ ...entry, ...(sequence !== undefined && { sequence }) }];
  });
  return [...rules, ...messages];
}

/** Older logs hold the summary alone; the prompts stay beside it. */
function summarised(reading: Reading): HistoryEntry[] {
  const { state, payload } = reading;
  const kept = state.history.filter((entry) => isRules(entry) || entry.prompt === true);
  if (textOf(payload, 'message') === undefined) return kept;
  const first = addItem(reading, {
    key: `${nameOf(reading, payload)}#summary`,
    kind: 'summary',
    role: 'user',
    content: { pointers: ['/payload/message'] },
    selection: 'heuristic',
  });
  return [...kept, { first, count: 1 }];
}

function isRules({ rules }: HistoryEntry): boolean {
  return rules === true;
}
