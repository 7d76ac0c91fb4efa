import { findCommand } from '../arguments/find-command.js';
import { defineCommand } from '../face/command.js';
import { commandOutcome, groupOutcome, overviewOutcome } from '../help/about.js';

export const helpCommand = defineCommand({
  name: 'help',
  summary: 'shows help for Savepoint or for one command',
  arguments: { verb: { label: 'VERB', summary: 'Which command; without it the overview', repeated: true } },
  options: {},
  examples: [{ command: 'savepoint help capture', does: 'The same as `savepoint capture --help`' }],
  ops: {},
  async run({ face, arguments: { verb } }) {
    const group = verb.length === 1 ? face.groups.find(({ name }) => name === verb[0]) : undefined;
    if (group !== undefined) return groupOutcome(group, face.commands);
    const found = findCommand(verb, face.commands, face.groups);
    return found.kind === 'none' ? overviewOutcome(face) : commandOutcome(found.command);
  },
});
