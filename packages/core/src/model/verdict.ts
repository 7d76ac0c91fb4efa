/** What verification says of one snapshot. */

export const VERDICTS = [
  'valid',
  'valid_unknown_signer',
  'unsigned',
  'revoked',
  'bad_signature',
  'digest_mismatch',
  'not_canonical',
  'missing_object',
  'unexpected_entry',
  'wrong_place',
  'foreign_repository',
  'broken_chain',
  'truncated',
  'too_new',
] as const;

/** What verification says of one snapshot, in one word. */
export type Verdict = (typeof VERDICTS)[number];

/** One thing that was looked at: what, whether it holds, and a sentence for people. */
export interface Check {
  readonly name: 'content' | 'signature' | 'slices' | 'place' | 'chain' | 'anchor' | 'completeness' | 'bytes';
  readonly ok: boolean;
  /** The verdict that a failure stands for. */
  readonly verdict?: Verdict;
  readonly detail: string;
}

/**
 * `verify` exits 0 only with these.
 * @example
 * const { results } = await verify({ repository });
 * console.log(results.every(({ verdict }) => isGoodVerdict(verdict)));
 */
export function isGoodVerdict(verdict: Verdict): boolean {
  return verdict === 'valid' || verdict === 'valid_unknown_signer';
}
