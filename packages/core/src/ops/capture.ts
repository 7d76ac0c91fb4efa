/** `capture`: takes a snapshot. */
import { formatTime } from '../base/clock.js';
import { asContextError, contextError } from '../base/errors.js';
import { shortId } from '../format/v1/body.js';
import type { SnapshotBody } from '../model/snapshot.js';
import type { Verdict } from '../model/verdict.js';
import { redactText } from '../redact/redactor.js';
import { clearFailures, recordFailure } from '../timeline/failures.js';
import { openReplacementError } from '../worktree/replace/replacement.js';
import {
  captureStep,
  WAIT_MILLISECONDS,
  type CaptureRequest,
  type TakenSnapshot,
} from './capture-step/capture-step.js';
import { findTranscript } from './capture-step/capture-transcript.js';
import { checkItems } from './capture-step/check-items.js';
import { checkWords } from './capture-step/capture-words.js';
import type { Repository } from './repository/repository.js';

export type { CaptureRequest };

export interface CaptureResult extends SnapshotBody {
  readonly id: string;
  readonly shortId: string;
  readonly verdict: Verdict;
  /** True where nothing differs from the head, whose id this is then. */
  readonly unchanged: boolean;
  /** Sentences for the user: a guessed transcript, a hint why there is none, an unsigned snapshot. */
  readonly notes: readonly string[];
}

/**
 * Takes a snapshot of the worktree, the staged state, the anchor and the agent's transcript.
 *
 * The id is returned only when everything the snapshot names is durable and readable.
 * @throws timeline_locked; restore_running; restore_interrupted; disk_full; store_unwritable; worktree_changing; redaction_failed; file_not_found; argument_malformed; interrupted
 * @example
 * const { repository } = await openRepository({ directory: process.cwd(), env: process.env });
 * const { id } = await capture({ repository, message: 'before the refactoring' });
 */
export async function capture(request: CaptureRequest): Promise<CaptureResult> {
  try {
    checkWords(request);
    if (request.items !== undefined) checkItems(request.items, request.repository.settings['capture.maxFileBytes']);
    const [repository, found] = await Promise.all([request.repository.enrol(), findTranscript(request)]);
    const { local, self } = repository;
    const enrolled = { ...request, repository };
    const wait = { milliseconds: WAIT_MILLISECONDS, meanwhile: () => refuseLiving(repository) };
    const taken = await local.locked(`worktree-${self.id}`, wait, () => captureStep({ ...enrolled, found }));
    // A cache of what went wrong; that it cannot be written is no failure of this capture.
    await clearFailures(local).catch(() => undefined);
    return describe(repository, taken);
  } catch (error) {
    // Not a failure: the caller wished it, whatever the abort made stumble.
    if (request.signal?.aborted === true) throw contextError('interrupted', {}, error);
    await reportFailure(request.repository, error);
    throw error;
  }
}

/** Another capture is waited for; an operation that changes files is not. @throws restore_running */
async function refuseLiving({ worktree }: Repository): Promise<void> {
  const open = await worktree.replacements.find();
  if (open?.holder !== undefined) throw openReplacementError(open);
}

function describe(repository: Repository, { saved: snapshot, notes }: TakenSnapshot): CaptureResult {
  const { id, body, saved } = snapshot;
  const problem = body.signer === '' ? repository.keys.problem() : undefined;
  const unsigned = problem === undefined ? [] : [`The snapshot is not signed: ${problem}.`];
  const verdict = body.signer === '' ? 'unsigned' : 'valid';
  return { ...body, id, shortId: shortId(id), verdict, unchanged: !saved, notes: [...notes, ...unsigned] };
}

async function reportFailure({ local, clock }: Repository, error: unknown): Promise<void> {
  const { code, message } = asContextError(error);
  try {
    await recordFailure(local, { at: formatTime(clock.now()), code, message: redactText(message).text });
  } catch {
    // What failed may be the very disk that this would be written to; the error itself still reaches the user.
  }
}
