/** Errors. Where snapshots are kept: locks, the disk, what lies there. */
import type { ErrorEntry } from './entry.js';

export const STORE = {
  store_unwritable: {
    kind: 'refused',
    message: 'The store in {directory} cannot be written: {reason}. No snapshot was made.',
    hint: 'Make the directory writable for you and run the command again; `savepoint status` shows the failure until then.',
  },
  disk_full: {
    kind: 'refused',
    message: 'There is no space left on the disk that holds {directory}. No snapshot was made.',
    hint: 'Free some space and run the command again.',
  },
  timeline_locked: {
    kind: 'locked',
    message: 'Another Savepoint process ({holder}) holds {lock}. Nothing was changed.',
    hint: 'Wait for it to end and run the command again.',
  },
  ref_locked: {
    kind: 'locked',
    message: 'A git program holds {lock}, or left it behind when it was ended. Nothing was changed.',
    hint: 'Wait until no git runs in this repository and run the command again; if the file is still there then, remove it.',
  },
  head_moved: {
    kind: 'conflict',
    message: 'The head of {ref} moved while it was being written. Nothing was changed.',
    hint: 'Run the command again.',
  },
  ref_in_the_way: {
    kind: 'refused',
    message: 'The ref {other} stands where {ref} has to be, and git cannot have both. Nothing was changed.',
    hint: 'Give that ref another name, such as `git update-ref refs/kept/NAME {other}`, then `git update-ref -d {other}`.',
  },
  head_damaged: {
    kind: 'corrupt',
    message:
      'What the newest snapshot {snapshot} recorded of sessions cannot be added to: {reason} No snapshot was made.',
    hint: 'Run `savepoint verify --all --deep` to see what is damaged, then `savepoint capture --fresh` to begin anew with the logs that are here; earlier snapshots stay.',
  },
  head_unreadable: {
    kind: 'corrupt',
    message: 'The newest snapshot of this worktree, in commit {commit}, cannot be read: {reason} No snapshot was made.',
    hint: 'Run `savepoint verify --all --deep` to see what is damaged, then `savepoint capture --fresh` to go on in a new timeline; earlier snapshots stay, and can be rewound to.',
  },
  object_missing: {
    kind: 'corrupt',
    message: 'The object {object} of {owner} is not in the store. Nothing was changed.',
    hint: 'Run `savepoint verify --all --deep` to see what else is affected; a clone or bundle may still have it.',
  },
  format_unreadable: {
    kind: 'corrupt',
    message: '{what} cannot be read: {reason}. Nothing was changed.',
    hint: 'Run `savepoint verify --all` to see what else is affected.',
  },
  identity_unreadable: {
    kind: 'corrupt',
    message: 'The file {file} cannot be read: {reason}. Nothing was changed.',
    hint: 'Move it away: the next capture makes it anew, and every snapshot stays. `savepoint list --all` shows those that this worktree has then forgotten to be its own.',
  },
  digest_mismatch: {
    kind: 'corrupt',
    message: '{what} does not have the digest that the snapshot names. Nothing was changed.',
    hint: 'Run `savepoint verify --all --deep` to see what else is affected.',
  },
  format_version_unsupported: {
    kind: 'too_new',
    message: '{what} has the format {version}, which this Savepoint does not know. It was left as it is.',
    hint: 'Install a newer Savepoint.',
  },
  signature_broken: {
    kind: 'untrusted',
    message: 'The signature of the snapshot {snapshot} does not hold. Nothing was changed.',
    hint: 'Run `savepoint verify {snapshot}` to see what is wrong with it.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
