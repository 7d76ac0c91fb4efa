/** One line while it is read: what it said so far, and how an item is added. */
import type { ItemEvent, LogEvent } from '../../../model/context/log-event.js';
import type { LogObject } from '../../../model/context/log-value.js';
import { wordOf } from '../../log-fields.js';
import type { PendingItem, ReaderState } from './state.js';

/** No request takes longer to show an item; an older one is given up. */
const MOST_PENDING = 400;

export interface Reading {
  readonly state: ReaderState;
  readonly line: LogObject;
  readonly events: LogEvent[];
  /** The line's id in the tree of the conversation, or what stands for it. */
  readonly node: string;
  readonly at: string | undefined;
}

export function beginReading(state: ReaderState, line: LogObject): Reading {
  const node = wordOf(line, 'uuid') ?? `line ${String(state.items)}`;
  return { state, line, events: [], node, at: wordOf(line, 'timestamp') };
}

/** An older log also holds what its subagents said; that was never before this session's model. */
export function isEcho({ state, line }: Reading): boolean {
  return (line['isSidechain'] === true) !== (state.sidechain === true);
}

type NewItem = Omit<ItemEvent, 'event' | 'key' | 'at'>;

/** Adds an item and returns its number. */
export function addItem({ state, events, node, at }: Reading, part: string, item: NewItem): number {
  events.push({ event: 'item', key: `${node}#${part}`, ...item, ...(at !== undefined && { at }) });
  state.items += 1;
  return state.items - 1;
}

/** Remembers an item until a request shows it. */
export function awaitRequest({ state }: Reading, pending: PendingItem): void {
  state.pending.push(pending);
  if (state.pending.length > MOST_PENDING) state.pending.shift();
}
