/** Actions: what the agent did (format section "Actions"). */
import type { RepoPath } from '../../base/path.js';
import type { ContentReference } from './item.js';
import type { ObjectId } from '../tree/tree.js';

export type ActionKind = 'model' | 'read' | 'search' | 'edit' | 'shell' | 'check' | 'fetch' | 'spawn' | 'mcp';

export type ActionStatus = 'running' | 'ok' | 'error' | 'timeout' | 'denied' | 'cancelled';

/** A file that an action read, with the blob that it saw where that is known. */
export interface FileRead extends RepoPath {
  readonly blob?: ObjectId;
}

/** A file that an action wrote; absent blobs are not known, `null` never stands here: an absent file has `existed: false`. */
export interface FileWrite extends RepoPath {
  readonly existed?: boolean;
  readonly before?: ObjectId;
  readonly after?: ObjectId;
}

export interface ActionRecord {
  readonly id: string;
  /** From 0, in the order in which the log names them. */
  readonly sequence: number;
  readonly kind: ActionKind;
  /** The agent's own name of the tool. */
  readonly tool: string;
  readonly callId?: string;
  /** The arguments as JSON text. */
  readonly arguments?: ContentReference;
  readonly startedAt?: string;
  readonly milliseconds?: number;
  readonly status: ActionStatus;
  readonly exitCode?: number;
  readonly output?: ContentReference;
  readonly reads: readonly FileRead[];
  readonly writes: readonly FileWrite[];
  /** Command line, for the history of commands. */
  readonly command?: string;
  /** The agent's id of the child session that it began. */
  readonly child?: string;
}
