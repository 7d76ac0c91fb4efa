/** `undo`: takes the newest operation back that was not taken back yet. */
import { contextError } from '../../base/errors.js';
import { readJournal } from '../../timeline/operations/journal.js';
import { undoStack, type UndoStack } from '../../timeline/operations/undo-stack.js';
import { exactScope } from '../../timeline/rewind/scope.js';
import { resolveSelector } from '../../timeline/select/select.js';
import type { OperationRequest, OperationResult } from '../operation/operation-result.js';
import { perform, refuseOpen } from '../operation/perform.js';
import { changedPaths } from '../operation/plan-operation.js';
import type { Repository } from '../repository/repository.js';
import { viewOf } from '../repository/view-of.js';

/** With `session`, the operations of that session; without, those that a person asked for. Others are not touched. */
export type UndoRequest = OperationRequest;

/** `of` is the operation that was taken back. */
export type UndoResult = OperationResult;

/**
 * Takes the newest operation back that was not taken back yet: the paths that it changed become as they were before it.
 * Everything is captured first, so what was edited since is in the safety snapshot; paths that it did not change stay.
 * @throws nothing_to_undo; what `rewind` throws
 * @example
 * await rewind({ repository, selector: 'seq:1' });
 * const { of, files } = await undo({ repository });
 * console.log(of?.kind, files.length);
 */
export async function undo(request: UndoRequest): Promise<UndoResult> {
  const { repository, session } = request;
  await refuseOpen(repository);
  const operation = (await readUndoStack(repository, session)).undo.at(-1);
  if (operation === undefined) throw contextError('nothing_to_undo', { whom: whom(session) });
  const { snapshot } = await resolveSelector(viewOf(repository), operation.safety);
  const { files, context, index } = operation.options;
  const options = { files, context, index, exact: true, force: request.force ?? false };
  const scope = exactScope(changedPaths(operation));
  return perform(request, {
    kind: 'undo',
    target: snapshot,
    options,
    scope,
    of: operation,
    ...(session !== undefined && { session }),
  });
}

export async function readUndoStack(repository: Repository, session: string | undefined): Promise<UndoStack> {
  const { store, id, self } = repository;
  const { operations } = await readJournal({ store, repository: id, worktree: self.id });
  return undoStack(operations, session);
}

export function whom(session: string | undefined): string {
  return session === undefined ? 'yours' : `the session ${session.replace(/[^\x20-\x7e]/g, '?')}`;
}
