/** What a reader of Codex must know to go on with the next line: plain data, bounded by what the window holds and what is open. */
import type { JsonValue } from '../../../base/json.js';
import type { OpenCall } from '../../call.js';
import type { GrowingRuns, ItemSpan } from '../../item-runs.js';

/** A message of the history: the items that it brought, and the number that the log gives it. */
export interface HistoryEntry extends ItemSpan {
  readonly sequence?: number;
  /** A person asked for this. */
  readonly prompt?: boolean;
  /** The rules that the agent puts before every request. */
  readonly rules?: boolean;
}

export interface EndableCall extends OpenCall {
  /** How it ended has been told already. */
  readonly ended?: boolean;
}

export interface ReaderState {
  items: number;
  /** The id of the session, once it is told. */
  session?: string;
  model?: string;
  /** What the next request begins with, in order, and its items. */
  history: HistoryEntry[];
  runs: GrowingRuns;
  /** Number of the newest message that the newest answer was made from. */
  sampled?: number;
  /** True between the first and the last line of an answer. */
  answering: boolean;
  /** Items of the newest answer. */
  answer: number[];
  calls: Map<string, EndableCall>;
  /** True where the log tells of each request; else only sums are known, and the newest of them is kept. */
  counted: boolean;
  total?: string;
}

export function newState(): ReaderState {
  return { items: 0, history: [], runs: [], answering: false, answer: [], calls: new Map(), counted: false };
}

export function saveState({ calls, ...rest }: ReaderState): JsonValue {
  return structuredClone({ ...rest, calls: [...calls] }) as unknown as JsonValue;
}

export function loadState(saved: JsonValue): ReaderState {
  const { calls, ...rest } = structuredClone(saved) as unknown as Omit<ReaderState, 'calls'> & {
    readonly calls: readonly [string, EndableCall][];
  };
  return { ...rest, calls: new Map(calls) };
}
