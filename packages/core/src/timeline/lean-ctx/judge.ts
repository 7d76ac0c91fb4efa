/** Verifies a snapshot of lean-ctx by its own rules: the id over the body as it is written, the signature over the id. */
import { leanCtxId, leanCtxSignedMessage } from '../../format/lean-ctx/codec.js';
import type { LeanCtxSignature, LeanCtxSnapshot } from '../../format/lean-ctx/snapshot.js';
import type { Signer } from '../../model/snapshot.js';
import type { Check } from '../../model/verdict.js';
import { verifyMessage } from '../../trust/signature.js';
import type { SignatureVerdict } from '../judge.js';

export interface LeanCtxFindings {
  /** The id that the body has. */
  readonly id: string;
  /** The id that the file claims. */
  readonly claimed: string;
  /** The key that signed it; absent where no signature holds. */
  readonly signer?: Signer;
  /** Who that is, nobody has asked yet. */
  readonly state: 'good' | 'digest_mismatch' | Extract<SignatureVerdict, 'unsigned' | 'bad_signature'>;
  readonly checks: readonly Check[];
}

/** Looks at id and signature. Needs no repository and no key ring. */
export function examineLeanCtx(snapshot: LeanCtxSnapshot): LeanCtxFindings {
  const id = leanCtxId(snapshot);
  const content = contentCheck(id, snapshot.snapshot_id);
  // Over the id that the file claims, as there: so a changed body is told from a changed signature.
  const { signer, check } = signatureCheck(snapshot.snapshot_id, snapshot.signature);
  const verdict = content.verdict ?? check.verdict;
  return {
    id,
    claimed: snapshot.snapshot_id,
    ...(signer !== undefined && { signer }),
    state: verdict === undefined ? 'good' : (verdict as LeanCtxFindings['state']),
    checks: [content, check],
  };
}

function contentCheck(id: string, claimed: string): Check {
  return id === claimed
    ? { name: 'content', ok: true, detail: 'The lean-ctx id is the BLAKE3 digest of its body.' }
    : {
        name: 'content',
        ok: false,
        verdict: 'digest_mismatch',
        detail: 'The body does not have the lean-ctx id that the file claims.',
      };
}

function signatureCheck(
  id: string,
  signature: LeanCtxSignature | null,
): { readonly signer?: Signer; readonly check: Check } {
  if (signature === null)
    return {
      check: { name: 'signature', ok: false, verdict: 'unsigned', detail: 'The lean-ctx snapshot is not signed.' },
    };
  // lean-ctx writes lower digits and reads both kinds.
  const signer = `ed25519:${signature.public_key.toLowerCase()}`;
  const value = signature.value.toLowerCase();
  const holds =
    signature.algorithm === 'ed25519' && verifyMessage({ signer, message: leanCtxSignedMessage(id), value });
  return holds
    ? {
        signer,
        check: { name: 'signature', ok: true, detail: `The lean-ctx signature is by ${signer}.` },
      }
    : {
        check: {
          name: 'signature',
          ok: false,
          verdict: 'bad_signature',
          detail: 'The lean-ctx signature does not belong to this id and key.',
        },
      };
}
