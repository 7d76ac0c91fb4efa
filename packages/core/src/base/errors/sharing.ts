/** Errors. What comes from others and what goes to them. */
import type { ErrorEntry } from './entry.js';

export const SHARING = {
  redaction_failed: {
    kind: 'refused',
    message: 'Secrets could not be removed from {source}: {reason}. No snapshot was made.',
    hint: 'This is a bug. Please report it; nothing unredacted was stored.',
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
  signer_unknown: {
    kind: 'untrusted',
    message: 'The snapshot {snapshot} was signed by {signer}, which you neither own nor trust. Nothing was changed.',
    hint: 'Compare the key with its owner, then run `savepoint key trust NAME {signer}`; or import without `--require-trusted`.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
