import { redo } from '@savepoint/core';
import { defineCommand } from '../../face/command.js';
import { stepOutcome } from './outcome.js';
import { OPERATION_EXIT_CODES, PLAN_OPTIONS } from './request.js';

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
  run: ({ face, options, ops }) => stepOutcome({ face, command: 'redo', options, perform: ops.redo }),
});
