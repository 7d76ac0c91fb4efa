import { at, contextError } from '@savepoint/core';
import { AT_OPTION } from '../../arguments/definition.js';
import { given } from '../../arguments/values.js';
import { defineCommand } from '../../face/command.js';
import { atView } from '../../views/read/at.js';

export const atCommand = defineCommand({
  name: 'at',
  summary: 'shows the state at a time, commit, tag or number',
  arguments: {
    selector: {
      label: 'SELECTOR',
      summary: 'Such as "2 hours ago", `seq:12`, `commit:abc`, an ISO time',
      optional: true,
    },
  },
  options: { at: AT_OPTION },
  examples: [
    { command: 'savepoint at "2 hours ago"', does: 'The newest snapshot that existed then' },
    { command: 'savepoint at commit:3a8f12c', does: 'The newest one of that commit' },
    { command: 'savepoint at before:tag:release', does: 'The one before a tagged one' },
  ],
  ops: { at },
  async run({ face, arguments: words, options, ops }) {
    const { at: from } = options;
    const selector = words.selector ?? (from === undefined ? undefined : 'head');
    if (selector === undefined) throw contextError('argument_missing', { command: 'at', argument: 'SELECTOR' });
    const { repository } = await face.look();
    const result = await ops.at({ repository, selector, ...given({ at: from }) });
    return {
      data: result,
      lines: () => atView(result, face.layout),
      quiet: () => [result.snapshot.id],
    };
  },
});
