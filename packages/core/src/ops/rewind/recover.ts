/** `recover`: completes or rolls back an operation that was interrupted. */
import { ContextError } from '../../base/errors.js';
import { toRepoPath } from '../../base/path.js';
import type { OperationBody, OperationId } from '../../model/operation.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import type { ContextPlan } from '../../timeline/merge/context-plan.js';
import { appendOperation, readJournal } from '../../timeline/operations/journal.js';
import { resolveSelector } from '../../timeline/select/select.js';
import type { Replacement } from '../../worktree/replace/replacement.js';
import { captureStep, WAIT_MILLISECONDS } from '../capture-step/capture-step.js';
import { findTranscriptOfOperation, type FoundTranscript } from '../capture-step/capture-transcript.js';
import { decodeNote, finishOperation, type OperationNote } from '../operation/finish-operation.js';
import { amendment, planContext } from '../operation/merge.js';
import type { OperationResult } from '../operation/operation-result.js';
import { stagedState } from '../operation/plan-operation.js';
import type { Repository } from '../repository/repository.js';
import { viewOf } from '../repository/view-of.js';

export interface RecoverRequest {
  readonly repository: Repository;
  /** Put everything back as it was before the operation; default: complete it. */
  readonly rollBack?: boolean;
}

export interface RecoverResult {
  /** `nothing`: no operation was open, and nothing was changed. */
  readonly outcome: 'nothing' | 'completed' | 'rolled_back';
  /** What was completed. */
  readonly result?: OperationResult;
  /** Paths that are not as they should be, because somebody changed them since. */
  readonly left: readonly { readonly path: string; readonly pathBytes?: string }[];
}

/**
 * Ends an operation that was interrupted: completes it, or puts everything back, also where an earlier call began to and was
 * interrupted itself. Without one it does nothing.
 * @throws restore_running while its process lives; worktree_unwritable; worktree_full; object_missing
 * @example
 * const { outcome } = await recover({ repository });
 * console.log(outcome);
 */
export async function recover({ repository, rollBack = false }: RecoverRequest): Promise<RecoverResult> {
  const { store, local, self, worktree } = repository;
  if (!worktree.replacements.hasRemains()) return { outcome: 'nothing', left: [] };
  return local.locked(`worktree-${self.id}`, WAIT_MILLISECONDS, async () => {
    const replacement = await worktree.replacements.open(store);
    // Whoever took it back died while sweeping up: that is done now.
    if (replacement === undefined) return { outcome: 'rolled_back', left: [] };
    if (rollBack || replacement.returning) return takeBack(repository, replacement);
    const found = await findTranscript(repository);
    const note = decodeNote(replacement.note);
    const { context, notes } = await contextToSet(repository, note);
    const set = context === undefined ? {} : { context };
    const result = await finishOperation(repository, { note, replacement, found, listed: [], notes, ...set });
    const left = result.files.filter(({ action }) => action === 'conflict');
    return {
      outcome: 'completed',
      result,
      left: left.map(({ path, pathBytes }) => ({ path, ...(pathBytes !== undefined && { pathBytes }) })),
    };
  });
}

/** Files are completed also where nothing can be captured, since the settings cannot be read. */
async function findTranscript(repository: Repository): Promise<FoundTranscript> {
  if (repository.settingsProblem !== undefined) return { guessed: false, notes: [] };
  return findTranscriptOfOperation(repository);
}

/** What the operation was to make of the context; files are completed also where that cannot be said any more. */
async function contextToSet(
  repository: Repository,
  { record }: OperationNote,
): Promise<{ readonly context?: ContextPlan; readonly notes: readonly string[] }> {
  const { kind, options } = record;
  if (!options.context || options.merge !== undefined) return { notes: [] };
  try {
    const [target, safety] = [await snapshotOf(repository, record.target), await snapshotOf(repository, record.safety)];
    const of = record.of === undefined ? undefined : await operationOf(repository, record.of);
    const task = { kind, target, options, ...(of !== undefined && { of }) };
    const context = await planContext(repository, task, { snapshot: safety });
    return { notes: [], ...(context !== undefined && { context }) };
  } catch (error) {
    if (!(error instanceof ContextError)) throw error;
    return { notes: [`The context was not set: ${error.message}`] };
  }
}

async function snapshotOf(repository: Repository, id: string): Promise<LoadedSnapshot> {
  return (await resolveSelector(viewOf(repository), id)).snapshot;
}

async function operationOf(
  { store, id: repository, self }: Repository,
  id: OperationId,
): Promise<OperationBody | undefined> {
  const { operations } = await readJournal({ store, repository, worktree: self.id });
  return operations.find((operation) => operation.id === id);
}

async function takeBack(repository: Repository, replacement: Replacement): Promise<RecoverResult> {
  try {
    const note = decodeNote(replacement.note);
    const { applied } = replacement;
    const outcomes = await replacement.rollBack();
    // The index is restored after the files, so it is as it was where they were not done.
    if (applied && note.staged !== undefined) await restoreFormerIndex(repository, note);
    await recordRollBack(repository, note, replacement.id);
    await replacement.close();
    const left = outcomes.filter(({ result }) => result === 'conflict').map(({ path }) => toRepoPath(path));
    return { outcome: 'rolled_back', left };
  } catch (error) {
    replacement.leave();
    throw error;
  }
}

/** An operation that was recorded before its process died is recorded as taken back. */
async function recordRollBack(repository: Repository, { record }: OperationNote, replacement: string): Promise<void> {
  const { store, keys, clock, random, id, self } = repository;
  const place = { store, keys, clock, repository: id, worktree: self.id };
  const [newest] = (await readJournal(place)).operations;
  if (newest?.id !== record.id) return;
  const { target, safety } = record;
  // What it had made of the worktree was the target's state, and the safety snapshot's is what is there now.
  const taken = { ...record, id: random.hex(32), kind: 'undo' as const, of: record.id, target: safety, safety: target };
  await giveWindowsBack(repository, newest, replacement);
  await appendOperation(place, { ...taken, files: [] });
}

/** The snapshot that follows the operation is there already, with what it made of the context. */
async function giveWindowsBack(repository: Repository, of: OperationBody, replacement: string): Promise<void> {
  const { id: operation, options, safety } = of;
  if (!options.context || options.merge !== undefined) return;
  const task = { kind: 'undo' as const, target: await snapshotOf(repository, safety), options, of };
  const plan = await planContext(repository, task, { snapshot: await snapshotOf(repository, 'head') });
  if (plan === undefined) return;
  await captureStep({
    repository,
    found: await findTranscriptOfOperation(repository),
    trigger: { kind: 'automatic', reason: 'undo' },
    message: `After ${of.kind} was rolled back`,
    replacement,
    amend: amendment(repository, { plan, operation }),
  });
}

async function restoreFormerIndex(repository: Repository, { record }: OperationNote): Promise<void> {
  const snapshot = await snapshotOf(repository, record.safety);
  await repository.worktree.restoreIndex(await stagedState(repository.store, snapshot));
}
