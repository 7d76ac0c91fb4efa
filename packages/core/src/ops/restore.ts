/** `restore`: brings parts of a snapshot back into the present; the timeline does not move. */
import type { RepoPath } from '../base/path.js';
import type { OperationRequest, OperationResult } from './operation-result.js';

export interface RestoreRequest extends OperationRequest {
  readonly selector: string;
  /** Files and directories to bring back; without any, and without `slice`, it is the context that is merged. */
  readonly paths?: readonly (string | RepoPath)[];
  /** `worktree` (all files), `index` (the staged tree) or `transcript` (with `to`). */
  readonly slice?: string;
  /** Absolute path of a directory, empty or not yet there: written there, and nothing in the worktree changes. */
  readonly to?: string;
  /** First check the anchored commit out; refused where anything is not committed. */
  readonly git?: boolean;
  readonly exact?: boolean;
}

export interface RestoreResult extends OperationResult {
  /** With `to`: where it was written. */
  readonly to?: string;
  /** With `git`: what is checked out now. */
  readonly git?: { readonly commit: string; readonly branch?: string };
}
