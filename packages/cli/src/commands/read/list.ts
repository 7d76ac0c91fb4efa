import { list } from '@savepoint/core';
import { AT_OPTION } from '../../arguments/definition.js';
import { count, given } from '../../arguments/values.js';
import { USUAL_LIMIT } from '../../arguments/verb.js';
import { defineCommand } from '../../face/command.js';
import { passedOver } from '../../face/passed-over.js';
import { listView } from '../../views/read/list.js';

export const listCommand = defineCommand({
  name: 'list',
  aliases: ['ls'],
  summary: 'lists snapshots, newest first',
  details: [
    "Without `--session`, `--branch` or `--all` it lists this worktree's timelines.",
    'What was spent up to a snapshot stands beside it; a `+` says that more was, which is not known.',
  ],
  arguments: {},
  options: {
    tag: { short: 't', value: 'TAG', summary: 'Only with this tag' },
    session: { value: 'SESSION', summary: "Only of this agent's session" },
    branch: { value: 'BRANCH', summary: 'Only anchored on this branch' },
    since: { value: 'TIME', summary: 'Only from this time on: an ISO time, or words such as "2 hours ago"' },
    limit: { short: 'n', value: 'N', summary: `At most so many; without it ${String(USUAL_LIMIT)}` },
    all: { short: 'a', summary: 'Every timeline of every worktree, and imports' },
    at: AT_OPTION,
  },
  examples: [
    { command: 'savepoint list', does: 'The newest 50 of this worktree' },
    { command: 'savepoint list --tag safe --since yesterday', does: 'What was tagged since yesterday' },
    { command: 'savepoint list --all --json', does: 'Everything, for scripts' },
  ],
  exitCodes: { 3: 'Some snapshots could not be read and are passed over; they are listed' },
  ops: { list },
  async run({ face, options, ops }) {
    const { repository } = await face.look();
    const { tag, session, branch, since, at, all } = options;
    const limit = options.limit === undefined ? USUAL_LIMIT : count(options.limit, '--limit');
    const result = await ops.list({ repository, all, limit, ...given({ tag, session, branch, since, at }) });
    return {
      data: result,
      lines: () => listView(result, face.layout, repository.clock.now()),
      quiet: () => result.snapshots.map(({ id }) => id),
      problems: passedOver(result.unreadable),
    };
  },
});
