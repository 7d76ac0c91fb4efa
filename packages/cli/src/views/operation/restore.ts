/** Text of `restore`: as of every operation, and where else it wrote or what is checked out now. */
import type { RestoreResult } from '@savepoint/core';
import type { Line } from '../../terminal/line.js';
import { operationView, type OperationLayout } from './operation.js';

export function restoreView(result: RestoreResult, layout: OperationLayout): readonly Line[] {
  const { to, git } = result;
  return [
    ...operationView(result, layout),
    ...(to === undefined ? [] : [`Written to ${to}; nothing else was changed.`]),
    ...(git === undefined ? [] : [`Checked out: ${git.commit.slice(0, 12)}${git.branch ? ` on ${git.branch}` : ''}`]),
  ];
}
