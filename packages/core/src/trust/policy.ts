/**
 * Who is believed: own keys, named keys, and what signed facts say about keys. Pure: facts come in with their signatures
 * verified already, and the answer depends on nothing else.
 *
 * A thief of a key can sign every fact that its owner can. The rules therefore let facts of a key take away trust from
 * that key, but let it neither survive a revocation nor reach keys that replaced it.
 */
import type { FactBody } from '../model/fact.js';
import type { Signer, SnapshotId } from '../model/snapshot.js';

export interface TrustSources {
  /** Own keys of this user, the present one first. */
  readonly ownKeys: readonly Signer[];
  /** Keys of others that this user gave a name. */
  readonly trusted: ReadonlyMap<Signer, string>;
  /** Facts whose signature was verified; in any order. */
  readonly facts: readonly FactBody[];
}

/** A revocation that counts: who signed it, and which snapshots of the key it spares with all that they reach. */
export interface Revocation {
  readonly by: Signer;
  readonly lastGood: readonly SnapshotId[];
  readonly reason?: string;
}

export interface TrustPolicy {
  /** Own keys, and those that they were rotated to. */
  readonly own: ReadonlySet<Signer>;
  /** Names of others' keys, and of those that they were rotated to. */
  readonly names: ReadonlyMap<Signer, string>;
  readonly revocations: Revocations;
}

type Edges = ReadonlyMap<Signer, ReadonlySet<Signer>>;
type Revocations = ReadonlyMap<Signer, readonly Revocation[]>;

/** Works out the policy once, so that judging many snapshots is cheap. */
export function trustPolicy({ ownKeys, trusted, facts }: TrustSources): TrustPolicy {
  const rotations = rotationsOf(facts);
  const revocations = revocationsOf(ownKeys, rotations, facts);
  const believed = withoutRevoked(rotations, revocations);
  const own = closure(believed, ownKeys);
  const names = new Map<Signer, string>();
  const give = (key: Signer, name: string) => {
    for (const one of closure(believed, [key])) if (!own.has(one) && !names.has(one)) names.set(one, name);
  };
  // What the user wrote down on this machine outranks what facts say.
  for (const [key, name] of trusted) if (!own.has(key)) names.set(key, name);
  for (const [key, name] of trusted) give(key, name);
  for (const { signer, content } of [...facts].sort(byTimeDescending)) {
    if (content.kind === 'trust' && own.has(signer) && !revocations.has(signer)) give(content.key, content.name);
  }
  return { own, names, revocations };
}

export interface SignedSnapshot {
  readonly signer: Signer;
  readonly snapshot: SnapshotId;
}

/**
 * Says what a snapshot with a correct signature is worth.
 * @param reaches tells whether the snapshot is one of `lastGood` or an ancestor of one
 */
export function judgeSigner(
  policy: TrustPolicy,
  { signer, snapshot }: SignedSnapshot,
  reaches: (lastGood: readonly SnapshotId[], snapshot: SnapshotId) => boolean,
): 'valid' | 'valid_unknown_signer' | 'revoked' {
  // Every revocation has to spare it: a thief may add one that spares more.
  const revoked = (policy.revocations.get(signer) ?? []).some(({ lastGood }) => !reaches(lastGood, snapshot));
  if (revoked) return 'revoked';
  return policy.own.has(signer) || policy.names.has(signer) ? 'valid' : 'valid_unknown_signer';
}

function byTimeDescending(a: FactBody, b: FactBody): number {
  return a.at < b.at ? 1 : a.at > b.at ? -1 : b.sequence - a.sequence;
}

// A fact is signed by the key that hands over, so nobody can claim to be another key's successor.
function rotationsOf(facts: readonly FactBody[]): Edges {
  const edges = new Map<Signer, Set<Signer>>();
  for (const { signer, content } of facts) {
    if (content.kind !== 'rotate' || content.key === signer) continue;
    edges.set(signer, (edges.get(signer) ?? new Set<Signer>()).add(content.key));
  }
  return edges;
}

/** Returns the keys given and all that they were rotated to, near ones first. */
function closure(edges: Edges, from: Iterable<Signer>): ReadonlySet<Signer> {
  const found = new Set(from);
  // A set's iteration also visits what is added during it.
  for (const key of found) for (const next of edges.get(key) ?? []) found.add(next);
  return found;
}

/** What one `revoke` fact says, with its signer. */
type Revoke = Revocation & { readonly key: Signer };

function revokesOf(facts: readonly FactBody[]): readonly Revoke[] {
  return facts.flatMap(({ signer: by, content }) => {
    if (content.kind !== 'revoke') return [];
    const { key, lastGood, reason } = content;
    return [{ by, key, lastGood, ...(reason === undefined ? {} : { reason }) }];
  });
}

/**
 * A revocation counts if it is signed by the key itself, by a key that it was rotated to, or by an own key. An own key
 * that is revoked has no say, and a former one has none about the keys that came after it: its thief would silence them.
 */
function revocationsOf(ownKeys: readonly Signer[], rotations: Edges, facts: readonly FactBody[]): Revocations {
  const counted = new Map<Signer, Revocation[]>();
  const revokes = revokesOf(facts);
  const isSuccessor = (by: Signer, key: Signer) => closure(rotations, [key]).has(by);
  const count = (counts: (revoke: Revoke) => boolean) => {
    for (const revoke of revokes) {
      const { key, ...revocation } = revoke;
      if (counts(revoke)) counted.set(key, [...(counted.get(key) ?? []), revocation]);
    }
  };
  count(({ by, key }) => isSuccessor(by, key));
  for (const [rank, speaker] of ownKeys.entries()) {
    if (counted.has(speaker)) continue;
    const newer = new Set(ownKeys.slice(0, rank));
    const mayRevoke = (key: Signer) => rank === 0 || (!newer.has(key) && !isSuccessor(key, speaker));
    count(({ by, key }) => by === speaker && mayRevoke(key) && !isSuccessor(by, key));
  }
  // Keys that this user holds elsewhere, known here only by a rotation.
  const own = closure(withoutRevoked(rotations, counted), ownKeys);
  const elsewhere = new Set([...own].filter((key) => !ownKeys.includes(key) && !counted.has(key)));
  count(({ by, key }) => elsewhere.has(by) && !own.has(key) && !isSuccessor(by, key));
  return counted;
}

/**
 * Takes the rotations of revoked keys away, except towards the keys that revoked them: otherwise the thief of a key
 * would rotate it to one of his own and be trusted on, or its owner's new key would lose its name with the old one.
 */
function withoutRevoked(rotations: Edges, revocations: Revocations): Edges {
  const kept = new Map<Signer, ReadonlySet<Signer>>();
  for (const [from, targets] of rotations) {
    const by = revocations.get(from)?.map((revocation) => revocation.by);
    const stays = (target: Signer) => {
      if (by === undefined) return true;
      const successors = closure(rotations, [target]);
      return by.some((key) => key !== from && successors.has(key));
    };
    kept.set(from, new Set([...targets].filter(stays)));
  }
  return kept;
}
