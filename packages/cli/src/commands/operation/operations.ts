import { operations } from '@savepoint/core';
import { count, given } from '../../arguments/values.js';
import { defineCommand } from '../../face/command.js';
import { operationsView } from '../../views/operation/operations.js';

export const operationsCommand = defineCommand({
  name: 'operations',
  summary: 'shows what rewind, restore, undo and redo did in this worktree, newest first',
  arguments: {},
  options: { limit: { value: 'N', summary: 'Show at most N' } },
  examples: [{ command: 'savepoint operations', does: 'What was done, and what undo would take back' }],
  ops: { operations },
  async run({ face, options, ops }) {
    const limit = options.limit === undefined ? undefined : count(options.limit, '--limit');
    const { repository } = await face.open();
    const result = await ops.operations({ repository, ...given({ limit }) });
    return {
      data: result,
      lines: () => operationsView(result, face.layout, repository.clock.now()),
      quiet: () => result.operations.map(({ id }) => id),
    };
  },
});
