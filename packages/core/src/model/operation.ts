/** Operations: what rewind, restore, undo and redo did to the worktree, kept under `refs/savepoint/v1/operations/`. */
import type { RepoPath } from '../base/path.js';
import type { ObjectId } from './tree/tree.js';
import type { Signer, SnapshotBody, SnapshotId, Witness } from './snapshot.js';
import type { Trigger } from './trigger.js';

export const OPERATION_FORMAT = 'savepoint.operation/1';

/** 32 random lower hex digits. */
export type OperationId = string;

export const OPERATION_KINDS = ['rewind', 'restore', 'undo', 'redo'] as const;

/** The verb that made an operation. */
export type OperationKind = (typeof OPERATION_KINDS)[number];

/**
 * What happens to one path: it is written, removed, gets other permission bits, is left alone on purpose (`skip`), or is
 * left alone because somebody else's content stands there (`conflict`).
 */
export const FILE_ACTIONS = ['write', 'delete', 'mode', 'skip', 'conflict'] as const;
export type FileAction = (typeof FILE_ACTIONS)[number];

/** Why a path is kept although the target differs. The first group leaves the operation whole (exit 0), the others do not. */
export const FILE_REASONS = [
  // By design: never touched, whatever is asked for.
  'ignored',
  'submodule',
  'repository',
  'special',
  'sparse',
  // What the snapshots do not hold.
  'omitted',
  'unsaved',
  'in_no_snapshot',
  'before_session',
  // What stands in the way.
  'git_name',
  'occupied',
  'other_session',
  'mounted',
  'changed',
  'no_directory',
] as const;

/** Why a path was left alone; a face has a sentence for each. */
export type FileReason = (typeof FILE_REASONS)[number];

/** One path of a plan or of an operation. Paths that are right already are not listed. */
export interface FileOutcome extends RepoPath {
  readonly action: FileAction;
  /** True for a path at which nothing stood before; of `write` only. */
  readonly creates?: boolean;
  /** `directory`: an empty one, or the mode of one. Absent: a file or a link. */
  readonly type?: 'directory';
  /** Of `skip` and `conflict` always. */
  readonly reason?: FileReason;
  /** Size of what is written or removed. */
  readonly bytes?: number;
}

/** What of a context a restore adds, by slice: the items of the window, or what the session says of itself. */
export const MERGED_SLICES = ['context', 'session'] as const;
export type MergedSlice = (typeof MERGED_SLICES)[number];

/** What a context is made of. */
export const CONTEXT_KINDS = ['task', 'item', 'touched', 'progress'] as const;
export type ContextKind = (typeof CONTEXT_KINDS)[number];

/** How many of a kind came into the context, and how many went: a restore only adds, an undo takes that back, a rewind does both. */
export interface ContextCount {
  readonly action: 'add' | 'remove';
  readonly kind: ContextKind;
  readonly count: number;
}

/** What an operation was asked for; `redo` asks for the same again. */
export interface OperationOptions {
  readonly files: boolean;
  readonly context: boolean;
  /** Also the staged tree. */
  readonly index: boolean;
  /** Files and directories; absent: the whole worktree. */
  readonly paths?: readonly RepoPath[];
  readonly exact: boolean;
  readonly force: boolean;
  /** These slices of the target's context are added to the present one. */
  readonly merge?: readonly MergedSlice[];
  /** Only these hunks of the one path, from 1, counted in the difference from the target to the content `of`. */
  readonly hunks?: { readonly numbers: readonly number[]; readonly of: ObjectId };
}

export interface OperationBody {
  readonly format: typeof OPERATION_FORMAT;
  readonly id: OperationId;
  readonly repository: string;
  readonly worktree: string;
  /** 1 for the first of its worktree. */
  readonly sequence: number;
  /** Digest of the record before it, absent for the first. */
  readonly previous?: string;
  readonly at: string;
  /** Empty where there was no usable key. */
  readonly signer: Signer;
  readonly kind: OperationKind;
  /** The agent's session that asked for it; absent for a person. */
  readonly session?: string;
  /** The snapshot whose state was brought back. */
  readonly target: SnapshotId;
  /** The snapshot of everything as it was just before. */
  readonly safety: SnapshotId;
  /** Where the safety snapshot stood: its timeline had reached it. Records of an earlier Savepoint have none. */
  readonly seen?: readonly Witness[];
  /** Of `undo` and `redo`: the operation that was taken back or repeated. */
  readonly of?: OperationId;
  readonly options: OperationOptions;
  /** What was changed, and what was not although it was wanted; what is kept by design is only counted. */
  readonly files: readonly FileOutcome[];
  /** How many paths were kept by design: ignored ones and boundaries. */
  readonly kept?: number;
  /** What came into the context, and what left it; absent where nothing did. */
  readonly context?: readonly ContextCount[];
}

/** What makes the snapshot of everything as it was before an operation. */
export const SAFETY_TRIGGER: Trigger = { kind: 'automatic', reason: 'safety' };

/**
 * Tells whether an operation made a snapshot: the one before it or the one after it. Such a snapshot does not count as one
 * that holds a file: otherwise the same rewind done twice would remove what the first one kept.
 */
export function isMadeByOperation({ trigger, origin }: Pick<SnapshotBody, 'trigger' | 'origin'>): boolean {
  if (trigger.kind === SAFETY_TRIGGER.kind && trigger.reason === SAFETY_TRIGGER.reason) return true;
  return origin !== undefined && (OPERATION_KINDS as readonly string[]).includes(origin.kind);
}
