/** `list`: snapshots, newest first. */
import { shortId } from '../../format/v1/body.js';
import type { SnapshotBody } from '../../model/snapshot.js';
import type { Verdict } from '../../model/verdict.js';
import type { Unreadable } from '../../timeline/catalogue.js';
import { makeJudge, type Judge, type SignatureState } from '../../timeline/judge.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import { openProofMemory } from '../../timeline/proof-memory.js';
import type { View } from '../../timeline/view.js';
import { pricesOf } from '../recorded/prices.js';
import { spentBy, type SpentTokens } from '../recorded/spent.js';
import type { History } from '../repository/repository.js';
import { viewAt } from '../repository/view-of.js';
import { wantedHeads, wantedSnapshots, withImports, type Found, type Search, type Wish } from './wanted-snapshots.js';

export interface ListRequest extends Wish {
  readonly repository: History;
  /** Only what existed at this snapshot's time (global `--at`). */
  readonly at?: string;
}

/** A snapshot without its slices. */
export interface SnapshotSummary extends Pick<
  SnapshotBody,
  | 'timeline'
  | 'sequence'
  | 'parents'
  | 'createdAt'
  | 'message'
  | 'tags'
  | 'trigger'
  | 'session'
  | 'anchor'
  | 'complete'
  | 'totals'
  | 'origin'
> {
  readonly id: string;
  readonly shortId: string;
  /** Of content id and signature; `verify` looks at the rest. */
  readonly verdict: Verdict;
  /** True for what others published and was imported. */
  readonly foreign?: true;
  /** What was spent up to it; absent where it has no ledger. */
  readonly spent?: SpentTokens;
}

/** A snapshot that is there and cannot be read; `verify` says more. */
export interface UnreadableSnapshot {
  readonly timeline: string;
  readonly commit: string;
  readonly code: string;
  readonly message: string;
}

export interface ListResult {
  readonly snapshots: readonly SnapshotSummary[];
  /** True where `limit` cut the list. */
  readonly more: boolean;
  /** What was met on the way and had to be passed over. */
  readonly unreadable: readonly UnreadableSnapshot[];
}

/**
 * Lists snapshots, newest first: those of this worktree, or with a session, a branch or `all` those of every worktree.
 * @throws selector_malformed for a time that cannot be read; what resolving `at` throws
 * @example
 * const { snapshots } = await list({ repository, tag: 'safe', limit: 10 });
 * for (const { shortId, createdAt, message } of snapshots) console.log(shortId, createdAt, message);
 */
export async function list(request: ListRequest): Promise<ListResult> {
  return listView(await viewAt(request.repository, request.at), request);
}

export async function listView(view: View, request: ListRequest): Promise<ListResult> {
  const unreadable: Unreadable[] = [];
  const [heads, proofs] = await Promise.all([
    wantedHeads(view, request),
    openProofMemory(view.local, request.repository.keys),
  ]);
  const search = { view, heads, unreadable, wish: request, proofs };
  const wanted = await wantedSnapshots(search);
  const [judge, { snapshots, more }] = await Promise.all([
    makeJudge(view, request.repository.keys),
    take(search, wanted.found),
  ]);
  const spent = await spentBy(
    view,
    snapshots.map(({ snapshot }) => snapshot),
    () => pricesOf(request.repository),
  );
  const summaries = await Promise.all(
    snapshots.map(async ({ snapshot, signature }) => ({
      ...summarize(snapshot, judge, await signature),
      ...spent(snapshot),
    })),
  );
  await proofs.keep();
  return {
    snapshots: summaries,
    more,
    unreadable: unreadable.map(describeUnreadable),
  };
}

export function describeUnreadable({ timeline, commit, error: { code, message } }: Unreadable): UnreadableSnapshot {
  return { timeline, commit, code, message };
}

interface Checking {
  readonly snapshot: LoadedSnapshot;
  readonly signature: Promise<SignatureState>;
}

// The signature of one is checked on another thread while the next is read into.
async function take(
  search: Search,
  own: Found,
): Promise<{ readonly snapshots: readonly Checking[]; readonly more: boolean }> {
  const { proofs, wish } = search;
  const { limit = Infinity } = wish;
  const snapshots: Checking[] = [];
  for await (const snapshot of withImports(search, own)) {
    if (snapshots.length >= limit) return { snapshots, more: true };
    snapshots.push({ snapshot, signature: proofs.signature(snapshot) });
  }
  return { snapshots, more: false };
}

export function summarize(snapshot: LoadedSnapshot, judge: Judge, signature?: SignatureState): SnapshotSummary {
  const { body, id } = snapshot;
  return {
    id,
    shortId: shortId(id),
    timeline: body.timeline,
    sequence: body.sequence,
    parents: body.parents,
    ...(body.origin !== undefined && { origin: body.origin }),
    createdAt: body.createdAt,
    message: body.message,
    tags: body.tags,
    trigger: body.trigger,
    ...(body.session !== undefined && { session: body.session }),
    anchor: body.anchor,
    complete: body.complete,
    totals: body.totals,
    verdict: judge.verdict(snapshot, signature),
    ...(snapshot.foreign !== undefined && { foreign: true }),
  };
}
