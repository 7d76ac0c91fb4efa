import { configUnset } from '@savepoint/core';
import { defineCommand } from '../../face/command.js';
import { changedSettingView } from '../../views/config.js';
import { LAYER_OPTIONS, chosenLayer } from './layer.js';

export const configUnsetCommand = defineCommand({
  name: 'config unset',
  summary: 'removes one setting from a file, so that the one below it holds',
  arguments: { key: { label: 'KEY', summary: 'Such as `capture.maxFileBytes`' } },
  options: LAYER_OPTIONS,
  examples: [{ command: 'savepoint config unset capture.maxFileBytes --user', does: 'Back to the default' }],
  ops: { configUnset },
  async run({ face, arguments: { key }, options, ops }) {
    const layer = chosenLayer('config unset', options);
    const result = await ops.configUnset({ files: await face.openSettings(), key, ...layer });
    return { data: result, lines: () => changedSettingView(result), changed: true };
  },
});
