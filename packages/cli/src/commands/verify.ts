import { verify } from '@savepoint/core';
import { AT_OPTION } from '../arguments/definition.js';
import { given, oneOf } from '../arguments/values.js';
import { defineCommand } from '../face/command.js';
import { verifyView } from '../views/verify.js';

export const verifyCommand = defineCommand({
  name: 'verify',
  summary: 'proves content ids, signatures, chain, slices and anchor, offline, and says what is not proven',
  arguments: { selector: { label: 'SELECTOR', summary: 'Which snapshot; without it the head', optional: true } },
  options: {
    all: { short: 'a', summary: 'Every timeline of every worktree, and imports' },
    deep: { summary: 'Also read every byte' },
    at: AT_OPTION,
  },
  examples: [
    { command: 'savepoint verify', does: 'The newest snapshot' },
    { command: 'savepoint verify --all --deep', does: 'Everything, to the last byte' },
  ],
  exitCodes: {
    0: 'Every result is `valid` or `valid_unknown_signer`',
    14: 'One is `unsigned` or `revoked`, none is worse',
    15: 'One has any other verdict',
    16: 'One has a major version that this Savepoint does not know',
  },
  ops: { verify },
  async run({ face, arguments: words, options, ops }) {
    const { all, deep, at } = options;
    oneOf('verify', words.selector, all ? '--all' : undefined);
    const { repository } = await face.open();
    const result = await ops.verify({
      repository,
      all,
      deep,
      ...given({ selector: words.selector, at }),
      progress: (done, total) => {
        face.progress.show(() => `Verifying: ${String(done)} of ${String(total)}`);
      },
    });
    return {
      data: {
        results: result.results,
        completeness: result.completeness,
        proven: result.proven,
        notProven: result.notProven,
      },
      lines: () => verifyView(result, face.layout),
      quiet: () => result.results.map(({ id, verdict }) => `${id} ${verdict}`),
      exitCode: result.exitCode,
    };
  },
});
