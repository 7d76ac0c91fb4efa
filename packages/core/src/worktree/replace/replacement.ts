/**
 * The port through which the user's files are changed: a set of changes becomes true as a whole, also over a crash, and
 * what somebody else wrote meanwhile is never overwritten.
 *
 * Order: `prepare` checks, writes the journal durably and stages all new content, synced, in folders beside the targets
 * (`isReplacementFolder`; scans leave them out). `apply` takes each present file aside, compares it with `before`, and
 * gives the new one its name only where nothing has the name. `close` forgets what was taken aside, and the journal.
 * Until then the replacement is open: a scan and another `prepare` are refused, and any process can complete it
 * (`apply`) or take it back (`rollBack`). A Worktree hands it out as `replacements`.
 */
import { contextError, type ContextError } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import type { BytePath } from '../../base/path.js';
import type { TreeChange } from '../../model/tree/tree-change.js';
import type { ObjectId, ObjectSource } from '../../model/tree/tree.js';

/** Where content comes from; a Store is one. Both states of every change must be in it, durably. */
export interface ContentSource extends ObjectSource {
  /** Returns a blob piece by piece. @throws object_missing */
  stream(id: ObjectId): AsyncIterable<Uint8Array>;
}

export interface ReplaceRequest {
  /** At most one for a path, in any order. */
  readonly changes: readonly TreeChange[];
  readonly content: ContentSource;
  /** Permission bits of directories that files need and that no change names. */
  readonly directoryPermissions: number;
  /** Comes back from `open`, so that the caller can finish its own records after a crash. */
  readonly note: JsonObject;
  /** `skip` leaves a path alone that is not as `before` says; `refuse` then takes all back and throws. */
  readonly conflicts: 'skip' | 'refuse';
  /** The changes come from somebody else: names that are dangerous on any system are refused, not only on this one. */
  readonly foreign?: boolean;
}

/** Why a path was left alone, or is not quite as asked. */
export type ConflictReason =
  /** It is not in the state that the change begins from. */
  | 'changed'
  /** Something above it is no directory, or a link to one. */
  | 'no_directory'
  /** A directory holds what no change names. */
  | 'not_empty'
  /** Something is mounted on it, or between it and the replacement's folder. */
  | 'mounted'
  /** Done, but the system did not take all permission bits, such as set-id bits. */
  | 'permissions';

export interface ChangeOutcome {
  readonly path: BytePath;
  /**
   * `done`: it is as asked, though it may have been so already. `kept`: a directory that was to go and is not empty.
   * `conflict`: left alone.
   */
  readonly result: 'done' | 'kept' | 'conflict';
  readonly reason?: ConflictReason;
  /** Where bytes are now that somebody wrote to the path in the very moment when it was replaced. */
  readonly keptAs?: BytePath;
}

export interface Replacement {
  /** 16 hex digits. */
  readonly id: string;
  readonly createdAt: string;
  readonly note: JsonObject;
  readonly changes: readonly TreeChange[];
  /** True once `apply` came to its end, in this process or in one before. */
  readonly applied: boolean;
  /** True once somebody began to take back what was applied and recorded. */
  readonly returning: boolean;
  /**
   * Makes the changes and resolves with one outcome for each, in their order, when all is durable. Where the system
   * refuses a step, everything is taken back.
   * @throws worktree_changed (`conflicts: refuse`); worktree_unwritable; worktree_full; object_missing: nothing was
   * changed, and the replacement is closed. restore_stopped: it could not be taken back either, and stays open; the same
   * where it was opened after a crash.
   */
  apply(): Promise<readonly ChangeOutcome[]>;
  /**
   * Makes every path as it was before; what was changed since is left alone and reported. May follow `apply`: then it stays
   * open until `close`, so that whoever dies before the records say so leaves it to be taken back again.
   * @throws restore_stopped
   */
  rollBack(): Promise<readonly ChangeOutcome[]>;
  /**
   * Ends it: sweeps all temporary files and the journal. Call it when the caller's own records are durable, or before
   * `apply` to give up. Returns the files in which somebody's late edit was kept.
   * @throws restore_stopped
   */
  close(): Promise<readonly ChangeOutcome[]>;
  /** Goes away without ending it, where the caller cannot go on: it stays open for whoever recovers it. */
  leave(): void;
}

/** What is known of an open replacement without touching it. */
export interface OpenReplacement {
  readonly id: string;
  readonly createdAt: string;
  readonly note: JsonObject;
  readonly applied: boolean;
  /** The living process that is at work on it; absent where it died or gave up: then it waits for recovery. */
  readonly holder?: string;
}

export interface Replacements {
  /**
   * Checks all that can be checked, and stages everything; changes no file.
   * @throws path_refused; worktree_changed (`conflicts: refuse`); object_missing; worktree_unwritable; worktree_full;
   * restore_running; restore_interrupted
   */
  prepare(request: ReplaceRequest): Promise<Replacement>;
  /** Tells whether anything is left of one: an open one, or one that was taken back and not swept up. */
  hasRemains(): boolean;
  /** Returns the open replacement of this worktree, whoever is at work on it. */
  find(): Promise<OpenReplacement | undefined>;
  /**
   * Takes over the open replacement after its process died; one that was taken back is only swept up.
   * @throws restore_running if a living process is at work on it
   */
  open(content: ContentSource): Promise<Replacement | undefined>;
}

/** Returns the error for whoever cannot go on while a replacement is open. */
export function openReplacementError({
  createdAt,
  holder,
}: Pick<OpenReplacement, 'createdAt' | 'holder'>): ContextError {
  if (holder !== undefined) return contextError('restore_running', { holder });
  return contextError('restore_interrupted', { createdAt, reason: 'the process that ran it has ended' });
}
