/**
 * What a line of an agent's log means, in words of no agent: readers of logs make events, the fold of records takes them.
 * Items are numbered by their order in the log, from 0; events refer to them by that number.
 */
import type { ActionKind, ActionStatus } from './action.js';
import type { ItemKind, ItemRun, LineRange, Selection } from './item.js';
import type { LedgerEntry } from './ledger.js';
import type { TodoEntry } from './session.js';

/** Content that stands in the line that is read, by pointers into it (`log-value.ts`). */
export interface LineContent {
  readonly pointers: readonly string[];
  readonly base64?: boolean;
}

/** Something came before the model, or will with the next request. */
export interface ItemEvent {
  readonly event: 'item';
  /** The same in every log that repeats this item, and different from that of every other one. */
  readonly key: string;
  readonly kind: ItemKind;
  readonly role: string;
  readonly path?: string;
  readonly range?: LineRange;
  readonly content: LineContent;
  readonly sent?: LineContent;
  /** The agent's id of the call that brought it. */
  readonly call?: string;
  readonly selection: Selection;
  readonly at?: string;
  /** The text is what a person asked for. */
  readonly prompt?: boolean;
}

/** It became known how an earlier item stood in a request. */
export interface SentEvent {
  readonly event: 'sent';
  readonly item: number;
  readonly content?: LineContent;
  readonly inside?: number;
}

/** Tokens of items were counted by the provider. */
export interface CountedEvent {
  readonly event: 'counted';
  readonly items: readonly number[];
  readonly tokens: number;
}

/** A path as the agent names it, absolute or relative to where it works, and what it read or wrote where that is known. */
export interface FileTouch {
  readonly path: string;
  /** The whole file as it was read. */
  readonly text?: string;
  readonly existed?: boolean;
  /** The whole file before and after a write. */
  readonly before?: string;
  readonly after?: string;
}

export interface CallEvent {
  readonly event: 'call';
  readonly call: string;
  readonly kind: ActionKind;
  readonly tool: string;
  readonly arguments: LineContent;
  readonly command?: string;
  readonly reads: readonly FileTouch[];
  readonly writes: readonly FileTouch[];
  readonly at?: string;
}

/** How a call ended. Absent fields say nothing; files replace those of the call. */
export interface ResultEvent {
  readonly event: 'result';
  readonly call: string;
  readonly status: ActionStatus;
  readonly exitCode?: number;
  readonly milliseconds?: number;
  readonly output?: LineContent;
  readonly reads?: readonly FileTouch[];
  readonly writes?: readonly FileTouch[];
  readonly child?: string;
  readonly at?: string;
}

/** What the provider says that a request cost; the same request may be named again, then the larger numbers hold. */
export interface UsageEvent extends Omit<LedgerEntry, 'id' | 'sequence'> {
  readonly event: 'usage';
  /** True for the requests of the session itself, whose input is its window. */
  readonly own: boolean;
}

/** A request was sent: these items were before the model, in this order. */
export interface WindowEvent {
  readonly event: 'window';
  readonly request?: string;
  readonly exact: boolean;
  readonly items: readonly ItemRun[];
}

/** What was in the window was taken out; what follows stands in its place. */
export interface CompactionEvent {
  readonly event: 'compaction';
}

export interface SessionEvent {
  readonly event: 'session';
  readonly agentVersion?: string;
  readonly title?: string;
  readonly model?: string;
  readonly branch?: string;
  /** Absolute path of where the agent works. */
  readonly directory?: string;
  readonly at?: string;
  readonly state?: 'active' | 'idle' | 'ended';
  readonly progress?: readonly TodoEntry[];
}

/** What one line of a log says, in words of no agent. */
export type LogEvent =
  | ItemEvent
  | SentEvent
  | CountedEvent
  | CallEvent
  | ResultEvent
  | UsageEvent
  | WindowEvent
  | CompactionEvent
  | SessionEvent;
