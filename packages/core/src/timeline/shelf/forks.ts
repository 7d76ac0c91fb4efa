/**
 * Finds timelines that go on in two ways: a repository was copied whole, and both copies captured. Each is one unbroken
 * chain by itself; it shows where snapshots of both are in one store.
 */
import { ContextError } from '../../base/errors.js';
import type { Witness } from '../../model/snapshot.js';
import type { Store } from '../../store/store.js';
import { tombstones } from '../facts.js';
import { signatureState, type Judge } from '../judge.js';
import { loadSnapshot, type LoadedSnapshot } from '../snapshot/load.js';
import { orError } from '../newest-first.js';
import type { Link, Placed } from '../verify/chains.js';
import type { Finding } from '../verify/objects.js';
import { loadShelved, PUBLISHED, REMOTES, shelvedPlaces } from './shelf.js';

/** Findings about timelines that are here twice, as sentences without their period. */
export interface Forks {
  /** What else has its place, or the place of what it follows. */
  of(placed: Placed): readonly Finding[];
  /** Snapshots that came after the newest one that is here. */
  after(head: Placed): readonly Finding[];
}

interface Known extends Witness {
  readonly signer: string;
  /** True for what lies in its timeline here, and for signers that the user is or trusts. */
  readonly counts: boolean;
}

interface Sources {
  readonly store: Store;
  readonly repository: string;
  readonly judge: Judge;
  readonly chains: ReadonlyMap<string, readonly Link[]>;
}

export async function findForks(sources: Sources): Promise<Forks> {
  const deleted = tombstones(sources.judge.facts.facts);
  const elsewhere = (await placedElsewhere(sources)).filter(({ id }) => !deleted.has(id));
  const known = new Map<string, Known[]>();
  const add = (one: Known) => known.set(placeOf(one), [...(known.get(placeOf(one)) ?? []), one]);
  elsewhere.forEach(add);
  for (const timeline of new Set(elsewhere.map((one) => one.timeline)))
    for (const { placed } of sources.chains.get(timeline) ?? [])
      if (placed?.timeline === timeline) add({ ...placed, counts: true });
  const forked = new Set(
    [...known.values()].flatMap((all) =>
      all.some(({ id }) => id !== all[0]?.id) ? all.map(({ timeline }) => timeline) : [],
    ),
  );
  // Only what a signer may say of its own snapshots: otherwise a stranger's file could speak against a sound timeline.
  const others = (one: Placed) =>
    (known.get(placeOf(one)) ?? []).filter(
      ({ id, signer, counts }) => id !== one.id && (counts || signer === one.signer),
    );
  return {
    of: (one) => {
      const before = one.parent === undefined ? [] : others({ ...one, id: one.parent, sequence: one.sequence - 1 });
      return distinct([...others(one), ...before]).map(({ sequence, id }): Finding => ({
        verdict: 'broken_chain',
        text: `the timeline forked: snapshot ${String(sequence)} is also ${id.slice(0, 12)}, as where a repository was copied and both copies went on`,
      }));
    },
    after: (head) => {
      if (forked.has(head.timeline)) return [];
      const later = elsewhere
        .filter(({ timeline, sequence }) => timeline === head.timeline && sequence > head.sequence)
        .filter(({ signer, counts }) => counts || signer === head.signer)
        .sort((a, b) => b.sequence - a.sequence)[0];
      if (later === undefined) return [];
      const text = `snapshot ${String(later.sequence)} of this timeline, ${later.id.slice(0, 12)}, was published, and the timeline ends before it: its end was cut off, or it goes on in a copy of the repository`;
      return [{ verdict: 'truncated', text }];
    },
  };
}

function placeOf({ timeline, sequence }: Pick<Witness, 'timeline' | 'sequence'>): string {
  return `${timeline} ${String(sequence)}`;
}

function distinct(all: readonly Known[]): readonly Known[] {
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

/** The snapshots of this store's own that lie outside of their timelines, each with the one that it follows. */
async function placedElsewhere({ store, repository, judge, chains }: Sources): Promise<readonly Known[]> {
  const found: Known[] = [];
  const take = (snapshot: LoadedSnapshot | ContextError): void => {
    if (snapshot instanceof ContextError || signatureState(snapshot) !== 'good') return;
    const { id, body } = snapshot;
    // What another program made has no place in a timeline of ours.
    if (body.repository !== repository || body.original !== undefined) return;
    const verdict = judge.verdict(snapshot, 'good');
    if (verdict === 'revoked') return;
    const { timeline, sequence, signer, parents } = body;
    const one = { timeline, signer, counts: verdict === 'valid' };
    found.push({ ...one, sequence, id });
    if (parents[0] !== undefined) found.push({ ...one, sequence: sequence - 1, id: parents[0] });
  };
  for (const prefix of [REMOTES, PUBLISHED])
    for (const place of await shelvedPlaces(store, prefix)) take(await orError(() => loadShelved(store, place)));
  for (const { timeline, placed, commit } of [...chains.values()].flat())
    if (placed !== undefined && placed.timeline !== timeline) take(await orError(() => loadSnapshot(store, commit)));
  return found;
}
