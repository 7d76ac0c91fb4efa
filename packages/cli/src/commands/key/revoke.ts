import { keyRevoke } from '@savepoint/core';
import { given } from '../../arguments/values.js';
import { defineCommand } from '../../face/command.js';
import { keyView } from '../../views/key.js';

export const keyRevokeCommand = defineCommand({
  name: 'key revoke',
  summary: 'declares a key stolen: what it signed is `revoked`, except what the last good snapshots reach',
  arguments: { key: { label: 'KEY', summary: 'The public key, or the name that you gave it' } },
  options: {
    'last-good': { value: 'SELECTOR', repeated: true, summary: 'The last snapshot that was surely honest; repeatable' },
    reason: { value: 'TEXT', summary: 'Why, for others to read' },
  },
  examples: [
    {
      command: `savepoint key revoke ed25519:${'3f'.repeat(32)} --last-good 9f2c4b1a7e31 --reason "Laptop stolen"`,
      does: 'Keep what was signed up to that snapshot',
    },
  ],
  ops: { keyRevoke },
  async run({ face, arguments: { key }, options, ops }) {
    const lastGood = options['last-good'];
    const { reason } = options;
    const result = await ops.keyRevoke({ ...(await face.openKeys()), key, lastGood, ...given({ reason }) });
    return { data: result, lines: () => keyView(result) };
  },
});
