/** What the redactor gives back. The rules live beside this file. */
import type { RedactionSpan } from '../model/transcript.js';

/** Changes whenever a rule changes what is replaced; recorded with every part. */
export const REDACTOR_VERSION = 'savepoint-redact/1';

export interface RedactedBytes {
  /** The same array as the input where nothing was found. */
  readonly bytes: Uint8Array;
  /** Where the replacements stand in `bytes`. */
  readonly spans: readonly RedactionSpan[];
}

export interface RedactedText {
  readonly text: string;
  /** Number of replacements by kind. */
  readonly kinds: Readonly<Record<string, number>>;
}
