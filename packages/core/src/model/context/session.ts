/** A session: one run of an agent (format section "Session"). */
import type { RepoPath } from '../../base/path.js';
import type { OperationId } from '../operation.js';
import type { SnapshotId } from '../snapshot.js';
import type { ContentReference } from './item.js';

export interface TodoEntry {
  readonly text: string;
  /** As the agent calls it, such as `pending`, `in_progress`, `completed`. */
  readonly status: string;
}

/** Which session of which snapshot a restore took records from. */
export interface SessionOrigin {
  readonly snapshot: SnapshotId;
  /** Name of its folder there. */
  readonly session: string;
  /** The restore that added them, so that an undo takes back exactly these. */
  readonly operation: OperationId;
}

export interface SessionRecord {
  /** Name of the folder below `transcript/`, `context/`, `actions/` and `ledger/`. */
  readonly id: string;
  readonly agent: string;
  readonly agentSessionId: string;
  readonly agentVersion?: string;
  readonly title?: string;
  /** The newest prompt that a person gave, where it stands in the log. */
  readonly prompt?: ContentReference;
  /** The task where no log says it, at most 500 characters; else it is read from `prompt`. */
  readonly task?: string;
  /** `id` of the session that began this one. */
  readonly parent?: string;
  /** Ids of the sessions that it began. */
  readonly children?: readonly string[];
  readonly state: 'active' | 'idle' | 'ended';
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly model?: string;
  readonly branch?: string;
  /** Absolute path of the worktree as the agent saw it; paths below it are relative in the records. */
  readonly directory?: string;
  /** Paths in the worktree that its tools read or wrote, in byte order. */
  readonly touched: readonly RepoPath[];
  readonly progress?: readonly TodoEntry[];
  /** Of what a restore added, which is a record of its own beside those of the session at work. */
  readonly origin?: SessionOrigin;
  readonly totals: {
    readonly prompts: number;
    readonly items: number;
    readonly actions: number;
    readonly requests: number;
    readonly compactions: number;
    /** Lines of the log that could not be read; their bytes are in `transcript/`. */
    readonly unreadable: number;
  };
}
