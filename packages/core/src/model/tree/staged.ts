/** Content of `index.json`: the staged state, where it is not simply HEAD's tree. */
import type { RepoPath } from '../../base/path.js';

/** One stage of a path in conflict. */
export interface UnmergedEntry extends RepoPath {
  /** 1 base, 2 ours, 3 theirs. */
  readonly stage: number;
  readonly mode: string;
  readonly blob: string;
}

export type StagedFlag = 'intent_to_add' | 'assume_unchanged' | 'skip_worktree';

export interface FlaggedEntry extends RepoPath {
  readonly flags: readonly StagedFlag[];
}

export interface StagedRecord {
  /** Tree of the entries at stage 0 without intent-to-add; folder `index/` holds it. */
  readonly tree: string;
  readonly unmerged: readonly UnmergedEntry[];
  readonly flagged: readonly FlaggedEntry[];
}
