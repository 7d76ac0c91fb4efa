/** `verify`: content ids, signatures, chains, slices, anchors; offline. */
import { counted } from '../../base/counted.js';
import type { Check } from '../../model/verdict.js';
import { openCatalogue, rowsInSight } from '../../timeline/catalogue.js';
import { makeJudge } from '../../timeline/judge.js';
import { ownRepository } from '../../timeline/own-repository.js';
import { readWitnesses } from '../../timeline/operations/journal.js';
import { locateForeign, locateSelector } from '../../timeline/select/select.js';
import { findForks, type Forks } from '../../timeline/shelf/forks.js';
import { REMOTES, shelvedPlaces, type ShelvedPlace } from '../../timeline/shelf/shelf.js';
import { verifyImport } from '../../timeline/shelf/verify.js';
import { readChain, type Link } from '../../timeline/verify/chains.js';
import { checkedObjects, type Finding } from '../../timeline/verify/objects.js';
import { exitCodeOf, verdictOf } from '../../timeline/verify/verdicts.js';
import { saidOf } from '../../timeline/verify/sentences.js';
import { check, checkLink, type Verification, type VerifiedSnapshot } from '../../timeline/verify/verify.js';
import { checkCompleteness, type Completeness } from '../../timeline/verify/witnesses.js';
import { timelineHeads, type View } from '../../timeline/view.js';
import { contextError } from '../../base/errors.js';
import type { History } from '../repository/repository.js';
import { viewAt } from '../repository/view-of.js';

export interface VerifyRequest {
  readonly repository: History;
  /** Default: this worktree's head. */
  readonly selector?: string;
  /** Every timeline of every worktree, and imports. */
  readonly all?: boolean;
  /** Also reads every byte. */
  readonly deep?: boolean;
  /** Only what existed at this snapshot's time (global `--at`). */
  readonly at?: string;
  readonly progress?: (done: number, total: number) => void;
}

/** What is proven of one snapshot. */
export type VerifyResultEntry = VerifiedSnapshot;

export interface VerifyResult {
  readonly results: readonly VerifyResultEntry[];
  readonly completeness: 'proven' | 'not_proven';
  /** Plain sentences: what is proven, and what is not. */
  readonly proven: readonly string[];
  readonly notProven: readonly string[];
  /** 0 if every verdict is good, 14 if those that are not are `unsigned` or `revoked`, 16 if the others are `too_new`, else 15. */
  readonly exitCode: number;
}

/**
 * Verifies snapshots, offline. What is wrong with them is in the result, whatever it is; a broken one never stops the
 * verification of the others.
 * @throws no_snapshots; selector_malformed; selector_ambiguous; snapshot_not_found
 * @example
 * const { results, notProven } = await verify({ repository, all: true });
 * console.log(results.map(({ verdict }) => verdict), notProven);
 */
export async function verify(request: VerifyRequest): Promise<VerifyResult> {
  const { repository, deep = false } = request;
  const view = await viewAt(repository, request.at);
  const { store } = view;
  const id = await ownRepository(store, repository.id);
  const [judge, chains, operations] = await Promise.all([
    makeJudge(view, repository.keys),
    readChains(view),
    readWitnesses({ store, repository: id }),
  ]);
  const completeness = checkCompleteness(chains, { facts: judge.facts, operations: operations.seen });
  const forks = await findForks({ store, repository: id, judge, chains });
  const imports = await chooseImports(view, request);
  const targets = imports.named ? [] : await chooseTargets(view, chains, request);
  const verification: Verification = {
    store,
    repository: id,
    judge,
    objects: checkedObjects(store, deep),
    deep,
    sha1: new Set(),
    incomplete: new Set(),
  };
  const results: VerifyResultEntry[] =
    request.all === true ? completeness.gone.map((witness) => goneEntry(witness)) : [];
  const damaged = new Set(completeness.damaged);
  for (const { link, older } of targets) {
    const found = seenOf(link, { chains, completeness, forks });
    if (found.length > 0) damaged.add(link.timeline);
    results.push(await verifyLink(verification, { link, older }, found));
    request.progress?.(results.length, targets.length + imports.places.length);
  }
  for (const place of imports.places) {
    results.push(await verifyImport({ store, repository: id, judge, forks }, place));
  }
  const timelines = new Set(results.filter(({ foreign }) => foreign !== true).map(({ timeline }) => timeline));
  const problems = { facts: judge.facts.problems, operations: operations.problems };
  return {
    results,
    ...saidOf({
      ...{ results, timelines, completeness: { ...completeness, damaged }, deep, problems },
      sha1: verification.sha1,
      incomplete: verification.incomplete.size,
    }),
    exitCode: exitCodeOf(results.map(({ verdict }) => verdict)),
  };
}

