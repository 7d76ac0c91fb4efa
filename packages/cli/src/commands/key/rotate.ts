import { keyRotate } from '@savepoint/core';
import { defineCommand } from '../../face/command.js';
import { keyView } from '../../views/key.js';

export const keyRotateCommand = defineCommand({
  name: 'key rotate',
  summary: 'makes a new signing key; the old one signs it, and what it signed stays valid',
  arguments: {},
  options: { lost: { summary: 'The old key is gone or unusable: go on without its signature' } },
  examples: [{ command: 'savepoint key rotate', does: 'Sign with a new key from now on' }],
  ops: { keyRotate },
  async run({ face, options: { lost }, ops }) {
    const result = await ops.keyRotate({ ...(await face.openKeys()), lost });
    return { data: result, lines: () => keyView(result), quiet: () => [result.signer ?? ''], changed: true };
  },
});
