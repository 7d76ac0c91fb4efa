/** Remembers captures that failed since the last good one, so that `status` can say so. */
import { text, utf8 } from '../base/bytes.js';
import type { LocalState } from '../store/local-state.js';

const FAILURES = 'failures.json';

export interface CaptureFailure {
  /** As `formatTime` gives it. */
  readonly at: string;
  readonly code: string;
  readonly message: string;
}

export interface CaptureFailures {
  readonly count: number;
  readonly last?: CaptureFailure;
}

/** A file that cannot be read counts as none: health must be shown whatever state it is in. */
export async function readFailures(local: LocalState): Promise<CaptureFailures> {
  try {
    const bytes = await local.read(FAILURES);
    const value: unknown = bytes === undefined ? undefined : JSON.parse(text(bytes));
    return isFailures(value) ? value : { count: 0 };
  } catch {
    return { count: 0 };
  }
}

/** Counts a capture that failed. The message must be redacted by then. */
export async function recordFailure(local: LocalState, failure: CaptureFailure): Promise<void> {
  const { count } = await readFailures(local);
  const value: CaptureFailures = { count: count + 1, last: failure };
  await local.write(FAILURES, utf8(JSON.stringify(value)));
}

/** A capture succeeded. */
export async function clearFailures(local: LocalState): Promise<void> {
  if ((await local.read(FAILURES)) !== undefined) await local.remove(FAILURES);
}

function isFailures(value: unknown): value is CaptureFailures {
  return typeof value === 'object' && value !== null && 'count' in value && typeof value.count === 'number';
}
