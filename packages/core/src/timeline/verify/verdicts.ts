/** How single findings become one verdict, and verdicts an exit code. */
import { isGoodVerdict, type Check, type Verdict } from '../../model/verdict.js';

/**
 * Worst first. What cannot be read comes before what was read and is wrong; a body that nobody signed for comes before
 * what it says of its slices, its repository and its place; the person behind a correct signature comes last.
 */
export const SEVERITY: readonly Verdict[] = [
  'missing_object',
  'not_canonical',
  'too_new',
  'bad_signature',
  'digest_mismatch',
  'unexpected_entry',
  'foreign_repository',
  'wrong_place',
  'broken_chain',
  'truncated',
  'revoked',
  'unsigned',
  'valid_unknown_signer',
  'valid',
];

export function worstVerdict(verdicts: readonly Verdict[]): Verdict {
  return SEVERITY.find((verdict) => verdicts.includes(verdict)) ?? 'valid';
}

/** Returns the verdict of a snapshot: the worst that a check stands for. */
export function verdictOf(checks: readonly Check[]): Verdict {
  return worstVerdict(checks.flatMap(({ verdict }) => (verdict === undefined ? [] : [verdict])));
}

/** 0 if all are good, 14 for signers that are not to be trusted, 16 for later formats, 15 for anything worse. */
export function exitCodeOf(verdicts: readonly Verdict[]): 0 | 14 | 15 | 16 {
  const bad = verdicts.filter((verdict) => !isGoodVerdict(verdict));
  if (bad.length === 0) return 0;
  const rest = bad.filter((verdict) => verdict !== 'unsigned' && verdict !== 'revoked');
  if (rest.length === 0) return 14;
  return rest.every((verdict) => verdict === 'too_new') ? 16 : 15;
}
