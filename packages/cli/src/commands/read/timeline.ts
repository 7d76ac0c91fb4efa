import { timeline } from '@savepoint/core';
import { AT_OPTION } from '../../arguments/definition.js';
import { count, given } from '../../arguments/values.js';
import { USUAL_LIMIT } from '../../arguments/verb.js';
import { defineCommand } from '../../face/command.js';
import { passedOver } from '../../face/passed-over.js';
import { timelineView } from '../../views/read/timeline.js';

export const timelineCommand = defineCommand({
  name: 'timeline',
  aliases: ['log'],
  summary: 'draws the snapshots of all timelines as a graph, newest first',
  arguments: {},
  options: {
    limit: { short: 'n', value: 'N', summary: `At most so many; without it ${String(USUAL_LIMIT)}` },
    all: { short: 'a', summary: 'Every timeline of every worktree, and imports' },
    at: AT_OPTION,
  },
  examples: [
    { command: 'savepoint timeline', does: 'The graph of this worktree' },
    { command: 'savepoint timeline --all', does: 'The graph of every worktree' },
  ],
  exitCodes: { 3: 'Some snapshots could not be read and are passed over; they are listed' },
  ops: { timeline },
  async run({ face, options, ops }) {
    const { repository } = await face.look();
    const { all, at } = options;
    const limit = options.limit === undefined ? USUAL_LIMIT : count(options.limit, '--limit');
    const result = await ops.timeline({ repository, all, limit, ...given({ at }) });
    return {
      data: result,
      lines: () => timelineView(result, face.layout, repository.clock.now()),
      problems: passedOver(result.unreadable),
    };
  },
});
