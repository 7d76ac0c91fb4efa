import { undo } from '@savepoint/core';
import { defineCommand } from '../../face/command.js';
import { stepOutcome } from './outcome.js';
import { OPERATION_EXIT_CODES, PLAN_OPTIONS } from './request.js';

export const undoCommand = defineCommand({
  name: 'undo',
  summary: 'takes the newest rewind or restore back that was not taken back yet',
  details: [
    'It restores the safety snapshot of that operation, only where the operation changed something; edits made since are captured first. Repeated, it goes further back; captures between do not matter.',
  ],
  arguments: {},
  options: {
    ...PLAN_OPTIONS,
    session: { value: 'ID', summary: "Take back the operations of this agent's session instead of those of persons" },
  },
  examples: [
    { command: 'savepoint undo', does: 'Take the last rewind or restore back' },
    { command: 'savepoint undo --dry-run', does: 'Show what it would do' },
  ],
  exitCodes: OPERATION_EXIT_CODES,
  ops: { undo },
  run: ({ face, options, ops }) => stepOutcome({ face, command: 'undo', options, perform: ops.undo }),
});
