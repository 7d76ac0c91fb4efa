import { maintain } from '@savepoint/core';
import { defineCommand } from '../face/command.js';
import { maintainView } from '../views/maintain.js';

export const maintainCommand = defineCommand({
  name: 'maintain',
  summary: 'merges the small packs of many captures into one',
  details: [
    'It runs by itself in the background when it is due, so there is no need to call it. Only packs that Savepoint added are touched, never while `git gc` runs, and a superfluous one goes only when no git program can be reading it.',
  ],
  arguments: {},
  options: {},
  examples: [{ command: 'savepoint maintain', does: 'Do it now' }],
  ops: { maintain },
  async run({ face, ops }) {
    const { repository } = await face.open();
    const report = await ops.maintain({ repository });
    return { data: report, lines: () => maintainView(report) };
  },
});
