/** `list`: snapshots, newest first. */
import { formatTime } from '../base/clock.js';
import { shortId } from '../format/v1/body.js';
import type { SnapshotBody } from '../model/snapshot.js';
import type { Verdict } from '../model/verdict.js';
import {
  openCatalogue,
  rowEntry,
  rowMentions,
  rowsInSight,
  type CatalogueRow,
  type Unreadable,
} from '../timeline/catalogue.js';
import { makeJudge, type Judge } from '../timeline/judge.js';
import { loadSnapshot, type LoadedSnapshot } from '../timeline/load.js';
import { listCursor, mergeNewest, walkNewest } from '../timeline/newest-first.js';
import { readTime } from '../timeline/select/times.js';
import { timelineHeads, type Head, type View } from '../timeline/view.js';
import type { Repository } from './repository.js';
import { viewAt } from './view-of.js';

export interface ListRequest {
  readonly repository: Repository;
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
 */
export async function list(request: ListRequest): Promise<ListResult> {
  const { repository, limit = Infinity } = request;
  const view = await viewAt(repository, request.at);
  const [judge, heads] = await Promise.all([makeJudge(view, repository.keys), wantedHeads(view, request)]);
  const unreadable: Unreadable[] = [];
  const found: SnapshotSummary[] = [];
  const source = await wantedSnapshots({ view, heads, unreadable, request });
  for await (const { snapshot } of source) {
    if (found.length >= limit) return finish(found, unreadable, true);
    found.push(summarize(snapshot, judge));
  }
  return finish(found, unreadable, false);
}

export function summarize(snapshot: LoadedSnapshot, judge: Judge): SnapshotSummary {
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
    verdict: judge.verdict(snapshot),
  };
}

function finish(snapshots: readonly SnapshotSummary[], unreadable: readonly Unreadable[], more: boolean): ListResult {
  const passed = unreadable.map(({ timeline, commit, error: { code, message } }) => ({
    timeline,
    commit,
    code,
    message,
  }));
  return { snapshots, more, unreadable: passed };
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
}

// Several timelines are read in small steps: most of what is read ahead of one would never be shown.
const STEP = 16;
const LONG_STEP = 100;

async function wantedSnapshots(search: Search): Promise<AsyncIterable<{ readonly snapshot: LoadedSnapshot }>> {
  const { view, heads, unreadable, request } = search;
  const { limit = Infinity, tag, session, branch, since } = request;
  const filtered = [tag, session, branch, since, view.cutoff].some((filter) => filter !== undefined);
  if (filtered) return filteredSnapshots(search);
  const ahead = heads.length === 1 ? Math.min(limit, LONG_STEP) : STEP;
  return walkNewest(view.store, heads, { ahead, unreadable });
}

async function* filteredSnapshots({
  view,
  heads,
  unreadable,
  request,
}: Search): AsyncGenerator<{ snapshot: LoadedSnapshot }> {
  const { since } = request;
  const from = since === undefined ? undefined : formatTime((await readTime(since, view.clock)).start);
  const catalogue = await openCatalogue(view.store, view.local);
  const timelines = new Set(heads.map(({ timeline }) => timeline));
  unreadable.push(...catalogue.unreadable.filter(({ timeline }) => timelines.has(timeline)));
  const cursors = [...timelines].map((timeline) =>
    listCursor(
      timeline,
      rowsInSight(catalogue, timeline, view.cutoff).filter((row) => fits(row, request, from)),
    ),
  );
  for await (const { commit } of mergeNewest<CatalogueRow>(cursors))
    yield { snapshot: await loadSnapshot(view.store, commit) };
}

function fits(row: CatalogueRow, { tag, session, branch }: ListRequest, from: string | undefined): boolean {
  if (from !== undefined && row.createdAt < from) return false;
  const words = [tag, session, branch].filter((word) => word !== undefined);
  if (!words.every((word) => rowMentions(row, word))) return false;
  if (words.length === 0) return true;
  const entry = rowEntry(row);
  return (
    (tag === undefined || entry.tags.includes(tag)) &&
    (branch === undefined || entry.branch === branch) &&
    (session === undefined ||
      entry.session === session ||
      (session.length >= 4 && entry.session?.startsWith(session) === true))
  );
}
