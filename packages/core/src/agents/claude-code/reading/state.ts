/** What a reader must know to go on with the next line: plain data, bounded by what the window holds and what is open. */
import type { JsonValue } from '../../../base/json.js';
import type { ItemRun } from '../../../model/context/item.js';
import type { OpenCall } from '../../call.js';
import type { GrowingRuns, ItemSpan } from '../../item-runs.js';

/** An item of the conversation that no request has shown yet. */
export interface PendingItem {
  readonly item: number;
  /** Digests of the texts that stand for it in a request. */
  readonly digests: readonly string[];
  /** The call that it is the result of. */
  readonly call?: string;
  /** True for text that a request may show in other words. */
  readonly reworded?: boolean;
  /** True where a part of it has been shown already. */
  readonly piece?: boolean;
}

/** Lines that make one message of a request, as long as no request has named it. */
export interface UnnamedMessage extends ItemSpan {
  readonly role: string;
  /** The provider's id, for an answer. */
  readonly id?: string;
  readonly digest: string;
  /** True from before a compaction: only a message in full shows it again. */
  readonly old?: boolean;
}

/** A message as requests name it. */
export interface NamedMessage {
  readonly role: string;
  readonly items: readonly ItemRun[];
}

/** A request's messages by name, so that the next one can keep some of them. */
export interface SentRequest {
  readonly id: string;
  /** Whether all of them are known. */
  readonly exact: boolean;
  readonly messages: readonly string[];
}

export interface ReaderState {
  items: number;
  /** Whether the log is that of a subagent, by its first line that says so. */
  sidechain?: boolean;
  /** What was last said of the session. */
  session: Record<string, string>;
  calls: Map<string, OpenCall>;
  pending: PendingItem[];
  /** The conversation as the window has it now: node and its items. */
  chain: [node: string, items: ItemSpan][];
  /** The items of the chain. */
  inferred: GrowingRuns;
  /** The newest answer, whose lines come one by one. */
  answer?: string;
  /** The agent's list of things to do. */
  todos: readonly { readonly id: string; readonly text: string; readonly status: string }[];
  unnamed: UnnamedMessage[];
  named: Map<string, NamedMessage>;
  shapes: Map<string, readonly ItemRun[]>;
  requests: SentRequest[];
}

export function newState(): ReaderState {
  return {
    items: 0,
    session: {},
    calls: new Map(),
    pending: [],
    chain: [],
    inferred: [],
    todos: [],
    unnamed: [],
    named: new Map(),
    shapes: new Map(),
    requests: [],
  };
}

/** Maps become lists of pairs. */
export function saveState({ calls, named, shapes, ...rest }: ReaderState): JsonValue {
  const plain = { ...rest, calls: [...calls], named: [...named], shapes: [...shapes] };
  return structuredClone(plain) as unknown as JsonValue;
}

export function loadState(saved: JsonValue): ReaderState {
  const { calls, named, shapes, ...rest } = structuredClone(saved) as unknown as Omit<
    ReaderState,
    'calls' | 'named' | 'shapes'
  > & {
    readonly calls: readonly [string, OpenCall][];
    readonly named: readonly [string, NamedMessage][];
    readonly shapes: readonly [string, readonly ItemRun[]][];
  };
  return { ...rest, calls: new Map(calls), named: new Map(named), shapes: new Map(shapes) };
}
