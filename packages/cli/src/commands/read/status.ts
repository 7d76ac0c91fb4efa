import { status } from '@savepoint/core';
import { defineCommand } from '../../face/command.js';
import { statusView } from '../../views/read/status.js';

export const statusCommand = defineCommand({
  name: 'status',
  summary: 'shows the health of this installation: head, key, failed captures, what needs your attention',
  arguments: {},
  options: {},
  examples: [{ command: 'savepoint status', does: 'Is everything captured, signed and kept to this machine?' }],
  ops: { status },
  async run({ face, ops }) {
    const { repository, hooks, remotes } = await face.open();
    const result = await ops.status({ repository, hooks, remotes });
    return { data: result, lines: () => statusView(result, face.layout, repository.clock.now()) };
  },
});
