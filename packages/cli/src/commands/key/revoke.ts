import { keyRevoke } from '@savepoint/core';
import { given } from '../../arguments/values.js';
import { defineCommand } from '../../face/command.js';
import { keyView } from '../../views/key.js';

export const keyRevokeCommand = defineCommand({
  name: 'key revoke',
  summary: 'declares a key stolen: what it signed is `revoked`, except what the last good snapshots reach',
  details: [
    'What it signed and no `--last-good` reaches is `revoked` from now on, in this repository and wherever the fact gets. That cannot be taken back: a later revocation of the same key may spare less, never more.',
    'Where it is the key that you sign with, make another one first: `savepoint key rotate`.',
  ],
  arguments: { key: { label: 'KEY', summary: 'The public key, or the name that you gave it' } },
  options: {
    'last-good': { value: 'SELECTOR', repeated: true, summary: 'The last snapshot that was surely honest; repeatable' },
    'until-now': { summary: 'All that it signed here until now is surely honest' },
    reason: { value: 'TEXT', summary: 'Why, for others to read' },
  },
  examples: [
    {
      command: `savepoint key revoke ed25519:${'3f'.repeat(32)} --last-good 9f2c4b1a7e31 --reason "Laptop stolen"`,
      does: 'Keep what was signed up to that snapshot',
    },
    { command: 'savepoint key revoke ada --until-now', does: 'Keep all that is here' },
  ],
  ops: { keyRevoke },
  async run({ face, arguments: { key }, options, ops }) {
    const { 'last-good': lastGood, 'until-now': untilNow, reason } = options;
    const result = await ops.keyRevoke({ ...(await face.openKeys()), key, lastGood, untilNow, ...given({ reason }) });
    return { data: result, lines: () => keyView(result), changed: true };
  },
});
