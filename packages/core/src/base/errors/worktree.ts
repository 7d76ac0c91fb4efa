/** Errors. The user's files, and what is done to them. */
import type { ErrorEntry } from './entry.js';

export const WORKTREE = {
  worktree_changing: {
    kind: 'conflict',
    message: 'The worktree kept changing while it was read: {reason}. No snapshot was made.',
    hint: 'Wait until the writing program is done and run the command again.',
  },
  worktree_changed: {
    kind: 'conflict',
    message: '{count|path is|paths are} not as the plan says any more, {path} first. Nothing was changed.',
    hint: 'Run the command again to make a new plan from the files as they are now.',
  },
  worktree_unwritable: {
    kind: 'refused',
    message: 'The files of the worktree cannot be changed: {reason}. Nothing was changed.',
    hint: 'Make {path} writable for you and run the command again.',
  },
  worktree_failed: {
    kind: 'refused',
    message: 'The system failed to change the files of the worktree: {reason}. Nothing was changed.',
    hint: 'See to what the system names, then run the command again; or name the paths that you need after the snapshot.',
  },
  worktree_full: {
    kind: 'refused',
    message:
      'The disk that holds {directory} has not enough space for the files: {needed|byte is|bytes are} needed. Nothing was changed.',
    hint: 'Free some space and run the command again.',
  },
  worktree_dirty: {
    kind: 'refused',
    message: 'Another commit cannot be checked out: {reason}. Nothing was changed.',
    hint: 'Commit or stash what is there and run the command again.',
  },
  path_outside: {
    kind: 'usage',
    message: 'The path {path} does not lie in the worktree. Nothing was changed.',
    hint: 'Name files and directories below the root of the worktree.',
  },
  path_unknown: {
    kind: 'not_found',
    message: 'Neither the snapshot {snapshot} nor the worktree has {path}. Nothing was changed.',
    hint: 'Run `savepoint show {snapshot} --files` for the files of the snapshot.',
  },
  path_refused: {
    kind: 'refused',
    message: 'The path {path} may not be written: {reason}. Nothing was changed.',
    hint: 'Restore the other paths by name; `savepoint show` lists them.',
  },
  index_locked: {
    kind: 'locked',
    message: 'A git program is writing the index: {path} is there. Nothing was changed.',
    hint: 'Wait for it to end and run the command again; remove the file if no git program is running.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
