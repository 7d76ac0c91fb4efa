/** Says in our words what the system refused. */
import path from 'node:path';
import { ContextError, asContextError, contextError } from '../../../base/errors.js';
import type { Folders } from './folders.js';

const FULL: readonly string[] = ['ENOSPC', 'EDQUOT'];
const FORBIDDEN: readonly string[] = ['EACCES', 'EPERM', 'EROFS'];

/** Returns the error for something that failed while nothing was changed, or all was taken back. */
export function systemFailure(error: unknown, root: string, folders: Folders): ContextError {
  if (error instanceof ContextError) return error;
  const { code = '', syscall, message, path: at } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return asContextError(error);
  const reason = folders.readable(message);
  if (FULL.includes(code)) return contextError('worktree_full', { directory: root, needed: 'more' }, error);
  if (!FORBIDDEN.includes(code)) return contextError('worktree_failed', { reason }, error);
  // To make, rename or remove something, one has to be allowed to write its directory.
  const directory = at === undefined ? root : path.dirname(folders.readable(String(at)));
  return contextError('worktree_unwritable', { path: directory, reason }, error);
}
