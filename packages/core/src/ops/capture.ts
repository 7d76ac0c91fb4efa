/** `capture`: takes a snapshot. */
import { formatTime } from '../base/clock.js';
import { ContextError, asContextError, contextError } from '../base/errors.js';
import { TRANSCRIPT_FOLDER, WORKTREE_FOLDER } from '../format/v1/layout.js';
import { shortId } from '../format/v1/body.js';
import type { Origin, SessionReference, SnapshotBody } from '../model/snapshot.js';
import type { Trigger } from '../model/trigger.js';
import type { Verdict } from '../model/verdict.js';
import { redactText } from '../redact/redactor.js';
import { appendToCatalogue, entryOf } from '../timeline/catalogue.js';
import { clearFailures, recordFailure } from '../timeline/failures.js';
import { findInFolder } from '../timeline/folders.js';
import type { LoadedSnapshot } from '../timeline/load.js';
import { keepHead, recallHead } from '../timeline/save/head-memory.js';
import { readHeads, saveSnapshot, treeOf, type SavedSnapshot } from '../timeline/save/save-snapshot.js';
import { editTranscript, keepEdit, type TranscriptEdit } from '../timeline/save/transcript-edit.js';
import { keepTranscripts, recallTranscripts } from '../timeline/save/transcript-memory.js';
import type { StoreWriter } from '../store/store.js';
import type { ScanProgress } from '../worktree/worktree.js';
import { findTranscript, type FoundTranscript } from './capture-transcript.js';
import { checkWords } from './capture-words.js';
import type { Repository } from './repository.js';

export interface CaptureRequest {
  readonly repository: Repository;
  readonly message?: string;
  readonly tags?: readonly string[];
  readonly trigger?: Trigger;
  /** A log file; `false`: none. Default: look for one. */
  readonly transcript?: string | false;
  readonly fresh?: boolean;
  readonly progress?: (progress: ScanProgress) => void;
  readonly signal?: AbortSignal;
}

export interface CaptureResult extends SnapshotBody {
  readonly id: string;
  readonly shortId: string;
  readonly verdict: Verdict;
  /** True where nothing differs from the head, whose id this is then. */
  readonly unchanged: boolean;
  /** Sentences for the user: a guessed transcript, a hint why there is none, an unsigned snapshot. */
  readonly notes: readonly string[];
}

const MANUAL: Trigger = { kind: 'manual', reason: 'command' };
/** As long as other captures of the same worktree may keep this one waiting. */
export const WAIT_MILLISECONDS = 120_000;
/** What can pass by itself is tried again, from nothing. */
const ATTEMPTS = 3;
const PASSING: readonly string[] = ['object_missing', 'head_moved', 'worktree_changing'];

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
    const [repository, found] = await Promise.all([request.repository.enrol(), findTranscript(request)]);
    const { local, self } = repository;
    const enrolled = { ...request, repository };
    const taken = await local.locked(`worktree-${self.id}`, WAIT_MILLISECONDS, () =>
      captureStep({ ...enrolled, found }),
    );
    await quietly(() => clearFailures(local));
    return describe(repository, taken);
  } catch (error) {
    // Not a failure: the caller wished it, whatever the abort made stumble.
    if (request.signal?.aborted === true) throw contextError('interrupted', {}, error);
    await reportFailure(request.repository, error);
    throw error;
  }
}

/** A capture within an operation, which holds the lock of the worktree. */
export interface CaptureStep extends CaptureRequest {
  readonly found: FoundTranscript;
  readonly origin?: Origin;
  /** The operation's own open replacement. */
  readonly replacement?: string;
}

export interface TakenSnapshot {
  readonly saved: SavedSnapshot;
  readonly notes: readonly string[];
}

/** @throws as `capture` does */
export async function captureStep(step: CaptureStep): Promise<TakenSnapshot> {
  for (let count = 1; ; count += 1) {
    try {
      return await captureOnce(count === 1 ? step : { ...step, fresh: true });
    } catch (error) {
      const passing = error instanceof ContextError && PASSING.includes(error.code);
      if (!passing || count === ATTEMPTS) throw error;
    }
  }
}

