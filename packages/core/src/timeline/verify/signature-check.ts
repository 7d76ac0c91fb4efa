/** What a verdict about a signature says to people. */
import type { Check } from '../../model/verdict.js';
import type { JudgedSnapshot, SignatureVerdict } from '../judge.js';

const SIGNATURE_SENTENCES: Readonly<Record<SignatureVerdict, string>> = {
  valid: 'signed by a key that you own or gave a name',
  valid_unknown_signer: 'signed correctly, by a key that you neither own nor gave a name',
  unsigned: 'not signed: there was no usable key',
  revoked: 'signed by a key that was revoked, and not among what that key is still trusted for',
  bad_signature: 'the signature is not that of the signer whom the body names',
};

/** Returns the check of a signature, from what it is worth. */
export function signatureCheck(verdict: SignatureVerdict, { body, signatureProblem }: JudgedSnapshot): Check {
  const ok = verdict === 'valid' || verdict === 'valid_unknown_signer';
  const why = signatureProblem === undefined ? '' : `: ${signatureProblem}`;
  const signer = body.signer === '' ? '' : ` (${body.signer})`;
  return { name: 'signature', ok, verdict, detail: `${SIGNATURE_SENTENCES[verdict]}${signer}${why}.` };
}
