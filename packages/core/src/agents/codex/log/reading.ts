/** One line while it is read: what it said so far, and how an item is added. */
import type { ItemEvent, LogEvent } from '../../../model/context/log-event.js';
import type { LogObject } from '../../../model/context/log-value.js';
import { objectOf, wordOf } from '../../log-fields.js';
import type { ReaderState } from './state.js';

export interface Reading {
  readonly state: ReaderState;
  readonly line: LogObject;
  readonly payload: LogObject;
  readonly events: LogEvent[];
  readonly at: string | undefined;
}

export function beginReading(state: ReaderState, line: LogObject): Reading {
  return { state, line, payload: objectOf(line, 'payload') ?? {}, events: [], at: wordOf(line, 'timestamp') };
}

type NewItem = Omit<ItemEvent, 'event' | 'at'>;

/** Adds an item and returns its number. */
export function addItem({ state, events, at }: Reading, item: NewItem): number {
  events.push({ event: 'item', ...item, ...(at !== undefined && { at }) });
  state.items += 1;
  return state.items - 1;
}

/** Returns what names a message in every log that repeats it: its id, or when it was written. */
export function nameOf({ state, at }: Reading, message: LogObject): string {
  return wordOf(message, 'id') ?? wordOf(message, 'call_id') ?? `${at ?? ''} ${String(state.items)}`;
}
