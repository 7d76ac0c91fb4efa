/** Errors. Rewind, restore, undo, redo. */
import type { ErrorEntry } from './entry.js';

export const OPERATION = {
  plan_changed: {
    kind: 'conflict',
    message: 'The plan {plan} does not fit any more: the files or the snapshots changed since. No file was changed.',
    hint: 'Run the command again with `--dry-run` for a new plan.',
  },
  checkout_left: {
    kind: 'partial',
    message: 'Another commit is checked out, but nothing was restored, and HEAD could not go back to {from}: {reason}',
    hint: 'Look at it with `git status`, then run the command again or check {from} out.',
  },
  consent_needed: {
    kind: 'refused',
    message: '{command} would change {count|path|paths}, and nobody is there to ask. Nothing was changed.',
    hint: 'Look at the plan with `--dry-run`, then run the command again with `--yes`.',
  },
  consent_refused: {
    kind: 'refused',
    message: 'You did not agree to what {command} would do. Nothing was changed.',
    hint: 'Run it again with `--dry-run` to see the plan once more.',
  },
  context_damaged: {
    kind: 'corrupt',
    message:
      'The files of the snapshot {snapshot} can be brought back, but not its context: {reason} Nothing was changed.',
    hint: 'Run `savepoint rewind {snapshot} --files` for the files alone.',
  },
  agent_at_work: {
    kind: 'refused',
    message: 'The {agent} session {session} is in the middle of a turn in this worktree. Nothing was changed.',
    hint: 'Wait until it is done, or run the command again with `--force`; what it wrote so far is in the safety snapshot then.',
  },
  nothing_to_undo: {
    kind: 'not_found',
    message: 'There is no operation of {whom} to undo. Nothing was changed.',
    hint: 'Run `savepoint operations` for what was done in this worktree, and by whom.',
  },
  nothing_to_redo: {
    kind: 'not_found',
    message: 'There is no undone operation of {whom} to redo. Nothing was changed.',
    hint: 'Run `savepoint operations` for what was done in this worktree, and by whom.',
  },
  snapshot_foreign: {
    kind: 'untrusted',
    message:
      'The snapshot {snapshot} {reason}: it is shown, and not written back or published again. Nothing was changed.',
    hint: 'Run `savepoint show {snapshot}` for what came with it, and `savepoint show {snapshot} --file PATH` for one file of it.',
  },
  restore_running: {
    kind: 'locked',
    message: 'Another Savepoint process ({holder}) is changing the files of this worktree. Nothing was changed.',
    hint: 'Wait for it to end and run the command again.',
  },
  restore_stopped: {
    kind: 'recovery_needed',
    message:
      'The restore stopped on its way: {reason} Nothing is lost, but some files may be as before and some as asked.',
    hint: 'Run `savepoint recover` to complete it, or `savepoint recover --roll-back` to take it back.',
  },
  restore_interrupted: {
    kind: 'recovery_needed',
    message: 'A restore that began at {createdAt} did not come to its end: {reason}. This command changed nothing.',
    hint: 'Run `savepoint recover` to complete it, or `savepoint recover --roll-back` to take it back.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
