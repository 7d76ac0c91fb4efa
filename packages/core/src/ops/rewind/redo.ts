/** `redo`: repeats, with its options, the operation that was taken back last. */
import { contextError } from '../../base/errors.js';
import { namedScope } from '../../timeline/rewind/scope.js';
import { resolveSelector } from '../../timeline/select/select.js';
import type { OperationRequest, OperationResult } from '../operation/operation-result.js';
import { mergeHunks } from '../operation/hunks.js';
import { perform, refuseOpen } from '../operation/perform.js';
import { readUndoStack, whom } from './undo.js';
import { viewOf } from '../repository/view-of.js';

export type RedoRequest = OperationRequest;

/** `of` is the operation that was repeated. */
export type RedoResult = OperationResult;

/**
 * Repeats the operation that was taken back last, with its options; a new restore or rewind leaves nothing to repeat.
 * @throws nothing_to_redo; what `rewind` throws
 * @example
 * await rewind({ repository, selector: 'seq:1' });
 * await undo({ repository });
 * const { of, target } = await redo({ repository });
 * console.log(of?.kind, target.shortId);
 */
export async function redo(request: RedoRequest): Promise<RedoResult> {
  const { repository, session } = request;
  await refuseOpen(repository);
  const operation = (await readUndoStack(repository, session)).redo.at(-1);
  if (operation === undefined) throw contextError('nothing_to_redo', { whom: whom(session) });
  const { snapshot } = await resolveSelector(viewOf(repository), operation.target);
  const { options } = operation;
  const scope = namedScope(options.paths);
  // The same hunks of the same content: counted in another, the numbers would mean others.
  const hunks = options.hunks && (await mergeHunks(repository, { target: snapshot, scope, ...options.hunks }));
  return perform(request, {
    kind: 'redo',
    target: snapshot,
    options: { ...options, force: options.force || request.force === true },
    scope,
    ...(hunks !== undefined && { hunks }),
    of: operation,
    ...(session !== undefined && { session }),
  });
}
