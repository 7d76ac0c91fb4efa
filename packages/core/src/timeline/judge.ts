/** Judges who signed a snapshot: the signature itself, and what the keys and facts at hand say of the signer. */
import { SNAPSHOT_FORMAT, type SnapshotId } from '../model/snapshot.js';
import type { Store } from '../store/store.js';
import type { KeyRing } from '../trust/key-ring.js';
import { judgeSigner, trustPolicy, type SignedSnapshot, type TrustPolicy } from '../trust/policy.js';
import { verifySignature, verifySignatureApart, type SignatureClaim } from '../trust/signature.js';
import { openCatalogue, type Catalogue } from './catalogue.js';
import { readFacts, type Facts } from './facts.js';
import { loadSnapshot, type LoadedSnapshot } from './snapshot/load.js';
import type { View } from './view.js';

export type SignatureState = 'good' | 'unsigned' | 'bad_signature';
export type SignatureVerdict = 'valid' | 'valid_unknown_signer' | 'unsigned' | 'revoked' | 'bad_signature';

type SignerVerdict = ReturnType<typeof judgeSigner>;

export interface Judge {
  readonly policy: TrustPolicy;
  readonly facts: Facts;
  /** `signature` is what was found of it, where it was looked at before. */
  verdict(snapshot: JudgedSnapshot, signature?: SignatureState): SignatureVerdict;
  /** What a correct signature of another kind is worth. */
  signer(signed: SignedSnapshot): SignerVerdict;
}

/** As far as it takes to judge what is in a file. */
export type SignerJudge = Pick<Judge, 'verdict' | 'signer'>;

export type JudgedSnapshot = Pick<LoadedSnapshot, 'id' | 'body' | 'signature' | 'signatureProblem'>;

/** Gathers what is known about keys, once, so that judging many snapshots is cheap. */
export async function makeJudge(view: Pick<View, 'store' | 'local' | 'repository'>, keys: KeyRing): Promise<Judge> {
  const [ownKeys, trusted, facts] = await Promise.all([
    keys.ownKeys(),
    keys.trustedKeys(),
    readFacts(view.store, view.repository),
  ]);
  const policy = trustPolicy({ ownKeys, trusted, facts: facts.facts.map(({ body }) => body) });
  const spared = await sparedSnapshots(view, policy);
  const reaches = (lastGood: readonly SnapshotId[], snapshot: SnapshotId) =>
    lastGood.some((good) => spared.get(good)?.has(snapshot) === true);
  return { policy, facts, ...judgeBy(policy, reaches) };
}

/** Judges by a policy; `reaches` says what a revocation spares. */
export function judgeBy(policy: TrustPolicy, reaches: Parameters<typeof judgeSigner>[2]): SignerJudge {
  const signer = (signed: SignedSnapshot): SignerVerdict => judgeSigner(policy, signed, reaches);
  return {
    signer,
    verdict(snapshot, signature = signatureState(snapshot)) {
      if (signature !== 'good') return signature;
      const { body, id } = snapshot;
      const own = signer({ signer: body.signer, snapshot: id });
      // Whoever took in what another program made says that its signature held, not that its signer is to be believed.
      return own === 'valid' && body.original !== undefined
        ? signer({ signer: body.original.signer, snapshot: body.original.id })
        : own;
    },
  };
}

/** Looks at the signature alone: `good` says that the named signer made it, not who that is. */
export function signatureState(snapshot: JudgedSnapshot): SignatureState {
  const claim = claimOf(snapshot);
  if (typeof claim === 'string') return claim;
  return verifySignature(claim) ? 'good' : 'bad_signature';
}

/** The same, on another thread. */
export async function checkSignature(snapshot: JudgedSnapshot): Promise<SignatureState> {
  const claim = claimOf(snapshot);
  if (typeof claim === 'string') return claim;
  return (await verifySignatureApart(claim)) ? 'good' : 'bad_signature';
}

function claimOf({ id, body, signature, signatureProblem }: JudgedSnapshot): SignatureClaim | SignatureState {
  if (body.signer === '') return (signature ?? signatureProblem) ? 'bad_signature' : 'unsigned';
  if (signature === undefined) return 'bad_signature';
  return { signer: body.signer, format: SNAPSHOT_FORMAT, id, signature };
}

/** Returns for each last good snapshot of a revoked key itself and all its ancestors, by the ids that bodies name. */
async function sparedSnapshots(
  view: Pick<View, 'store' | 'local'>,
  policy: TrustPolicy,
): Promise<ReadonlyMap<SnapshotId, ReadonlySet<SnapshotId>>> {
  const lastGood = [...policy.revocations.values()].flatMap((all) => all.flatMap((one) => one.lastGood));
  if (lastGood.length === 0) return new Map();
  const catalogue = await openCatalogue(view.store, view.local);
  const spared = new Map<SnapshotId, ReadonlySet<SnapshotId>>();
  for (const id of new Set(lastGood)) spared.set(id, await ancestors(view.store, catalogue, id));
  return spared;
}

// The catalogue only says where to look; an id is believed when the bytes in the store have it.
async function ancestors(store: Store, catalogue: Catalogue, from: SnapshotId): Promise<ReadonlySet<SnapshotId>> {
  const places = new Map([...catalogue.timelines.values()].flat().map((row) => [row.id, row.commit]));
  const found = new Set<SnapshotId>();
  const wanted = [from];
  for (let id = wanted.pop(); id !== undefined; id = wanted.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    const commit = places.get(id);
    if (commit === undefined) continue;
    const snapshot = await loadSnapshot(store, commit).catch(() => undefined);
    if (snapshot?.id === id) wanted.push(...snapshot.body.parents);
  }
  return found;
}
