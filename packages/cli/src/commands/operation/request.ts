/** What the commands that change files have in common: their options, and the request that these make. */
import { contextError, type OperationRequest, type RewindRequest } from '@savepoint/core';
import { given, listedPaths, worktreePath } from '../../arguments/values.js';
import type { Face } from '../../face/command.js';

/** Of everything that can be tried first. */
export const PLAN_OPTIONS = {
  'dry-run': { short: 'n', summary: 'Show every file with what would happen to it, and the token of this plan' },
  plan: {
    value: 'TOKEN',
    summary: 'Carry out exactly the plan of this token, or nothing; with `--dry-run`: say whether it still fits',
  },
  force: { summary: "Also over another live session's changes, and while an agent's turn is in progress" },
  session: { value: 'ID', summary: "Act for this agent's session: its own turn is no obstacle" },
} as const;

export const OPERATION_EXIT_CODES = {
  0: 'Done; at most ignored files and boundaries were kept',
  3: 'Done, but something was skipped, in conflict, or kept because it is in no snapshot; it is listed',
  17: 'Nobody said yes, or an agent is in the middle of a turn; nothing was changed',
  18: 'An interrupted operation waits for `savepoint recover`; nothing was changed',
} as const;

export interface PlanOptions {
  readonly plan: string | undefined;
  readonly force: boolean;
  readonly session: string | undefined;
  readonly paths0?: string | undefined;
}

type Request = OperationRequest & Pick<RewindRequest, 'paths'>;

/** Opens the repository and reads the paths. @throws argument_malformed for an empty list, which must never mean "all" */
export async function operationRequest(face: Face, named: readonly string[], options: PlanOptions): Promise<Request> {
  const { paths0, plan, force, session } = options;
  const listed = listedPaths(paths0, named, (file) => face.read(file));
  if (session === '') {
    // A variable that is not set would hide the operation from its own `undo`.
    throw contextError('argument_malformed', { value: '""', argument: '--session', reason: 'it names no session' });
  }
  const { repository } = await face.open();
  const { root } = repository.worktree;
  const paths = [...named.map((name) => worktreePath(name, face.directory, root)), ...listed];
  return { repository, force, ...given({ plan, session }), ...(paths.length > 0 && { paths }) };
}
