/** `status`: health, in the open. */
import type { Repository } from './repository.js';

export interface StatusRequest {
  readonly repository: Repository;
}
export interface StatusResult {
  readonly root: string;
  readonly repository: string;
  readonly worktree: string;
  readonly snapshots: number;
  readonly timelines: number;
  readonly head?: {
    readonly id: string;
    readonly shortId: string;
    readonly createdAt: string;
    readonly complete: boolean;
    readonly message: string;
  };
  readonly key: { readonly signer?: string; readonly problem?: string };
  readonly git: { readonly version: string; readonly objectFormat: string };
  /** Of the last capture that failed since the last good one. */
  readonly failures: {
    readonly count: number;
    readonly last?: { readonly at: string; readonly code: string; readonly message: string };
  };
  /** What needs the user's attention: mirror remotes, no pre-push guard, an unsigned head, a failed capture. */
  readonly warnings: readonly { readonly code: string; readonly message: string; readonly hint?: string }[];
}
export declare function status(request: StatusRequest): Promise<StatusResult>;
