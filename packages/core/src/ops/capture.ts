/** `capture`: takes a snapshot. */
import { formatTime } from '../base/clock.js';
import { asContextError, contextError } from '../base/errors.js';
import { shortId } from '../format/v1/body.js';
import type { SnapshotBody } from '../model/snapshot.js';
import type { Verdict } from '../model/verdict.js';
import { redactText } from '../redact/redactor.js';
import { clearFailures, recordFailure } from '../timeline/failures.js';
import type { SavingInput } from '../timeline/save/records/hand-savings.js';
import { openReplacementError } from '../worktree/replace/replacement.js';
import {
  captureStep,
  WAIT_MILLISECONDS,
  type CaptureRequest,
  type TakenSnapshot,
} from './capture-step/capture-step.js';
import { settingsOfCapture } from './capture-step/capture-settings.js';
import { findTranscript } from './capture-step/capture-transcript.js';
import { checkHand } from './capture-step/check-hand.js';
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
 * @throws timeline_locked; restore_running; restore_interrupted; disk_full; store_unwritable; worktree_changing; redaction_failed; file_not_found; argument_malformed; item_not_found; interrupted
 * @example
 * const { repository } = await openRepository({ directory: process.cwd(), env: process.env });
 * const { id } = await capture({ repository, message: 'before the refactoring' });
 * // An agent without a log that Savepoint reads: what it sees when a run begins, then what comes as it goes on.
 * const run = { repository, transcript: false, by: { agent: 'my-agent', id: 'run-7' } } as const;
 * const page = { kind: 'url', path: 'https://example.org/', content: Buffer.from('<p>A page</p>') } as const;
 * await capture({ ...run, items: [page] });
 * const frame = { kind: 'snippet', content: Buffer.from('Found in it'), selection: 'heuristic' } as const;
 * await capture({ ...run, items: [frame], savings: [{ tool: 'my-tool', baseline: 900, sent: 200, id: 'page-1' }] });
 * // Another run begins with a text in place of all that; what it need not read again is a saving.
 * await capture({ ...run, by: { agent: 'my-agent', id: 'run-8' }, brief: { text: Buffer.from('The page says …') } });
 */
export async function capture(request: CaptureRequest): Promise<CaptureResult> {
  try {
    checkWords(request);
    checkHand(request, settingsOfCapture(request.repository)['capture.maxFileBytes']);
    const [repository, found] = await Promise.all([request.repository.enrol(), findTranscript(request)]);
    const { local, self } = repository;
    const savings = [...(request.savings ?? []), ...(await savedByBrief({ ...request, repository }))];
    const enrolled = { ...request, repository, ...(savings.length > 0 && { savings }) };
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

/** Loaded only where there is a brief. */
async function savedByBrief(request: CaptureRequest): Promise<readonly SavingInput[]> {
  if (request.brief === undefined) return [];
  return (await import('./capture-step/brief-saving.js')).briefSaving(request.repository, request);
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
