import { contextError, recover, type ContextError, type RecoverResult } from '@savepoint/core';
import { defineCommand } from '../../face/command.js';
import { problemsOf } from './outcome.js';
import { recoverView } from '../../views/operation/recover.js';

export const recoverCommand = defineCommand({
  name: 'recover',
  summary: 'completes an operation that was interrupted, or rolls it back',
  details: ['With nothing open it does nothing. The files are then exactly as asked for, or exactly as before.'],
  arguments: {},
  options: { 'roll-back': { summary: 'Put everything back as it was before the operation' } },
  examples: [
    { command: 'savepoint recover', does: 'Complete it' },
    { command: 'savepoint recover --roll-back', does: 'Take it back' },
  ],
  exitCodes: { 3: 'Completed, but something was left out; it is listed' },
  ops: { recover },
  async run({ face, options, ops }) {
    const { repository } = await face.open();
    const result = await ops.recover({ repository, rollBack: options['roll-back'] });
    return {
      data: result,
      changed: true,
      lines: () => recoverView(result, face.layout),
      quiet: () => [result.outcome],
      notes: result.result?.notes ?? [],
      problems: problemsOfRecovery(result),
    };
  },
});

function problemsOfRecovery({ result, left }: RecoverResult): readonly ContextError[] {
  if (result !== undefined) return problemsOf(result);
  return left.length === 0 ? [] : [contextError('files_left_out', { operation: 'recovery', count: left.length })];
}
