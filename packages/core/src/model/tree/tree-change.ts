/** What is to happen to the paths of a worktree: each with the state that it must have before and the one it gets. */
import type { BytePath } from '../../base/path.js';
import type { ObjectId } from './tree.js';

/** What stands at a path. */
export type FileState =
  | { readonly kind: 'absent' }
  /** `permissions` are the exact bits, such as 0o644, 0o600 or 0o755. */
  | { readonly kind: 'file'; readonly blob: ObjectId; readonly size: number; readonly permissions: number }
  /** The blob holds the target's bytes. */
  | { readonly kind: 'link'; readonly blob: ObjectId }
  | { readonly kind: 'directory'; readonly permissions: number };

/**
 * One path, before and after.
 *
 * A directory is named only where that says something: it is empty, its permissions are to change, it gives way to a file
 * or link, or it is to go. None is removed that is not named, and none that still holds something.
 */
export interface TreeChange {
  readonly path: BytePath;
  readonly before: FileState;
  readonly after: FileState;
}

export const ABSENT: FileState = { kind: 'absent' };

/** Returns the blob of the content that a state needs. */
export function blobOf(state: FileState): ObjectId | undefined {
  return state.kind === 'file' || state.kind === 'link' ? state.blob : undefined;
}
