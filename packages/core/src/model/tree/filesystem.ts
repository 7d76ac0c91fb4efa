/** Content of `filesystem.json`: what a git tree cannot hold (format section "filesystem.json"). */
import type { RepoPath } from '../../base/path.js';

/** `submodule`, `repository` (nested), `special` (FIFO, socket, device), `sparse` (outside the cone). */
export type BoundaryKind = 'submodule' | 'repository' | 'special' | 'sparse';

/** A path that a snapshot leaves alone by design: never touched, never evidence of absence. */
export interface Boundary extends RepoPath {
  readonly kind: BoundaryKind;
}

export type OmissionReason = 'unreadable' | 'changing' | 'too_large' | 'over_limit';

/** Content that belongs in the snapshot and is not there: a loss, so the snapshot is incomplete. */
export interface Omission extends RepoPath {
  readonly reason: OmissionReason;
  readonly bytes?: number;
}

/** Permission bits as four octal digits, such as `0644`. */
export type Mode = string;

export interface ModeException extends RepoPath {
  readonly mode: Mode;
}

/** A file or link whose name `git fsck` refuses in a tree; its bytes are under `content/`. */
export interface DivertedFile extends RepoPath {
  readonly type: 'file' | 'link';
  readonly mode: Mode;
  readonly blob: string;
}

export interface FilesystemRecord {
  /** The modes of what is not in `exceptions`: files without and with the executable bit, and directories. */
  readonly modes: { readonly file: Mode; readonly executable: Mode; readonly directory: Mode };
  readonly exceptions: readonly ModeException[];
  readonly emptyDirectories: readonly RepoPath[];
  readonly boundaries: readonly Boundary[];
  readonly omitted: readonly Omission[];
  /** What the ignore rules kept out; a directory ends in `/` and stands for all below it. */
  readonly ignored: readonly RepoPath[];
  readonly diverted: readonly DivertedFile[];
}
