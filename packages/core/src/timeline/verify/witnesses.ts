/** Holds the timelines against what others saw of them: a cut-off or exchanged tail shows where somebody saw it before. */
import type { SnapshotId, Witness } from '../../model/snapshot.js';
import { tombstones, type Facts } from '../facts.js';
import type { Link } from './chains.js';
import type { Finding } from './objects.js';

type Chains = ReadonlyMap<string, readonly Link[]>;

export interface Completeness {
  /** Findings by the commit of the link that they are about. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
  /** Timelines of which only witnesses are left. */
  readonly gone: readonly Witness[];
  /** Timelines whose newest snapshot was seen from outside. */
  readonly witnessed: ReadonlySet<string>;
  /** Timelines that witnesses say were longer or different. */
  readonly damaged: ReadonlySet<string>;
}

export interface Outside {
  readonly facts: Facts;
  /** What operations saw. */
  readonly operations: readonly Witness[];
}

export function checkCompleteness(chains: Chains, outside: Outside): Completeness {
  const findings = new Map<string, Finding[]>();
  const gone = new Map<string, Witness>();
  const witnessed = new Set<string>();
  const damaged = new Set<string>();
  const deleted = tombstones(outside.facts.facts);
  const reached = new Map([...chains].map(([timeline, links]) => [timeline, new Set(links.map(({ id }) => id))]));
  for (const witness of allWitnesses(chains, outside)) {
    const links = chains.get(witness.timeline) ?? [];
    const [head] = links;
    if (head?.id === witness.id) witnessed.add(witness.timeline);
    if (reached.get(witness.timeline)?.has(witness.id) === true || deleted.has(witness.id)) continue;
    damaged.add(witness.timeline);
    if (head === undefined) {
      const known = gone.get(witness.timeline);
      if (known === undefined || known.sequence < witness.sequence) gone.set(witness.timeline, witness);
      continue;
    }
    const { link, finding } = contradiction(links, head, witness);
    findings.set(link.commit, [...(findings.get(link.commit) ?? []), finding]);
  }
  return { findings, gone: [...gone.values()], witnessed, damaged };
}

function contradiction(links: readonly Link[], head: Link, witness: Witness): { link: Link; finding: Finding } {
  const seen = `snapshot ${String(witness.sequence)} of this timeline was seen from outside as ${short(witness.id)}`;
  const headSequence = head.sequence ?? 0;
  if (witness.sequence > headSequence) {
    return { link: head, finding: { verdict: 'truncated', text: `${seen}, and the timeline ends before it` } };
  }
  const link = links.find(({ sequence }) => sequence === witness.sequence) ?? head;
  return { link, finding: { verdict: 'broken_chain', text: `${seen}, and is another one now` } };
}

function short(id: SnapshotId): string {
  return id.slice(0, 12);
}

/** Each distinct witness once. */
function allWitnesses(chains: Chains, { facts, operations }: Outside): readonly Witness[] {
  const found = new Map<string, Witness>();
  const add = (witness: Witness) => found.set(`${witness.timeline} ${witness.id}`, witness);
  for (const links of chains.values()) for (const { seen } of links) seen.forEach(add);
  for (const { body } of facts.facts) body.seen.forEach(add);
  operations.forEach(add);
  return [...found.values()];
}
