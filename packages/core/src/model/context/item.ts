/** Items: what stood in front of the model (format section "Context"). */
import type { LogPlace } from './log-value.js';
import type { OperationId } from '../operation.js';
import type { SnapshotId } from '../snapshot.js';
import type { ObjectId } from '../tree/tree.js';

export type ItemKind = 'message' | 'file' | 'url' | 'snippet' | 'command' | 'image' | 'rules' | 'memory' | 'summary';

/** `explicit`: a person or an agent named it; `heuristic`: it was found by a rule. */
export type Selection = 'explicit' | 'heuristic';

/** `in` the window now; `evicted`: left out since by the agent; `compacted`: a summary stands in its place. */
export type WindowState = 'in' | 'evicted' | 'compacted';

/** Lines of a file, both counted from 1 and included. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Where the bytes of an item or of an output are, so that they are stored once. `transcript`: in the stored log, at the
 * line that begins at byte `offset` of it, what stands at each pointer (RFC 6901), joined without anything between
 * (`log-value.ts`). `worktree`: the blob is in this snapshot's own worktree. `content`: it is linked below `content/`.
 */
export type ContentPlace = LogPlace | { readonly in: 'worktree' } | { readonly in: 'content' };

/** Bytes, and where they are kept. */
export interface ContentReference {
  /** Git blob id of what has a blob of its own. What stands in the log has none: its id follows from the bytes there. */
  readonly blob?: ObjectId;
  readonly bytes: number;
  readonly place: ContentPlace;
}

/** A number of tokens; `estimated` where no provider counted it. */
export interface TokenCount {
  readonly count: number;
  readonly estimated: boolean;
}

/** Where an item was before a restore added it here. */
export interface ItemOrigin {
  readonly snapshot: SnapshotId;
  /** Its id there. */
  readonly item: string;
}

/** Bytes of a token, roughly, in source code and English with the models of today. */
const BYTES_PER_TOKEN = 4;
/** What providers ask for an image of ordinary size. */
const TOKENS_PER_IMAGE = 1600;

/** Returns the tokens of an item that no provider counted. Such a count is not stored: it follows from the item's bytes. */
export function estimatedTokens(kind: ItemKind, bytes: number): TokenCount {
  return { count: kind === 'image' ? TOKENS_PER_IMAGE : Math.ceil(bytes / BYTES_PER_TOKEN), estimated: true };
}

/** An item as it is stored. What can be derived is not: preview, window state and relevance are computed when it is read. */
export interface ItemRecord {
  /** `<session folder>:<sequence>` is unique in a snapshot; the id is the same in every snapshot that has the item. */
  readonly id: string;
  /** From 0, in the order in which the log names them. */
  readonly sequence: number;
  readonly kind: ItemKind;
  /** Who speaks, for messages: `user`, `assistant`, `system`. */
  readonly role?: string;
  /** Path in the worktree, absolute path outside it, address or command line. */
  readonly path?: string;
  /** The exact bytes of a path that is not UTF-8, base64. */
  readonly pathBytes?: string;
  readonly range?: LineRange;
  /** The thing itself: of a file the lines as they are in it, of a command what it wrote. */
  readonly content: ContentReference;
  /** What stood before the model in its place, where that is something else: with line numbers, in a frame, with notes. */
  readonly sent?: ContentReference;
  /** Sequence of the item whose `sent` bytes also hold this one's, so that they are not counted twice. */
  readonly inside?: number;
  /** Of this item alone. */
  readonly tokens: TokenCount;
  /** Id of the action that brought it. */
  readonly from?: string;
  readonly selection: Selection;
  readonly pinned?: boolean;
  /** When it came, as formatted time, where the log says. */
  readonly at?: string;
  /** Of an item that a restore added: it did not stand before this session's model, and its bytes are below `content/`. */
  readonly origin?: ItemOrigin;
}

/** A run of items by sequence, both ends included. */
export interface ItemRun {
  readonly from: number;
  readonly to: number;
}

/** Which snapshot's window a rewind set. */
export interface WindowOrigin {
  readonly snapshot: SnapshotId;
  /** The rewind, so that an undo gives back exactly what it set. */
  readonly operation: OperationId;
}

/** What the model had before it in the newest request, and what became of the rest. */
export interface WindowRecord {
  /** Items of the newest request and what has come since, in the order in which they were sent. */
  readonly in: readonly ItemRun[];
  /** Items from this sequence on came after the newest request. */
  readonly since?: number;
  /** Items that a compaction took out; all others that are not `in` were evicted. */
  readonly compacted: readonly ItemRun[];
  /** Provider's or agent's id of the newest request. */
  readonly request?: string;
  /** True where the log itself says what was sent; false where it is inferred from the conversation. */
  readonly exact: boolean;
  /** Tokens of the newest request, all of its input, where the provider counted them. */
  readonly tokens?: number;
  /** Set by a rewind, until the agent's log says again what it sent. */
  readonly origin?: WindowOrigin;
}
