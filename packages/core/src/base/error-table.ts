/** Every error code once: its kind, its text and the next step. `docs/errors.md` is generated from this table. */

export type ErrorKind =
  | 'internal'
  | 'usage'
  | 'partial'
  | 'no_repository'
  | 'locked'
  | 'not_found'
  | 'conflict'
  | 'untrusted'
  | 'corrupt'
  | 'too_new'
  | 'refused'
  | 'recovery_needed'
  | 'interrupted';

export interface ErrorEntry {
  readonly kind: ErrorKind;
  /** What happened and why; `{name}` is filled from the error's data; `{name|file|files}` is a number and its noun. */
  readonly message: string;
  /** The next command to type, or what to do. */
  readonly hint?: string;
}

export const ERROR_TABLE = {
  invariant_broken: {
    kind: 'internal',
    message: 'Savepoint met a state that it should never be in: {reason}. Nothing was changed.',
    hint: 'This is a bug. Please report it with the command you ran and the output of `savepoint status --json`.',
  },
  system_failed: {
    kind: 'refused',
    message: 'The system did not do what Savepoint needs: {reason}. Nothing was changed.',
    hint: 'See to the disk, the permissions and the limits of open files and processes, then run the command again.',
  },
  unknown_command: {
    kind: 'usage',
    message: 'There is no command {command}.',
    hint: 'Run `savepoint --help` for the list of commands.',
  },
  unknown_option: {
    kind: 'usage',
    message: '{command} has no option {option}.',
    hint: 'Run `savepoint {command} --help` for its options.',
  },
  argument_missing: {
    kind: 'usage',
    message: '{command} needs {argument}.',
    hint: 'Run `savepoint {command} --help` for an example.',
  },
  argument_unexpected: {
    kind: 'usage',
    message: '{command} does not take the argument {argument}.',
    hint: 'Run `savepoint {command} --help` for what it takes.',
  },
  argument_malformed: {
    kind: 'usage',
    message: '{value} cannot be used as {argument}: {reason}.',
    hint: 'Correct the value and run the command again.',
  },
  output_unwritable: {
    kind: 'refused',
    message: 'The output cannot be written: {reason}.',
    hint: 'Send the output to another place and run the command again.',
  },
  selector_malformed: {
    kind: 'usage',
    message: 'The selector {selector} cannot be read: {reason}.',
    hint: 'Use an id or its beginning, `head`, `seq:12`, `commit:abc`, `tag:x`, `before:SELECTOR`, an ISO time, or words such as "2 hours ago".',
  },
  not_a_git_repository: {
    kind: 'no_repository',
    message: '{directory} is not inside a git repository. Nothing was changed.',
    hint: 'Run `git init` there first, or name the repository with `savepoint -C DIR`.',
  },
  bare_repository: {
    kind: 'no_repository',
    message: '{directory} is a bare repository: it has no files to record. Nothing was changed.',
    hint: 'Run Savepoint in a clone that has a worktree.',
  },
  unsafe_directory: {
    kind: 'refused',
    message: 'Refused to scan {directory}: {reason}. Nothing was scanned or changed.',
    hint: 'Go to the project and run the command there, or name it with `savepoint -C DIR`.',
  },
  repository_refused: {
    kind: 'refused',
    message: 'git refuses to work in {directory}: {reason}. Nothing was changed.',
    hint: 'If the repository is yours, run `git config --global --add safe.directory {directory}`.',
  },
  repository_unsupported: {
    kind: 'refused',
    message: 'The repository {directory} cannot be used: {reason}. Nothing was changed.',
    hint: 'Use a git version that supports this repository; `git status` there says more.',
  },
  git_missing: {
    kind: 'no_repository',
    message: 'The program git was not found. Nothing was changed.',
    hint: 'Install git 2.34 or later and make sure that it is on the PATH.',
  },
  git_too_old: {
    kind: 'no_repository',
    message: 'git {version} is too old: Savepoint needs git 2.34 or later. Nothing was changed.',
    hint: 'Install a newer git.',
  },
  git_failed: {
    kind: 'internal',
    message: '`git {command}` failed: {reason}.',
    hint: 'Run `git fsck` to see whether the repository is healthy.',
  },
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
  worktree_full: {
    kind: 'refused',
    message:
      'The disk that holds {directory} has not enough space for the files: {needed|byte is|bytes are} needed. Nothing was changed.',
    hint: 'Free some space and run the command again.',
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
  plan_changed: {
    kind: 'conflict',
    message: 'The plan {plan} does not fit any more: the files or the snapshots changed since. No file was changed.',
    hint: 'Run the command again with `--dry-run` for a new plan.',
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
  index_locked: {
    kind: 'locked',
    message: 'A git program is writing the index: {path} is there. Nothing was changed.',
    hint: 'Wait for it to end and run the command again; remove the file if no git program is running.',
  },
  signature_broken: {
    kind: 'untrusted',
    message: 'The signature of the snapshot {snapshot} does not hold. Nothing was changed.',
    hint: 'Run `savepoint verify {snapshot}` to see what is wrong with it.',
  },
  snapshot_foreign: {
    kind: 'untrusted',
    message:
      'The snapshot {snapshot} {reason}: it is shown, and not written back or published again. Nothing was changed.',
    hint: 'Run `savepoint show {snapshot}` for what came with it, and `savepoint show {snapshot} --file PATH` for one file of it.',
  },
  worktree_dirty: {
    kind: 'refused',
    message: 'Another commit cannot be checked out: {reason}. Nothing was changed.',
    hint: 'Commit or stash what is there and run the command again.',
  },
  path_refused: {
    kind: 'refused',
    message: 'The path {path} may not be written: {reason}. Nothing was changed.',
    hint: 'Restore the other paths by name; `savepoint show` lists them.',
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
  snapshot_not_found: {
    kind: 'not_found',
    message: 'No snapshot matches {selector}.',
    hint: 'Run `savepoint list` for the snapshots of this worktree.',
  },
  selector_ambiguous: {
    kind: 'not_found',
    message: '{selector} matches {count|snapshot|snapshots}: {candidates}.',
    hint: 'Give more digits of the id, or one of the ids listed.',
  },
  no_snapshots: {
    kind: 'not_found',
    message: 'There is no snapshot in this repository yet.',
    hint: 'Run `savepoint capture` to take the first one.',
  },
  path_not_found: {
    kind: 'not_found',
    message: 'The snapshot {snapshot} has no file {path}.',
    hint: 'Run `savepoint diff {snapshot} --name-only` or `savepoint show {snapshot} --files` for its files.',
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
  key_not_found: {
    kind: 'not_found',
    message: 'There is no signing key {key} here.',
    hint: 'Run `savepoint key show` for your key and the keys that you trust.',
  },
  key_malformed: {
    kind: 'usage',
    message: '{key} is not a usable public key: {reason}.',
    hint: 'A public key is `ed25519:` and 64 hex digits, as `savepoint key show` prints it.',
  },
  key_unusable: {
    kind: 'untrusted',
    message: 'The signing key in {path} cannot be used: {reason}. Nothing was changed.',
    hint: 'Repair the file and its permissions (0600); `savepoint key rotate --lost` replaces a key that is gone.',
  },
  keys_unwritable: {
    kind: 'refused',
    message: 'The folder of the keys, {directory}, cannot be written: {reason}. Nothing was changed.',
    hint: 'Make the directory writable for you and run the command again.',
  },
  unknown_setting: {
    kind: 'usage',
    message: 'There is no setting {key}.',
    hint: 'Run `savepoint config list` for all settings and their values.',
  },
  prices_unreadable: {
    kind: 'usage',
    message: 'The price table {path} cannot be used: {reason}.',
    hint: 'Correct it (`savepoint ledger --help` shows the form), or run `savepoint config unset ledger.prices`.',
  },
  setting_malformed: {
    kind: 'usage',
    message: 'The setting {key} cannot be {value}: {reason}.',
    hint: 'Run `savepoint config list` for all settings and their values.',
  },
  settings_unreadable: {
    kind: 'usage',
    message: 'The settings file {path} cannot be read: {reason}. Nothing was changed.',
    hint: 'Correct the file; it has to be one JSON object.',
  },
  settings_unwritable: {
    kind: 'refused',
    message: 'The settings file {path} cannot be written: {reason}. Nothing was changed.',
    hint: 'Make the file and its directory writable for you and run the command again.',
  },
  redaction_failed: {
    kind: 'refused',
    message: 'Secrets could not be removed from {source}: {reason}. No snapshot was made.',
    hint: 'This is a bug. Please report it; nothing unredacted was stored.',
  },
  snapshot_incomplete: {
    kind: 'partial',
    message: 'The snapshot {snapshot} was made but leaves out {count|path|paths}.',
    hint: 'Run `savepoint show {snapshot}` for the list and the reasons.',
  },
  files_left_out: {
    kind: 'partial',
    message: 'The {operation} was done but left {count|path as it was|paths as they were}, for the listed reasons.',
    hint: 'Run `savepoint operations` for what was done, or `savepoint undo` to take it back.',
  },
  operation_incomplete: {
    kind: 'partial',
    message: 'The {operation} was done, but not everything went as asked; the notes say what.',
    hint: 'Run `savepoint operations` for what was done, or `savepoint undo` to take it back.',
  },
  snapshots_passed_over: {
    kind: 'partial',
    message: '{count|snapshot|snapshots} could not be read and had to be passed over.',
    hint: 'Run `savepoint verify --all` to see what is wrong with them.',
  },
  snapshot_unsigned: {
    kind: 'partial',
    message: 'The snapshot {snapshot} was made without a signature: {reason}.',
    hint: 'Run `savepoint key show` for the state of your key; `savepoint key rotate --lost` replaces one that is gone.',
  },
  hook_incomplete: {
    kind: 'partial',
    message: 'The hook {hook} is not as it should be: {reason}.',
    hint: 'Run `savepoint status` to see what guards this repository.',
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
  bundle_refused: {
    kind: 'corrupt',
    message: 'The bundle was refused: {reason}. Nothing was changed.',
    hint: 'Get the file again from whoever published it; `savepoint verify FILE` says what holds and what does not.',
  },
  bundle_unknown: {
    kind: 'corrupt',
    message: 'This is not a file that Savepoint can take in: {reason}. Nothing was changed.',
    hint: 'Name a file that `savepoint publish` wrote.',
  },
  bundle_impossible: {
    kind: 'refused',
    message:
      'The snapshot {snapshot} cannot be published: {reason}. Nothing left this machine and nothing was changed.',
    hint: 'Run `savepoint publish {snapshot} --dry-run` for what would leave, and choose with `--slice`.',
  },
  secret_found: {
    kind: 'refused',
    message:
      'A secret ({secret}) stands in {place} of the snapshot {snapshot}. Nothing left this machine and nothing was changed.',
    hint: 'A snapshot cannot be edited; take a new one with `savepoint capture --fresh` and publish that.',
  },
  gate_failed: {
    kind: 'refused',
    message:
      'What would leave could not be searched for secrets: {reason}. Nothing left this machine and nothing was changed.',
    hint: 'This is a bug. Please report it with the output of `savepoint --version`.',
  },
  parts_withheld: {
    kind: 'partial',
    message: 'The snapshot {snapshot} was published without {count|file|files} in which secrets were found, as listed.',
    hint: 'What was found stays on this machine; `savepoint publish {snapshot} --dry-run` lists it again.',
  },
  signer_unknown: {
    kind: 'untrusted',
    message: 'The snapshot {snapshot} was signed by {signer}, which you neither own nor trust. Nothing was changed.',
    hint: 'Compare the key with its owner, then run `savepoint key trust NAME {signer}`; or import without `--require-trusted`.',
  },
  slice_withheld: {
    kind: 'not_found',
    message: 'Whoever published the snapshot {snapshot} withheld {what}.',
    hint: 'Run `savepoint show {snapshot}` for what is here; ask its author for the rest.',
  },
  directory_unusable: {
    kind: 'refused',
    message: 'The directory {directory} cannot be used: {reason}. Nothing was changed.',
    hint: 'Name a directory that is empty or does not exist yet.',
  },
  demo_stopped: {
    kind: 'internal',
    message: 'The demo stopped at `{command}`: {reason}.',
    hint: 'The scratch repository is in {directory}. Please report this with the output of `savepoint --version`.',
  },
  interrupted: {
    kind: 'interrupted',
    message: 'Interrupted. No snapshot was made.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

/** A permanent code; each is an anchor in `docs/errors.md`. */
export type ErrorCode = keyof typeof ERROR_TABLE;

type Placeholders<S> = S extends `${string}{${infer Inner}}${infer Rest}` ? Name<Inner> | Placeholders<Rest> : never;
type Name<S extends string> = S extends `${infer Before}|${string}` ? Before : S;
type Texts<C extends ErrorCode> = (typeof ERROR_TABLE)[C] extends { readonly hint: infer H extends string }
  ? (typeof ERROR_TABLE)[C]['message'] | H
  : (typeof ERROR_TABLE)[C]['message'];

/** The data that an error of this code must carry: one value for each placeholder, and more where it helps. */
export type ErrorData<C extends ErrorCode> = Readonly<Record<Placeholders<Texts<C>>, string | number>> &
  Readonly<Record<string, unknown>>;
