/** Errors. The program itself. */
import type { ErrorEntry } from './entry.js';

export const PROGRAM = {
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
