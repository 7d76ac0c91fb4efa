import { redo } from '@savepoint/core';
import { defineCommand, type Outcome } from '../../face/command.js';
import { operationOutcome } from './outcome.js';
import { OPERATION_EXIT_CODES, PLAN_OPTIONS, operationRequest } from './request.js';

export const redoCommand = defineCommand({
  name: 'redo',
  summary: 'repeats the operation that was taken back last, with its options',
  details: ['A new rewind or restore clears what could be repeated; captures and edits do not.'],
  arguments: {},
  options: {
    ...PLAN_OPTIONS,
    session: { value: 'ID', summary: "Repeat the operations of this agent's session instead of those of persons" },
  },
  examples: [
    { command: 'savepoint redo', does: 'Do again what undo took back' },
    { command: 'savepoint redo --dry-run', does: 'Show what it would do' },
  ],
  exitCodes: OPERATION_EXIT_CODES,
  ops: { redo },
  async run({ face, options, ops }): Promise<Outcome> {
    const request = await operationRequest(face, [], options);
    return operationOutcome({
      face,
      command: 'redo',
      dryRun: options['dry-run'],
      plan: options.plan,
      // It is one step of what the user did before, and can itself be taken back.
      consent: 'given',
      offersExact: false,
      perform: (step) => ops.redo({ ...request, ...step }),
    });
  },
});
