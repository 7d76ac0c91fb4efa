/** `rewind`: makes an earlier snapshot the present. */
import type { FileTotals, OperationRequest, OperationResult } from './perform.js';
import type { SnapshotSummary } from './list.js';
import type { Repository } from './repository.js';
import type { RepoPath } from '../base/path.js';

export interface RewindRequest extends OperationRequest {
  readonly selector: string;
  /** Files and directories, relative to the worktree's root; default: all. */
  readonly paths?: readonly (string | RepoPath)[];
  /** Only one of the two; default: both. */
  readonly part?: 'files' | 'context';
  /** Also remove files that are in no snapshot, and untracked ones from before a live session. */
  readonly exact?: boolean;
  /** Also the staged tree; without it the user's index is left as it is. */
  readonly index?: boolean;
}

export interface RewindPointsRequest {
  readonly repository: Repository;
  /** Default: 10. */
  readonly limit?: number;
}

/** `rewind --list`: the snapshots that one can go back to, newest first, and what each would change now. */
export interface RewindPointsResult {
  readonly points: readonly (SnapshotSummary & { readonly changes: FileTotals })[];
  /** True where `limit` cut the list. */
  readonly more: boolean;
}

export type RewindResult = OperationResult;
