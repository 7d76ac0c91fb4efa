/** `list`: snapshots, newest first. */
import type { Repository } from './repository.js';
import type { SnapshotBody } from '../model/snapshot.js';
import type { Verdict } from '../model/verdict.js';

export interface ListRequest {
  readonly repository: Repository;
  readonly tag?: string;
  readonly session?: string;
  readonly branch?: string;
  /** ISO time or words such as "2 hours ago". */
  readonly since?: string;
  readonly limit?: number;
  /** Every timeline of every worktree, and imports. */
  readonly all?: boolean;
  /** Only what existed at this snapshot's time (global `--at`). */
  readonly at?: string;
}

export interface SnapshotSummary extends Pick<
  SnapshotBody,
  | 'timeline'
  | 'sequence'
  | 'parents'
  | 'createdAt'
  | 'message'
  | 'tags'
  | 'trigger'
  | 'session'
  | 'anchor'
  | 'complete'
  | 'totals'
  | 'origin'
> {
  readonly id: string;
  readonly shortId: string;
  /** Of content id and signature; `verify` looks at the rest. */
  readonly verdict: Verdict;
}

export interface ListResult {
  readonly snapshots: readonly SnapshotSummary[];
  /** True where `limit` cut the list. */
  readonly more: boolean;
}
export declare function list(request: ListRequest): Promise<ListResult>;
