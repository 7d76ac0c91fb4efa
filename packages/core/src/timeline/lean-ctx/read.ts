/** Reads a file of lean-ctx from a stream and says what holds: with an error, or as the result of `verify FILE`. */
import { ContextError } from '../../base/errors.js';
import { LEAN_CTX_BYTES, readLeanCtx } from '../../format/lean-ctx/codec.js';
import type { LeanCtxSnapshot } from '../../format/lean-ctx/snapshot.js';
import type { Signer } from '../../model/snapshot.js';
import type { Check, Verdict } from '../../model/verdict.js';
import { refusal } from '../bundle/refusal.js';
import type { SignerJudge } from '../judge.js';
import { verdictOf } from '../verify/verdicts.js';
import { check, type VerifiedSnapshot } from '../verify/verify.js';
import { examineLeanCtx } from './judge.js';

/** A snapshot of lean-ctx whose id and signature hold. */
export interface ProvenLeanCtx {
  /** Its id there. */
  readonly id: string;
  readonly signer: Signer;
  readonly snapshot: LeanCtxSnapshot;
  readonly file: Uint8Array;
}

/** @throws bundle_refused, also for one that is not signed; format_version_unsupported */
export async function readProven(chunks: AsyncIterable<Uint8Array>): Promise<ProvenLeanCtx> {
  const file = await readWhole(chunks);
  const snapshot = readSnapshot(file);
  const { id, signer, checks } = examineLeanCtx(snapshot);
  const failed = checks.find(({ ok }) => !ok);
  if (failed === undefined && signer !== undefined) return { id, signer, snapshot, file };
  throw refusal(failed?.verdict ?? 'bad_signature', plain(failed?.detail ?? 'its signature does not hold'));
}

async function readWhole(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of chunks) {
    length += piece.length;
    if (length > LEAN_CTX_BYTES)
      throw refusal('not_canonical', `a lean-ctx snapshot has at most ${String(LEAN_CTX_BYTES)} bytes`);
    // Whoever hands out pieces may use their memory again.
    pieces.push(Uint8Array.from(piece));
  }
  return new Uint8Array(Buffer.concat(pieces));
}

function readSnapshot(file: Uint8Array): LeanCtxSnapshot {
  try {
    return readLeanCtx(file);
  } catch (error) {
    if (!(error instanceof ContextError) || error.code !== 'format_unreadable') throw error;
    throw refusal('not_canonical', `it is no lean-ctx snapshot: ${String(error.data['reason'])}`);
  }
}

export interface VerifiedLeanCtx extends VerifiedSnapshot {
  readonly slices: readonly [];
}

/** Never throws for what is in the file. The id is that of lean-ctx. */
export async function verifyLeanCtx(chunks: AsyncIterable<Uint8Array>, judge: SignerJudge): Promise<VerifiedLeanCtx> {
  const nowhere = { id: '', timeline: '', slices: [] } as const;
  try {
    const file = await readWhole(chunks);
    const { id, signer, state, checks: found } = examineLeanCtx(readSnapshot(file));
    const checks = found.map((one): Check => {
      if (!one.ok || one.name !== 'signature' || signer === undefined) return one;
      const verdict = judge.signer({ signer, snapshot: id });
      return { ...one, ok: verdict !== 'revoked', verdict, detail: `${plain(one.detail)} (${SIGNERS[verdict]}).` };
    });
    return { ...nowhere, id, verdict: state === 'good' ? verdictOf(checks) : state, checks };
  } catch (error) {
    if (!(error instanceof ContextError)) throw error;
    const verdict: Verdict = error.code === 'format_version_unsupported' ? 'too_new' : 'not_canonical';
    const { reason } = error.data;
    const text = typeof reason === 'string' ? reason : plain(error.message);
    const checks = [check('content', [{ verdict, text }], '')];
    return { ...nowhere, verdict: verdictOf(checks), checks };
  }
}

const SIGNERS: Readonly<Record<ReturnType<SignerJudge['signer']>, string>> = {
  valid: 'a key that you own or gave a name',
  valid_unknown_signer: 'a key that you neither own nor gave a name',
  revoked: 'a key that was revoked',
};

function plain(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
