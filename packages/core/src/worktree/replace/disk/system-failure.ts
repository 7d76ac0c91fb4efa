/** Says in our words what the system refused. */
import { ContextError, asContextError, contextError } from '../../../base/errors.js';
import type { Folders } from './folders.js';

const FULL: readonly string[] = ['ENOSPC', 'EDQUOT'];

/** Returns the error for something that failed while nothing was changed, or all was taken back. */
export function systemFailure(error: unknown, root: string, folders: Folders): ContextError {
  if (error instanceof ContextError) return error;
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return asContextError(error);
  if (FULL.includes(code ?? '')) return contextError('worktree_full', { directory: root, needed: 'more' }, error);
  return contextError('worktree_unwritable', { path: root, reason: folders.readable(message) }, error);
}
