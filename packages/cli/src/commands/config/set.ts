import path from 'node:path';
import { configSet, SETTINGS, type SettingKey } from '@savepoint/core';
import { defineCommand } from '../../face/command.js';
import { changedSettingView } from '../../views/config.js';
import { LAYER_OPTIONS, chosenLayer } from './layer.js';

export const configSetCommand = defineCommand({
  name: 'config set',
  summary: 'changes one setting',
  arguments: {
    key: { label: 'KEY', summary: 'Such as `capture.maxFileBytes`' },
    value: { label: 'VALUE', summary: 'The new value' },
  },
  options: LAYER_OPTIONS,
  examples: [
    { command: 'savepoint config set capture.maxFileBytes 104857600', does: 'Take files of up to 100 MiB' },
    { command: 'savepoint config set ledger.prices prices.json', does: 'Use your own price table everywhere' },
  ],
  ops: { configSet },
  async run({ face, arguments: { key, value: given }, options, ops }) {
    const value = isFile(key) ? path.resolve(face.directory, given) : given;
    const layer = chosenLayer('config set', options);
    const result = await ops.configSet({ files: await face.openSettings(), key, value, ...layer });
    return { data: result, lines: () => changedSettingView(result), changed: true };
  },
});

/** A path holds wherever the command is run later. */
function isFile(key: string): boolean {
  return Object.hasOwn(SETTINGS, key) && SETTINGS[key as SettingKey].type === 'file';
}
