import { configGet } from '@savepoint/core';
import { defineCommand } from '../../face/command.js';
import { settingView } from '../../views/config.js';

export const configGetCommand = defineCommand({
  name: 'config get',
  summary: 'prints the value of one setting',
  arguments: { key: { label: 'KEY', summary: 'Such as `capture.maxFileBytes`' } },
  options: {},
  examples: [{ command: 'savepoint config get capture.maxFileBytes', does: 'The limit in bytes' }],
  ops: { configGet },
  async run({ face, arguments: { key }, ops }) {
    const result = await ops.configGet({ files: await face.openSettings(), key });
    return { data: result, lines: () => settingView(result) };
  },
});
