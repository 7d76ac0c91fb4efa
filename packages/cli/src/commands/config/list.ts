import { configList } from '@savepoint/core';
import { defineCommand } from '../../face/command.js';
import { configView } from '../../views/config.js';

export const configListCommand = defineCommand({
  name: 'config list',
  summary: 'lists every setting, its value and where it comes from',
  arguments: {},
  options: {},
  examples: [{ command: 'savepoint config list', does: 'All settings' }],
  ops: { configList },
  async run({ face, ops }) {
    const result = await ops.configList({ files: await face.openSettings() });
    return { data: result, lines: () => configView(result, face.layout) };
  },
});
