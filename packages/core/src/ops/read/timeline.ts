/** `timeline`: snapshots across timelines, with what is needed to draw the graph. */
import { ContextError } from '../../base/errors.js';
import type { SessionReference } from '../../model/snapshot.js';
import type { ObjectId } from '../../model/tree/tree.js';
import type { Store } from '../../store/store.js';
import { loadSnapshot } from '../../timeline/snapshot/load.js';
import { orError } from '../../timeline/newest-first.js';
import { timelineHeads } from '../../timeline/view.js';
import { listView, type SnapshotSummary, type UnreadableSnapshot } from './list.js';
import type { History, KnownWorktree } from '../repository/repository.js';
import { viewAt } from '../repository/view-of.js';

export interface TimelineRequest {
  readonly repository: History;
  readonly all?: boolean;
  readonly limit?: number;
  readonly at?: string;
}
export interface TimelineResult {
  /** Newest first; an entry's `parents` and `origin.from` are the edges. */
  readonly snapshots: readonly SnapshotSummary[];
  /** Those that have a snapshot among the ones above. `head` is the newest of these. */
  readonly timelines: readonly { readonly id: string; readonly label: string; readonly head: string }[];
  readonly more: boolean;
  readonly unreadable: readonly UnreadableSnapshot[];
}

/**
 * Lists snapshots across timelines, newest first, with a name for each timeline. @throws as `list` does
 * @example
 * const { snapshots, timelines } = await timeline({ repository, all: true });
 * console.log(timelines.length, snapshots.map(({ parents }) => parents));
 */
export async function timeline(request: TimelineRequest): Promise<TimelineResult> {
  const { repository } = request;
  const view = await viewAt(repository, request.at);
  const [{ snapshots, more, unreadable }, worktrees, heads] = await Promise.all([
    listView(view, request),
    repository.worktrees(),
    timelineHeads(view.store),
  ]);
  const newest = new Map<string, SnapshotSummary>();
  for (const snapshot of snapshots) if (!newest.has(snapshot.timeline)) newest.set(snapshot.timeline, snapshot);
  const timelines = [...newest].map(async ([id, { id: head, session }]) => {
    const commit = heads.find((one) => one.timeline === id)?.commit;
    return { id, head, label: label(id, worktrees, session ?? (await sessionOf(view.store, commit))) };
  });
  return { snapshots, more, unreadable, timelines: await Promise.all(timelines) };
}

/** The session of a head, for its name only: what is wrong with a head is said where it is listed. */
async function sessionOf(store: Store, commit: ObjectId | undefined): Promise<SessionReference | undefined> {
  const head = commit === undefined ? undefined : await orError(() => loadSnapshot(store, commit));
  return head === undefined || head instanceof ContextError ? undefined : head.body.session;
}

function label(timelineId: string, worktrees: readonly KnownWorktree[], session: SessionReference | undefined): string {
  const worktree = worktrees.find(({ timelines }) => timelines.includes(timelineId));
  const place = worktree === undefined ? 'an unknown worktree' : `${worktree.root}${worktree.exists ? '' : ' (gone)'}`;
  if (worktree?.timeline === timelineId) return `manual, ${place}`;
  return session === undefined ? place : `${session.agent} ${session.id}, ${place}`;
}
