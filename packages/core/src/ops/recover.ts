/** `recover`: completes or rolls back an operation that was interrupted. */
import { toRepoPath } from '../base/path.js';
import { WAIT_MILLISECONDS } from './capture.js';
import { findTranscript } from './capture-transcript.js';
import { decodeNote, finishOperation } from './finish-operation.js';
import type { OperationResult } from './operation-result.js';
import type { Repository } from './repository.js';

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
    if (rollBack) {
      const outcomes = await replacement.rollBack();
      await replacement.close();
      const left = outcomes.filter(({ result }) => result === 'conflict').map(({ path }) => toRepoPath(path));
      return { outcome: 'rolled_back', left };
    }
    const found = await findTranscript({ repository });
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
