/** Errors. What was done, with something left out. */
import type { ErrorEntry } from './entry.js';

export const PARTIAL = {
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
  done_untold: {
    kind: 'partial',
    message: 'It was done, but the output cannot be written: {reason}.',
    hint: 'Do not run it once more: `savepoint list` and `savepoint operations` show what was done.',
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
  parts_withheld: {
    kind: 'partial',
    message: 'The snapshot {snapshot} was published without {count|file|files} in which secrets were found, as listed.',
    hint: 'What was found stays on this machine; `savepoint publish {snapshot} --dry-run` lists it again.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
