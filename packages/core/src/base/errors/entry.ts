/** What is said of an error, once for each code. */

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