async function captureOnce(request: CaptureStep): Promise<TakenSnapshot> {
  const { repository, message, tags = [], trigger, found, origin } = request;
  const { store, self, local, clock, random, keys } = repository;
  const writer = store.writer();
  try {
    writer.prepare();
    const others = (await repository.worktrees()).flatMap(({ timelines }) => timelines);
    const [scan, { heads, previous }] = await Promise.all([
      scanWorktree(request, writer),
      readHeads(store, { own: self.timeline, others }, async (head) =>
        request.fresh === true ? undefined : recallHead(local, store.objectFormat, head),
      ),
    ]);
    const transcripts = await takeTranscript(request, { writer, previous, found });
    const always = message !== undefined || tags.length > 0 || trigger !== undefined;
    const session: SessionReference | undefined = found.session;
    // The last moment at which nothing has happened.
    request.signal?.throwIfAborted();
    const saved = await saveSnapshot(
      { store, writer, keys, clock, random, repository: repository.id, timeline: self.timeline },
      {
        heads,
        ...(previous === undefined ? {} : { previous }),
        message: message ?? '',
        tags,
        trigger: trigger ?? MANUAL,
        ...(origin === undefined ? {} : { origin }),
        ...(session === undefined ? {} : { session }),
        scan,
        transcripts,
        always,
      },
    );
    // From here on the snapshot stands: caches that cannot be written cost time, and are no failure.
    await quietly(() => scan.remember(saved.folders.get(WORKTREE_FOLDER)));
    const memory = { ...transcripts.memory, tree: saved.folders.get(TRANSCRIPT_FOLDER) };
    await quietly(() => keepTranscripts(local, self.timeline, memory));
    if (saved.saved) {
      await quietly(() => keepHead(local, store.objectFormat, saved));
      await quietly(() => appendToCatalogue(local, entryOf(saved)));
    }
    return { saved, notes: [...found.notes, ...transcripts.notes] };
  } finally {
    await writer.discard();
  }
}

async function quietly(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch {
    // Said by the caller why this is no failure.
  }
}

function scanWorktree(
  { repository, fresh, replacement, progress, signal }: CaptureStep,
  writer: StoreWriter,
): ReturnType<Repository['worktree']['scan']> {
  const { settings, store, worktree } = repository;
  return worktree.scan({
    sink: writer,
    objects: store,
    maxFileBytes: settings['capture.maxFileBytes'],
    maxNewBytes: settings['capture.maxNewBytes'],
    directoryCache: settings['capture.directoryCache'],
    ...(fresh === undefined ? {} : { fresh }),
    ...(replacement === undefined ? {} : { replacement }),
    ...(progress === undefined ? {} : { progress }),
    ...(signal === undefined ? {} : { signal }),
  });
}

interface TranscriptParts {
  readonly writer: StoreWriter;
  readonly previous: LoadedSnapshot | undefined;
  readonly found: FoundTranscript;
}

async function takeTranscript(
  { repository }: CaptureRequest,
  { writer, previous, found }: TranscriptParts,
): Promise<TranscriptEdit> {
  const { store, local, self, clock } = repository;
  const tree = treeOf(previous, TRANSCRIPT_FOLDER);
  const memory = await recallTranscripts({ store, local, timeline: self.timeline }, tree);
  if (found.location === undefined) return keepEdit(memory);
  const log = await repository.openLog(found.location.file);
  const stored = async (path: string): Promise<Uint8Array | undefined> => {
    const file = await findInFolder((id) => store.tree(id), tree, path);
    return file === undefined ? undefined : store.read(file.id, 'blob');
  };
  const { location, guessed } = found;
  return editTranscript({ sink: writer, stored }, memory, { location, log, guessed, at: formatTime(clock.now()) });
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
