/** Errors. What was asked for and is not there. */
import type { ErrorEntry } from './entry.js';

export const SELECTION = {
  snapshot_not_found: {
    kind: 'not_found',
    message: 'No snapshot matches {selector}.',
    hint: 'Run `savepoint list` for the snapshots of this worktree.',
  },
  selector_uncertain: {
    kind: 'corrupt',
    message: 'The snapshot that {selector} names may be one that cannot be read: {reason}',
    hint: 'Run `savepoint verify --all --deep` to see what is damaged; `savepoint list` has the ids of those that can be read.',
  },
  selector_ambiguous: {
    kind: 'not_found',
    message: '{selector} matches {count|snapshot|snapshots}: {candidates}.',
    hint: 'Give more digits of the id, or one of the ids listed.',
  },
  no_snapshots: {
    kind: 'not_found',
    message: 'There is no snapshot of this worktree yet.',
    hint: 'Run `savepoint capture` to take the first one; `savepoint list --all` shows those of other worktrees.',
  },
  path_not_found: {
    kind: 'not_found',
    message: 'The snapshot {snapshot} has no file {path}.',
    hint: 'Run `savepoint diff {snapshot} --name-only` or `savepoint show {snapshot} --files` for its files.',
  },
  path_left_out: {
    kind: 'not_found',
    message: 'The snapshot {snapshot} left {path} out: {reason}.',
    hint: 'Run `savepoint show {snapshot} --files` for the files that it holds.',
  },
  item_not_found: {
    kind: 'not_found',
    message: 'The snapshot {snapshot} has no item {item}, or several whose ids begin so.',
    hint: 'Run `savepoint show {snapshot} --slice context` for its items.',
  },
  slice_not_found: {
    kind: 'not_found',
    message: 'The snapshot {snapshot} has no slice {slice}. It has {available}.',
    hint: 'Run `savepoint show {snapshot}` for its slices.',
  },
  file_not_found: {
    kind: 'not_found',
    message: 'The file {path} cannot be read: {reason}. Nothing was changed.',
    hint: 'Check the path and run the command again.',
  },
  slice_withheld: {
    kind: 'not_found',
    message: 'Whoever published the snapshot {snapshot} withheld {what}.',
    hint: 'Run `savepoint show {snapshot}` for what is here; ask its author for the rest.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
