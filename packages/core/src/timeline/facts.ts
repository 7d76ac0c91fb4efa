/** Signed facts about finished snapshots and keys: one chain of commits for each key and store, read whole and appended to. */
import { formatTime, type Clock } from '../base/clock.js';
import { clauseOf, ContextError, contextError } from '../base/errors.js';
import { blake3 } from '../format/digest.js';
import { decodeFact, encodeFact } from '../format/v1/fact.js';
import { SIGNATURE_FILE } from '../format/v1/layout.js';
import { decodeSignature, encodeSignature } from '../format/v1/signature.js';
import { FACT_FORMAT, type FactBody, type FactContent } from '../model/fact.js';
import type { SnapshotId, Witness } from '../model/snapshot.js';
import type { ObjectId } from '../model/tree/tree.js';
import type { Store } from '../store/store.js';
import type { SigningKey } from '../trust/key-ring.js';
import { keyDigits } from '../trust/public-key.js';
import { signText, verifySignature } from '../trust/signature.js';
import { winRace } from './append-race.js';
import { loadSnapshot } from './snapshot/load.js';
import { ownRepository } from './own-repository.js';
import { timelineHeads } from './view.js';

export const FACTS = 'facts/';
export const FACT_FILE = 'fact.json';

export interface StoredFact {
  readonly id: string;
  readonly body: FactBody;
  readonly commit: ObjectId;
}

/** A fact that is not believed, and why: as a sentence without its period. */
export interface FactProblem {
  readonly ref: string;
  readonly commit: ObjectId;
  readonly reason: string;
}

export interface Facts {
  /** Signature, place and chain hold. Oldest first for each writer. */
  readonly facts: readonly StoredFact[];
  readonly problems: readonly FactProblem[];
}

/** Reads every fact that was made for this store. What does not hold is a problem and is not believed. */
export async function readFacts(store: Store, known: string): Promise<Facts> {
  const refs = await store.refs(FACTS);
  const repository = refs.length === 0 ? known : await ownRepository(store, known);
  const chains = await Promise.all(refs.map((ref) => readChain(store, { repository, ref: ref.name }, ref.target)));
  return { facts: chains.flatMap(({ facts }) => facts), problems: chains.flatMap(({ problems }) => problems) };
}

interface Place {
  readonly repository: string;
  readonly ref: string;
}

async function readChain(store: Store, place: Place, head: ObjectId): Promise<Facts> {
  const facts: StoredFact[] = [];
  const problems: FactProblem[] = [];
  let at: ObjectId | undefined = head;
  let younger: FactBody | undefined;
  const seen = new Set<ObjectId>();
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    const commit: ObjectId = at;
    try {
      const read = await readFact(store, commit);
      at = read.parent;
      const reason = factProblem(place, read, younger);
      younger = read.fact.body;
      if (reason === undefined) facts.unshift(read.fact);
      else problems.push({ ref: place.ref, commit, reason });
    } catch (error) {
      if (!(error instanceof ContextError)) throw error;
      problems.push({ ref: place.ref, commit, reason: clauseOf(error) });
      younger = undefined;
      at = (await store.commit(commit).catch(() => undefined))?.parents[0];
    }
  }
  return { facts, problems };
}

interface ReadFact {
  readonly fact: StoredFact;
  readonly parent: ObjectId | undefined;
  readonly signed: boolean;
}

async function readFact(store: Store, commitId: ObjectId): Promise<ReadFact> {
  const commit = await store.commit(commitId);
  const tree = commit && (await store.tree(commit.tree));
  if (commit === undefined || tree === undefined) {
    throw contextError('object_missing', { object: commitId, owner: 'the facts' });
  }
  const file = async (name: string): Promise<Uint8Array> => {
    const id = tree.find((entry) => entry.name === name)?.id;
    const bytes = id === undefined ? undefined : await store.read(id, 'blob');
    if (bytes === undefined)
      throw contextError('object_missing', { object: id ?? name, owner: `the fact ${commitId}` });
    return bytes;
  };
  const [bytes, signature] = await Promise.all([file(FACT_FILE), file(SIGNATURE_FILE)]);
  const [body, id] = [decodeFact(bytes), blake3(bytes)];
  const claim = { signer: body.signer, format: FACT_FORMAT, id, signature: decodeSignature(signature) } as const;
  return { fact: { id, body, commit: commitId }, parent: commit.parents[0], signed: verifySignature(claim) };
}

function factProblem(
  { repository, ref }: Place,
  { fact, parent, signed }: ReadFact,
  younger: FactBody | undefined,
): string | undefined {
  const { body } = fact;
  if (!signed) return 'its signature does not hold';
  if (body.repository !== repository) return 'it was made for another repository';
  if (ref !== factsRef(body.signer, body.replica)) return 'it lies on the ref of another writer';
  if ((parent === undefined) !== (body.previous === undefined)) return 'the fact before it is gone';
  if (younger !== undefined && younger.previous !== fact.id) return 'the fact after it names another one before it';
  return undefined;
}

export function factsRef(signer: string, replica: string): string {
  return `${FACTS}${keyDigits(signer)}/${replica}`;
}

export interface FactWriter {
  readonly store: Store;
  readonly key: SigningKey;
  readonly repository: string;
  readonly replica: string;
  readonly clock: Clock;
}

/**
 * Signs a fact and appends it to its writer's chain.
 * @throws head_moved if others kept winning the race; format_unreadable if the chain's end cannot be read
 */
export function appendFact(writer: FactWriter, content: FactContent): Promise<StoredFact> {
  return winRace(() => tryAppend(writer, content));
}

async function tryAppend(
  { store, key, repository, replica, clock }: FactWriter,
  content: FactContent,
): Promise<StoredFact> {
  const ref = factsRef(key.signer, replica);
  const head = (await store.refs(ref)).find(({ name }) => name === ref)?.target;
  const before = head === undefined ? undefined : (await readFact(store, head)).fact;
  const body: FactBody = {
    format: FACT_FORMAT,
    repository,
    replica,
    sequence: (before?.body.sequence ?? 0) + 1,
    ...(before !== undefined && { previous: before.id }),
    at: formatTime(clock.now()),
    signer: key.signer,
    content,
    seen: await presentHeads(store),
  };
  const { bytes, id } = encodeFact(body);
  const signature = encodeSignature(signText(key, FACT_FORMAT, id));
  const writer = store.writer();
  try {
    const commit = await writer.commit({
      ref,
      ...(head !== undefined && { expected: head }),
      message: `savepoint fact ${String(body.sequence)}\n`,
      folders: [],
      seal: () =>
        new Map([
          [FACT_FILE, bytes],
          [SIGNATURE_FILE, signature],
        ]),
    });
    return { id, body, commit: commit.id };
  } finally {
    await writer.discard();
  }
}

/** Returns the heads of all timelines that can be read: whoever signs them is a witness that they were that long. */
export async function presentHeads(store: Store): Promise<readonly Witness[]> {
  const heads = await timelineHeads(store);
  const seen = heads.map(async ({ timeline, commit }): Promise<Witness | undefined> => {
    try {
      const { id, body } = await loadSnapshot(store, commit);
      return { timeline, sequence: body.sequence, id };
    } catch (error) {
      if (error instanceof ContextError) return undefined;
      throw error;
    }
  });
  return (await Promise.all(seen)).filter((witness) => witness !== undefined);
}

/** Returns the snapshots that were deleted on purpose. */
export function tombstones(facts: readonly StoredFact[]): ReadonlySet<SnapshotId> {
  return new Set(facts.flatMap(({ body }) => (body.content.kind === 'tombstone' ? body.content.snapshots : [])));
}
