/** The commit, branch and dirty state that a snapshot belongs to. */

export type ObjectFormat = 'sha1' | 'sha256';

export interface Anchor {
  /** Absent on an unborn branch. */
  readonly commit?: string;
  /** Short branch name; absent with a detached HEAD. */
  readonly branch?: string;
  /** True where the index differs from HEAD or the worktree, untracked files included, from the index. */
  readonly dirty: boolean;
  /** The tree of `commit`. */
  readonly headTree?: string;
  readonly objectFormat: ObjectFormat;
}
