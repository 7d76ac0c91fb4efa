/** The agent's own log, as stored under `transcript/<session>/` (format section "Transcripts"). */

export interface RedactionSpan {
  /** Byte offsets of the replacement within the stored part. */
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** Sidecar of one part: `<part>.json` beside `<part>.jsonl`, where it says what the part itself does not. */
export interface TranscriptPart {
  /** Offset and length of the part in the agent's own file, before redaction. */
  readonly offset: number;
  readonly length: number;
  readonly lines: number;
  /** True where the last line of this part goes on in the next one. */
  readonly continues?: boolean;
  /** Lines (counted from 0 within the part) that are not JSON; kept byte for byte. */
  readonly unreadable?: readonly number[];
  readonly redactor: string;
  readonly spans: readonly RedactionSpan[];
}

/** Content of `transcript/<session>/source.json`. */
export interface TranscriptSource {
  readonly agent: string;
  readonly session: string;
  /** File name of the log, without its folder. */
  readonly name: string;
  /** Length of the log when it was read. */
  readonly bytes: number;
  readonly parts: number;
  /** Version of the rules that parts without a sidecar were redacted by. */
  readonly redactor?: string;
  readonly guessed?: boolean;
  /** The session that began this one. */
  readonly parent?: string;
  /** Earlier lengths that were longer than a later one: the log was cut or rewritten. */
  readonly shrunk?: readonly { readonly from: number; readonly to: number; readonly at: string }[];
}
