/** `capture`: takes a snapshot. */
import type { Repository } from './repository.js';
import type { SnapshotBody } from '../model/snapshot.js';
import type { Trigger } from '../model/trigger.js';
import type { Verdict } from '../model/verdict.js';
import type { ScanProgress } from '../worktree/worktree.js';

export interface CaptureRequest {
  readonly repository: Repository;
  readonly message?: string;
  readonly tags?: readonly string[];
  readonly trigger?: Trigger;
  /** A log file; `false`: none. Default: look for one. */
  readonly transcript?: string | false;
  readonly fresh?: boolean;
  readonly progress?: (progress: ScanProgress) => void;
  readonly signal?: AbortSignal;
}

export interface CaptureResult extends SnapshotBody {
  readonly id: string;
  readonly shortId: string;
  readonly verdict: Verdict;
  /** True where nothing differs from the head, whose id this is then. */
  readonly unchanged: boolean;
  /** Sentences for the user: a guessed transcript, a hint why there is none, an unsigned snapshot. */
  readonly notes: readonly string[];
}
export declare function capture(request: CaptureRequest): Promise<CaptureResult>;
