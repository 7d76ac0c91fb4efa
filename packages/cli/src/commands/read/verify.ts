import { verify, verifyFile, type VerifyResult } from '@savepoint/core';
import { AT_OPTION } from '../../arguments/definition.js';
import { given, onlyOne } from '../../arguments/values.js';
import { defineCommand, type Face, type Outcome } from '../../face/command.js';
import { verifyView } from '../../views/read/verify.js';
import { grouped } from '../../views/words/wording.js';

export const verifyCommand = defineCommand({
  name: 'verify',
  summary: 'proves content ids, signatures, chain, slices and anchor, offline, and says what is not proven',
  details: [
    'A published file is verified in any directory, with no repository at all. A word is a file if one of that name is there and it is no id, `head` or `form:`; `./` before it says so in any case.',
  ],
  arguments: {
    selector: {
      label: 'SELECTOR|FILE',
      summary: 'Which snapshot, or a published file (`-` is standard input); without it the head',
      optional: true,
    },
  },
  options: {
    all: { short: 'a', summary: 'Every timeline of every worktree, and imports' },
    deep: { summary: 'Also read every byte' },
    at: AT_OPTION,
  },
  examples: [
    { command: 'savepoint verify', does: 'The newest snapshot' },
    { command: 'savepoint verify --all --deep', does: 'Everything, to the last byte' },
    { command: 'savepoint verify review.savepoint', does: 'What somebody gave you' },
  ],
  exitCodes: {
    0: 'Every result is `valid` or `valid_unknown_signer`',
    14: 'One is `unsigned` or `revoked`, none is worse',
    15: 'One has any other verdict',
    16: 'One has a major version that this Savepoint does not know',
  },
  ops: { verify, verifyFile },
  async run({ face, arguments: words, options, ops }) {
    const { all, deep, at } = options;
    onlyOne('verify', { 'SELECTOR|FILE': words.selector, '--all': all });
    if (words.selector !== undefined && isFile(words.selector, face)) {
      onlyOne('verify', { FILE: words.selector, '--at': at });
      const result = await ops.verifyFile({ input: face.input(words.selector), ...(await face.lookAtKeys()) });
      return outcomeOf(result, face);
    }
    const { repository } = await face.look();
    const result = await ops.verify({
      repository,
      all,
      deep,
      ...given({ selector: words.selector, at }),
      progress: (done, total) => {
        face.progress.show(() => `Verifying: ${grouped(done)} of ${grouped(total)}`);
      },
    });
    return outcomeOf(result, face);
  },
});

function outcomeOf(result: VerifyResult, face: Face): Outcome {
  const { results, completeness, proven, notProven, exitCode } = result;
  return {
    data: { results, completeness, proven, notProven },
    lines: () => verifyView(result, face.layout),
    quiet: () => results.map(({ id, verdict }) => `${id} ${verdict}`),
    exitCode,
  };
}

const SELECTOR = /^(?:head(?:~\d*)?|@?[0-9a-f]{4,64}|[a-z]+:.*)$/i;

function isFile(word: string, face: Face): boolean {
  if (word === '-' || /^\.{0,2}\/|\.savepoint$/.test(word)) return true;
  return !SELECTOR.test(word) && face.isFile(word);
}
