import { keyTrust } from '@savepoint/core';
import { defineCommand } from '../../face/command.js';
import { keyView } from '../../views/key.js';

export const keyTrustCommand = defineCommand({
  name: 'key trust',
  summary: "gives somebody's public key a name, so that their snapshots are `valid`",
  arguments: {
    name: { label: 'NAME', summary: 'Whose key it is' },
    key: { label: 'PUBLICKEY', summary: '`ed25519:` and 64 hex digits, as `savepoint key show` prints it' },
  },
  options: {},
  examples: [{ command: `savepoint key trust ada ed25519:${'3f'.repeat(32)}`, does: "Trust Ada's snapshots" }],
  ops: { keyTrust },
  async run({ face, arguments: { name, key }, ops }) {
    const result = await ops.keyTrust({ ...(await face.openKeys()), name, key });
    return { data: result, lines: () => keyView(result), changed: true };
  },
});
