/** `verify FILE`: what a published file proves, in any directory, with no repository at all. */
import { judgeBy, makeJudge, type SignerJudge } from '../../timeline/judge.js';
import { exitCodeOf } from '../../timeline/verify/verdicts.js';
import type { KeyRing } from '../../trust/key-ring.js';
import { trustPolicy } from '../../trust/policy.js';
import type { FileVerdict } from './formats/format-port.js';
import { recognise } from './formats/formats.js';
import type { BundleInput } from './import.js';
import type { History } from '../repository/repository.js';
import { viewOf } from '../repository/view-of.js';
import type { VerifyResult } from '../read/verify.js';

export interface VerifyFileRequest {
  readonly input: BundleInput;
  readonly keys: KeyRing;
  /** Where one stands in one, its facts say more about keys. */
  readonly repository?: History;
}

export interface VerifyFileResult extends VerifyResult {
  readonly format: string;
  readonly results: readonly FileVerdict[];
}

/**
 * Verifies a file that `publish` wrote, offline. What is wrong with it is in the result, whatever it is; it throws only what
 * reading the input does.
 * @example
 * const open = async function* () { yield new Uint8Array(1024); };
 * const { results } = await verifyFile({ input: { open, again: true }, keys });
 * console.log(results.map(({ verdict }) => verdict));
 */
export async function verifyFile({ input, keys, repository }: VerifyFileRequest): Promise<VerifyFileResult> {
  const judge = repository === undefined ? await judgeByKeys(keys) : await makeJudge(viewOf(repository), keys);
  const { format, chunks } = await recognise(input.open());
  const results = await format.verify(chunks, judge);
  return {
    format: format.name,
    results,
    completeness: 'not_proven',
    ...saidOf(results),
    exitCode: exitCodeOf(results.map(({ verdict }) => verdict)),
  };
}

/** Without a repository there are no facts: rotations and revocations are not known. */
async function judgeByKeys(keys: KeyRing): Promise<SignerJudge> {
  const [ownKeys, trusted] = await Promise.all([keys.ownKeys(), keys.trustedKeys()]);
  return judgeBy(trustPolicy({ ownKeys, trusted, facts: [] }), () => false);
}

function saidOf(results: readonly FileVerdict[]): Pick<VerifyResult, 'proven' | 'notProven'> {
  const good = results.filter(({ checks }) => checks.every(({ ok }) => ok));
  const known = good.filter(({ verdict }) => verdict === 'valid').length;
  const proven =
    good.length === 0
      ? []
      : [
          'Integrity: what is in the file is what was recorded and signed, to the last byte.',
          known > 0
            ? 'Origin: it was signed by a key that you own or named.'
            : 'Origin: it was signed by one key, which you neither own nor named; whose it is, the file cannot say.',
        ];
  const bad = results.filter((one) => !good.includes(one)).map(({ verdict }) => `Integrity: the file is ${verdict}.`);
  return {
    proven,
    notProven: [
      ...bad,
      'Completeness: what was withheld is named by its digest only, and that nothing came after it a file cannot prove.',
      'Revocation: only keys and facts of this computer were asked.',
      'Time: that the clock of the computer which made it was right.',
    ],
  };
}
