/** `list`: snapshots, newest first. */
import { formatTime } from '../../base/clock.js';
import { ContextError } from '../../base/errors.js';
import { shortId } from '../../format/v1/body.js';
import type { SnapshotBody } from '../../model/snapshot.js';
import type { Verdict } from '../../model/verdict.js';
import { askCatalogue, entryOf, rowsInSight, type Unreadable } from '../../timeline/catalogue.js';
import { guessFromCatalogue } from '../../timeline/guess.js';
import { mentions, rowEntry, type CatalogueEntry, type CatalogueRow } from '../../timeline/catalogue-rows.js';
import { makeJudge, type Judge, type SignatureState } from '../../timeline/judge.js';
import { readSnapshotFiles, type LoadedSnapshot } from '../../timeline/load.js';
import { listCursor, mergeNewest, orError, walkNewest } from '../../timeline/newest-first.js';
import { openProofMemory, type ProofMemory } from '../../timeline/proof-memory.js';
import { readTime } from '../../timeline/select/times.js';
import { loadShelved, REMOTES, shelvedPlaces } from '../../timeline/shelf/shelf.js';
import { timelineHeads, type Head, type View } from '../../timeline/view.js';
import { pricesOf } from '../recorded/prices.js';
import { spentBy, type SpentTokens } from '../recorded/spent.js';
import type { History } from '../repository/repository.js';
import { viewAt } from '../repository/view-of.js';

export interface ListRequest {
  readonly repository: History;
  readonly tag?: string;
  readonly session?: string;
  readonly branch?: string;
  /** ISO time or words such as "2 hours ago"; a day counts from its beginning. */
  readonly since?: string;
  /** Default: all. */
  readonly limit?: number;
  /** Every timeline of every worktree, and imports. */
  readonly all?: boolean;
  /** Only what existed at this snapshot's time (global `--at`). */
  readonly at?: string;
}

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
  const search = { view, heads, unreadable, request, proofs };
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
  const { proofs, request } = search;
  const { limit = Infinity } = request;
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

async function wantedHeads(view: View, { all, session, branch }: ListRequest): Promise<readonly Head[]> {
  const heads = await timelineHeads(view.store);
  const everywhere = all === true || session !== undefined || branch !== undefined;
  return everywhere ? heads : heads.filter(({ timeline }) => view.own.includes(timeline));
}

interface Search {
  readonly view: View;
  readonly heads: readonly Head[];
  readonly unreadable: Unreadable[];
  readonly request: ListRequest;
  readonly proofs: ProofMemory;
}

type Found = AsyncGenerator<{ readonly snapshot: LoadedSnapshot }>;

// Starts reading the first ones before any is asked for. One more than the limit tells whether there are more.
async function wantedSnapshots(search: Search): Promise<{ readonly found: Found }> {
  const { view, heads, unreadable, request, proofs } = search;
  const { limit = Infinity, tag, session, branch, since } = request;
  const filtered = [tag, session, branch, since, view.cutoff].some((filter) => filter !== undefined);
  if (filtered) return { found: filteredSnapshots(search) };
  const guess = await guessFromCatalogue(view.store, view.local);
  return { found: walkNewest(view.store, heads, { wanted: limit + 1, unreadable, guess, decode: proofs.decode }) };
}

/** Puts what was imported between one's own snapshots, by its time; what is in a timeline here is no import. */
async function* withImports(search: Search, own: Found): AsyncGenerator<LoadedSnapshot> {
  const imports = search.request.all === true && search.view.cutoff === undefined ? await wantedImports(search) : [];
  const seen = new Set<string>();
  let next = 0;
  for await (const { snapshot } of own) {
    seen.add(snapshot.id);
    for (; (imports[next]?.body.createdAt ?? '') > snapshot.body.createdAt; next += 1) {
      const one = imports[next];
      if (one !== undefined && !seen.has(one.id)) yield one;
    }
    yield snapshot;
  }
  for (const one of imports.slice(next)) if (!seen.has(one.id)) yield one;
}

async function wantedImports({ view, unreadable, request }: Search): Promise<readonly LoadedSnapshot[]> {
  const { store } = view;
  const { since } = request;
  const from = since === undefined ? '' : formatTime((await readTime(since, view.clock)).start);
  const found = new Map<string, LoadedSnapshot>();
  for (const place of await shelvedPlaces(store, REMOTES)) {
    const snapshot = await orError(() => loadShelved(store, place));
    if (snapshot instanceof ContextError) {
      unreadable.push({ timeline: place.ref, commit: place.commit, error: snapshot });
    } else if (snapshot.body.createdAt >= from && matches(entryOf(snapshot), request)) found.set(snapshot.id, snapshot);
  }
  return [...found.values()].sort((a, b) => (a.body.createdAt < b.body.createdAt ? 1 : -1));
}

async function* filteredSnapshots(search: Search): Found {
  const { view, heads, unreadable, request, proofs } = search;
  const { since } = request;
  const from = since === undefined ? undefined : formatTime((await readTime(since, view.clock)).start);
  const timelines = new Set(heads.map(({ timeline }) => timeline));
  const cursors = await askCatalogue(view, async (catalogue) => {
    const fits = rowFilter(request, from);
    const found = [...timelines].map((timeline) =>
      listCursor(timeline, rowsInSight(catalogue, timeline, view.cutoff).filter(fits)),
    );
    unreadable.push(...catalogue.unreadable.filter(({ timeline }) => timelines.has(timeline)));
    return found;
  });
  for await (const { commit, timeline } of mergeNewest<CatalogueRow>(cursors)) {
    const snapshot = await orError(async () => proofs.decode(await readSnapshotFiles(view.store, commit)));
    if (snapshot instanceof ContextError) unreadable.push({ timeline, commit, error: snapshot });
    // The catalogue is only a finder: what it said of the snapshot is looked up in the snapshot.
    else if (matches(entryOf(snapshot), request)) yield { snapshot };
  }
}

function rowFilter(request: ListRequest, from: string | undefined): (row: CatalogueRow) => boolean {
  const words = [request.tag, request.session, request.branch].filter((word) => word !== undefined);
  const mentioned = words.map((word) => mentions(word));
  return (row) => {
    if (from !== undefined && row.createdAt < from) return false;
    return words.length === 0 || (mentioned.every((isIn) => isIn(row)) && matches(rowEntry(row), request));
  };
}

function matches(entry: CatalogueEntry, { tag, session, branch }: ListRequest): boolean {
  if (tag !== undefined && !entry.tags.includes(tag)) return false;
  if (branch !== undefined && entry.branch !== branch) return false;
  return session === undefined || isSession(entry.session, session);
}

/** A session is named by its id, or by at least four characters that it begins with. */
function isSession(id: string | undefined, wanted: string): boolean {
  return id === wanted || (wanted.length >= 4 && id?.startsWith(wanted) === true);
}
