/** `rewind`: makes an earlier snapshot the present. */
import { ContextError, contextError } from '../../base/errors.js';
import { toRepoPath, type RepoPath } from '../../base/path.js';
import { fixedRefs } from '../../store/fixed-refs.js';
import { timelineHeads } from '../../timeline/view.js';
import type { Unreadable } from '../../timeline/catalogue.js';
import { orError, walkNewest } from '../../timeline/newest-first.js';
import { makeJudge } from '../../timeline/judge.js';
import { namedScope, WHOLE, type Scope } from '../../timeline/rewind/scope.js';
import { resolveSelector } from '../../timeline/select/select.js';
import { describeUnreadable, summarize, type SnapshotSummary, type UnreadableSnapshot } from '../read/list.js';
import {
  totalsOf,
  type FileTotals,
  type OperationRequest,
  type OperationResult,
} from '../operation/operation-result.js';
import { lookAtPresent, perform } from '../operation/perform.js';
import { planOperation, sessionsAtWork, type OperationTask } from '../operation/plan-operation.js';
import type { Repository } from '../repository/repository.js';
import { viewOf } from '../repository/view-of.js';

export interface RewindRequest extends OperationRequest {
  readonly selector: string;
  /** Files and directories, relative to the worktree's root; default: all. */
  readonly paths?: readonly (string | RepoPath)[];
  /** Only one of the two; default: both. */
  readonly part?: 'files' | 'context';
  /** Also remove files that are in no snapshot, and untracked ones from before a live session. */
  readonly exact?: boolean;
  /** Also the staged tree; without it the user's index is left as it is. */
  readonly index?: boolean;
}

export interface RewindPointsRequest {
  readonly repository: Repository;
  /** Default: 10. */
  readonly limit?: number;
}

/** `rewind --list`: the snapshots that one can go back to, newest first, and what each would change now. */
export interface RewindPointsResult {
  readonly points: readonly (SnapshotSummary & { readonly changes: FileTotals })[];
  /** True where `limit` cut the list. */
  readonly more: boolean;
  /** What was met on the way and had to be passed over: nobody can go back to what is damaged. */
  readonly unreadable: readonly UnreadableSnapshot[];
}

export type RewindResult = OperationResult;

/**
 * Makes an earlier snapshot the present. Everything is captured first, so that `undo` brings it back; only what differs is
 * touched; what is recorded as the window becomes the snapshot's, whatever an agent at work keeps in its own; a file goes only where the snapshot says that it was not there and another snapshot holds it. HEAD, branches,
 * stash and, without `index`, the index stay as they are.
 * @throws what resolving a selector does; argument_malformed; path_outside; path_unknown; path_refused; plan_changed; agent_at_work;
 * context_damaged; object_missing; digest_mismatch; signature_broken; snapshot_foreign; worktree_full; worktree_unwritable; worktree_failed;
 * restore_running; restore_interrupted; timeline_locked; what `capture` throws
 * @example
 * const { plan, files } = await rewind({ repository, selector: 'seq:1', dryRun: true });
 * console.log(files.map(({ action, path }) => `${action} ${path}`));
 * await rewind({ repository, selector: 'seq:1', plan });
 */
export async function rewind(request: RewindRequest): Promise<RewindResult> {
  const { repository, selector, part, session } = request;
  const { snapshot } = await resolveSelector(viewOf(repository), selector);
  const scope = namedScope(request.paths);
  if (part === 'context' && request.paths !== undefined) {
    const reason = 'paths are files, and a context has none';
    throw contextError('argument_malformed', { value: '"context"', argument: 'what is rewound', reason });
  }
  const options = {
    files: part !== 'context',
    // Who names paths means files, also with `.` for all of them.
    context: part !== 'files' && request.paths === undefined,
    index: request.index ?? false,
    ...pathsOf(scope),
    exact: request.exact ?? false,
    force: request.force ?? false,
  };
  return perform(request, {
    kind: 'rewind',
    target: snapshot,
    options,
    scope,
    ...(session !== undefined && { session }),
  });
}

export function pathsOf({ paths }: Scope): { readonly paths?: readonly RepoPath[] } {
  return paths === undefined ? {} : { paths: paths.map(toRepoPath) };
}

const POINTS = 10;

/**
 * Lists the snapshots that one can go back to, newest first, and what each would change now; nothing is changed.
 * @throws worktree_changing; restore_running; restore_interrupted
 * @example
 * const { points } = await rewindPoints({ repository, limit: 5 });
 * for (const { shortId, changes } of points) console.log(shortId, changes.overwrite);
 */
export async function rewindPoints({ repository, limit = POINTS }: RewindPointsRequest): Promise<RewindPointsResult> {
  const view = viewOf(repository);
  const store = fixedRefs(repository.store);
  const heads = (await timelineHeads(store)).filter(({ timeline }) => view.own.includes(timeline));
  const [present, judge] = await Promise.all([lookAtPresent(repository), makeJudge(view, repository.keys)]);
  const points: RewindPointsResult['points'][number][] = [];
  const unreadable: Unreadable[] = [];
  let more = false;
  for await (const { snapshot, timeline } of walkNewest(store, heads, { wanted: limit + 1, unreadable })) {
    more = points.length === limit;
    if (more) break;
    const options = { files: true, context: true, index: false, exact: false, force: false };
    const task: OperationTask = { kind: 'rewind', target: snapshot, options, scope: WHOLE };
    const live = await sessionsAtWork(repository, task);
    const planned = await orError(() => planOperation(repository, task, { present, live }));
    if (!(planned instanceof ContextError)) {
      points.push({ ...summarize(snapshot, judge), changes: totalsOf(planned.plan.files) });
    } else if (planned.kind === 'corrupt') unreadable.push({ timeline, commit: snapshot.commit.id, error: planned });
    else throw planned;
  }
  return { points, more, unreadable: unreadable.map(describeUnreadable) };
}
