/** `recover`: completes or rolls back an operation that was interrupted. */
import { toRepoPath } from '../../base/path.js';
import { appendOperation, readJournal } from '../../timeline/operations/journal.js';
import { resolveSelector } from '../../timeline/select/select.js';
import type { Replacement } from '../../worktree/replace/replacement.js';
import { WAIT_MILLISECONDS } from '../capture-step/capture-step.js';
import { findTranscriptOfOperation } from '../capture-step/capture-transcript.js';
import { decodeNote, finishOperation, type OperationNote } from '../operation/finish-operation.js';
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
 * Ends an operation that was interrupted: completes it, or puts everything back. Without one it does nothing.
 * @throws restore_running while its process lives; worktree_unwritable; worktree_full; object_missing
 * @example
 * const { outcome } = await recover({ repository });
 * console.log(outcome);
 */
export async function recover({ repository, rollBack = false }: RecoverRequest): Promise<RecoverResult> {
  const { store, local, self, worktree } = repository;
  if ((await worktree.replacements.find()) === undefined) return { outcome: 'nothing', left: [] };
  return local.locked(`worktree-${self.id}`, WAIT_MILLISECONDS, async () => {
    const replacement = await worktree.replacements.open(store);
    if (replacement === undefined) return { outcome: 'nothing', left: [] };
    if (rollBack) return takeBack(repository, replacement);
    const found = await findTranscriptOfOperation(repository);
    const note = decodeNote(replacement.note);
    const result = await finishOperation(repository, { note, replacement, found, listed: [], notes: [] });
    const left = result.files.filter(({ action }) => action === 'conflict');
    return {
      outcome: 'completed',
      result,
      left: left.map(({ path, pathBytes }) => ({ path, ...(pathBytes !== undefined && { pathBytes }) })),
    };
  });
}

async function takeBack(repository: Repository, replacement: Replacement): Promise<RecoverResult> {
  try {
    const note = decodeNote(replacement.note);
    const { applied } = replacement;
    const outcomes = await replacement.rollBack();
    // The index is restored after the files, so it is as it was where they were not done.
    if (applied && note.staged !== undefined) await restoreFormerIndex(repository, note);
    await recordRollBack(repository, note);
    await replacement.close();
    const left = outcomes.filter(({ result }) => result === 'conflict').map(({ path }) => toRepoPath(path));
    return { outcome: 'rolled_back', left };
  } catch (error) {
    replacement.leave();
    throw error;
  }
}

/** An operation that was recorded before its process died is recorded as taken back. */
async function recordRollBack(repository: Repository, { record }: OperationNote): Promise<void> {
  const { store, keys, clock, random, id, self } = repository;
  const place = { store, keys, clock, repository: id, worktree: self.id };
  const [newest] = (await readJournal(place)).operations;
  if (newest?.id !== record.id) return;
  const { target, safety } = record;
  // What it had made of the worktree was the target's state, and the safety snapshot's is what is there now.
  const taken = { ...record, id: random.hex(32), kind: 'undo' as const, of: record.id, target: safety, safety: target };
  await appendOperation(place, { ...taken, files: [] });
}

async function restoreFormerIndex(repository: Repository, { record }: OperationNote): Promise<void> {
  const { snapshot } = await resolveSelector(viewOf(repository), record.safety);
  await repository.worktree.restoreIndex(await stagedState(repository.store, snapshot));
}