interface ChosenImports {
  readonly places: readonly ShelvedPlace[];
  /** True where the selector names an import, and nothing else is to be looked at. */
  readonly named: boolean;
}

async function chooseImports(view: View, { all, selector }: VerifyRequest): Promise<ChosenImports> {
  const places = all === true && view.cutoff === undefined ? await shelvedPlaces(view.store, REMOTES) : [];
  const named = selector === undefined || all === true ? undefined : await locateForeign(view, selector);
  return named === undefined ? { places, named: false } : { places: [named], named: true };
}

async function readChains({ store }: View): Promise<ReadonlyMap<string, readonly Link[]>> {
  const chains = new Map<string, readonly Link[]>();
  for (const head of await timelineHeads(store)) chains.set(head.timeline, await readChain(store, head));
  return chains;
}

interface Target {
  readonly link: Link;
  readonly older: Link | undefined;
}

type Chains = ReadonlyMap<string, readonly Link[]>;

async function chooseTargets(view: View, chains: Chains, request: VerifyRequest): Promise<readonly Target[]> {
  const all = [...chains.values()].flatMap((links) => links.map((link, at) => ({ link, older: links[at + 1] })));
  if (request.all === true) return view.cutoff === undefined ? all : inSight(view, all);
  if (request.selector !== undefined) return [await findTarget(view, all, request.selector)];
  // A head that cannot be read has no time and would never be the newest: it is looked at in any case.
  const heads = view.own.map((timeline) => chains.get(timeline)?.[0]).filter((link) => link !== undefined);
  if (heads.length === 0) throw contextError('no_snapshots', {});
  const broken = all.filter(({ link }) => heads.includes(link) && link.sequence === undefined);
  const readable = heads.some(({ sequence }) => sequence !== undefined) || broken.length === 0;
  return readable ? [...broken, await findTarget(view, all, 'head')] : broken;
}

async function findTarget(view: View, all: readonly Target[], selector: string): Promise<Target> {
  const place = await locateSelector(view, selector);
  const found = all.find(({ link }) => link.commit === place.commit && link.timeline === place.timeline);
  if (found === undefined) throw contextError('snapshot_not_found', { selector });
  return found;
}

async function inSight(view: View, all: readonly Target[]): Promise<readonly Target[]> {
  const catalogue = await openCatalogue(view.store, view.local);
  const timelines = [...catalogue.timelines.keys()];
  const seen = new Set(
    timelines.flatMap((one) => rowsInSight(catalogue, one, view.cutoff).map(({ commit }) => commit)),
  );
  return all.filter(({ link }) => seen.has(link.commit));
}

interface Outside {
  readonly chains: Chains;
  readonly completeness: Completeness;
  readonly forks: Forks;
}

/** Returns what speaks against a link from outside of its timeline. */
function seenOf(link: Link, { chains, completeness, forks }: Outside): readonly Finding[] {
  const { placed, timeline, commit } = link;
  const ways = placed === undefined ? [] : forks.of(placed);
  const isHead = chains.get(timeline)?.[0] === link && placed?.timeline === timeline;
  const found = completeness.findings.get(commit) ?? [];
  // Of one end that is missing, one witness is enough.
  const isEnd = isHead && found.length === 0;
  return [...found, ...ways, ...(isEnd ? forks.after(placed) : [])];
}

async function verifyLink(
  verification: Verification,
  { link, older }: Target,
  found: readonly Finding[],
): Promise<VerifyResultEntry> {
  const checks: readonly Check[] = [
    ...(await checkLink(verification, link, older)),
    ...(found.length === 0 ? [] : [check('completeness', found, '')]),
  ];
  return {
    id: link.id ?? link.commit,
    timeline: link.timeline,
    ...(link.sequence !== undefined && { sequence: link.sequence }),
    commit: link.commit,
    verdict: verdictOf(checks),
    checks,
  };
}

function goneEntry({ timeline, sequence, id }: Completeness['gone'][number]): VerifyResultEntry {
  const text = `this timeline was seen from outside with ${counted(sequence, 'snapshot')}, and none of them is left`;
  return {
    id,
    timeline,
    sequence,
    verdict: 'truncated',
    checks: [check('completeness', [{ verdict: 'truncated', text }], '')],
  };
}
