import { keyShow } from '@savepoint/core';
import { defineCommand } from '../../face/command.js';
import { keyView } from '../../views/key.js';

export const keyShowCommand = defineCommand({
  name: 'key show',
  summary: 'shows your public key and the keys that you trust or revoked',
  arguments: {},
  options: {},
  examples: [{ command: 'savepoint key show', does: 'Print the public key to hand to others' }],
  ops: { keyShow },
  async run({ face, ops }) {
    const result = await ops.keyShow(await face.openKeys());
    return { data: result, lines: () => keyView(result), quiet: () => [result.signer ?? ''] };
  },
});
