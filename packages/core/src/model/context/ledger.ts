/** Ledger: tokens and money spent and saved (format section "Ledger"). Absent numbers are unknown, which is not 0. */
/** `source` of what briefs saved, which Savepoint counts itself. */
export const BRIEF = 'brief';

export interface LedgerEntry {
  readonly id: string;
  /** From 0, in the order in which the log names them. */
  readonly sequence: number;
  readonly at?: string;
  readonly model?: string;
  /** The provider's id of the request; each is counted once, however often forks, resumes and echoes repeat it. */
  readonly requestId?: string;
  /** The provider's id of the message, the second key of the same request. */
  readonly messageId?: string;
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** Of `cacheWrite`, what is kept for the longer time, which costs more. */
  readonly cacheWriteLong?: number;
  readonly reasoning?: number;
  /** Millionths of a US dollar, where the log itself names a price; else it is derived from the price table when read. */
  readonly costMicros?: number;
  readonly estimated: boolean;
  /** Who reports a saving: a context tool by its name, or `brief`. Such an entry is no request. */
  readonly source?: string;
  /** Of a saving: tokens that would have been sent without it, and that were. */
  readonly baseline?: number;
  readonly sent?: number;
}
