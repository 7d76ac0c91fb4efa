/** `verify`: content ids, signatures, chains, slices, anchors; offline. */
import type { Repository } from './repository.js';
import type { Check, Verdict } from '../model/verdict.js';

export interface VerifyRequest {
  readonly repository: Repository;
  /** Default: this worktree's head. */
  readonly selector?: string;
  /** Every timeline of every worktree, and imports. */
  readonly all?: boolean;
  /** Also reads every byte. */
  readonly deep?: boolean;
  readonly progress?: (done: number, total: number) => void;
}

export interface VerifyResultEntry {
  /** What the stored bytes hash to, or the commit where there is no body. */
  readonly id: string;
  readonly timeline: string;
  readonly sequence?: number;
  readonly commit: string;
  readonly verdict: Verdict;
  readonly checks: readonly Check[];
}

export interface VerifyResult {
  readonly results: readonly VerifyResultEntry[];
  readonly completeness: 'proven' | 'not_proven';
  /** Plain sentences: what is proven, and what is not. */
  readonly proven: readonly string[];
  readonly notProven: readonly string[];
  /** 0, 14, 15 or 16 (design section "Fine points" 2). */
  readonly exitCode: number;
}
export declare function verify(request: VerifyRequest): Promise<VerifyResult>;
