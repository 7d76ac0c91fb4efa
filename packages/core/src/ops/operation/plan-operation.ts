/** Plans one operation: brings together the target, the present, the sessions at work and what was asked for. */
import { parseTime } from '../../base/clock.js';
import { ContextError, contextError, reasonOf } from '../../base/errors.js';
import { fromRepoPath, isDotGit, toRepoPath, type BytePath } from '../../base/path.js';
import { blake3 } from '../../format/digest.js';
import { shortId } from '../../format/v1/body.js';
import { FILESYSTEM_FILE, INDEX_FOLDER, WORKTREE_FOLDER } from '../../format/v1/layout.js';
import { emptyTreeId } from '../../model/tree/object-id.js';
import type { OperationBody, OperationKind, OperationOptions } from '../../model/operation.js';
import type { StagedRecord } from '../../model/tree/staged.js';
import type { ObjectId, ObjectInfo } from '../../model/tree/tree.js';
import type { Store, TreeDifference } from '../../store/store.js';
import type { ContextPlan } from '../../timeline/merge/context-plan.js';
import type { WorktreeState } from '../../timeline/diff/worktree-files.js';
import { signatureState } from '../../timeline/judge.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import { knowledgeOf } from '../../timeline/rewind/knowledge.js';
import { liveSessions, otherSessions, type LiveSession } from '../../timeline/rewind/live-sessions.js';
import { makePlan, type Plan } from '../../timeline/rewind/plan.js';
import type { Scope } from '../../timeline/rewind/scope.js';
import type { Undone } from '../../timeline/rewind/taken-back.js';
import { planToken } from '../../timeline/rewind/token.js';
import { viewWorktree } from '../../timeline/rewind/worktree-view.js';
import { resolveSelector } from '../../timeline/select/select.js';
import { folderTree, readStaged, rootFile } from '../../timeline/snapshot/slices.js';
import type { ContentSource } from '../../worktree/replace/replacement.js';
import { demandOwn } from '../repository/own-snapshot.js';
import type { Repository } from '../repository/repository.js';
import { viewOf } from '../repository/view-of.js';
import { planWithHunks, type HunkMerge } from './hunks.js';
import { planContext, type PresentRecords } from './merge.js';
import { worktreeOf } from './worktree-of.js';

/** What is to be done, before anything was looked at. */
export interface OperationTask {
  readonly kind: OperationKind;
  readonly target: LoadedSnapshot;
  readonly options: OperationOptions;
  readonly scope: Scope;
  /** The session that asks. */
  readonly session?: string;
  /** Of `undo` and `redo`: the operation that is taken back or repeated. */
  readonly of?: OperationBody;
  /** Only these hunks of one file. */
  readonly hunks?: HunkMerge;
}

/** The worktree as it is: of the safety snapshot, or of a look that leaves nothing behind. */
export interface Present {
  readonly state: WorktreeState;
  /** Of the trees of the present and of the target, where the store has both. */
  readonly differences?: (target: ObjectId | undefined) => AsyncIterable<TreeDifference>;
  readonly headTree?: ObjectId;
  readonly records?: PresentRecords;
  readonly size?: (blob: ObjectId) => Promise<number | undefined>;
}

export interface PlannedOperation {
  readonly plan: Plan;
  /** The store, which was asked for every object of the plan a moment ago. */
  readonly content: ContentSource;
  readonly token: string;
  /** What is added to the context, or taken back. */
  readonly context?: ContextPlan;
  /** What the index is to say, where it was asked for. */
  readonly staged?: StagedRecord;
}

const NOTHING: Plan = { changes: [], files: [] };

/** @throws object_missing; path_refused; path_unknown */
export async function planOperation(
  repository: Repository,
  task: OperationTask,
  { present, live }: { readonly present: Present; readonly live: readonly LiveSession[] },
): Promise<PlannedOperation> {
  const { target, options, kind } = task;
  const { store } = repository;
  const content = answeredOnce(store);
  const whole = options.files ? await planFiles({ repository, task, live, content }, present) : NOTHING;
  const plan = task.hunks === undefined ? whole : planWithHunks(whole, task.hunks);
  const staged = options.index ? await stagedState(store, target) : undefined;
  const context = await planContext(repository, task, present.records).catch(namingFiles(task));
  const token = planToken(
    {
      ...{ kind, target: target.id, options },
      ...(staged !== undefined && { staged: staged.tree }),
      // What windows become follows from the target alone, however much an agent goes on meanwhile.
      ...(context !== undefined && context.windows === undefined && { context: context.changes }),
    },
    plan,
  );
  return {
    ...{ plan, content, token },
    ...(staged !== undefined && { staged }),
    ...(context !== undefined && { context }),
  };
}

/** Where files were asked for too, what stands in the way of the context alone does not stand in theirs. */
function namingFiles({ target, options }: OperationTask): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ContextError) || !options.files) throw error;
    throw contextError('context_damaged', { snapshot: shortId(target.id), reason: reasonOf(error) }, error);
  };
}

interface Planning {
  readonly repository: Repository;
  readonly task: OperationTask;
  readonly live: readonly LiveSession[];
  readonly content: ContentSource;
}

/** Remembers what is there: whoever prepares the plan need not ask git a second time. */
function answeredOnce(store: Store): ContentSource {
  const known = new Map<ObjectId, ObjectInfo>();
  return {
    stream: (id) => store.stream(id),
    info: async (ids) => {
      const unknown = ids.filter((id) => !known.has(id));
      const found = unknown.length === 0 ? [] : await store.info(unknown);
      unknown.forEach((id, at) => {
        const info = found[at];
        if (info !== undefined) known.set(id, info);
      });
      return ids.map((id) => known.get(id));
    },
  };
}

async function planFiles({ repository, task, live, content }: Planning, present: Present): Promise<Plan> {
  const { store, self, worktree } = repository;
  const { target, options, scope } = task;
  const others = otherSessions(live, {
    ...(task.session !== undefined && { asking: task.session }),
    ...(target.body.session !== undefined && { ofTarget: target.body.session.id }),
  });
  const state = await worktreeOf(store, target);
  return makePlan({
    present: present.state,
    target: state,
    ...(present.differences !== undefined && { differences: present.differences(state.tree) }),
    scope,
    exact: options.exact,
    force: options.force,
    ...(task.of !== undefined && task.kind === 'undo' && { undone: undoneBy(repository, task.of) }),
    knowledge: knowledgeOf({
      store,
      objects: content,
      timelines: self.timelines,
      worktree,
      live,
      others,
      targetTime: target.body.createdAt,
      ...(present.headTree !== undefined && { headTree: present.headTree }),
      ...(present.size !== undefined && { size: present.size }),
    }),
  });
}

/** What an undo has to know of its operation, where the snapshots do not say all. */
function undoneBy(repository: Repository, { target, files }: OperationBody): Undone {
  const changed = files.filter(({ reason }) => reason === undefined);
  return {
    files: new Map(changed.map((file) => [fromRepoPath(file), file])),
    brought: async () => {
      try {
        const { snapshot } = await resolveSelector(viewOf(repository), target);
        return await worktreeOf(repository.store, snapshot);
      } catch (error) {
        // It may be gone or damaged: then what is ignored is kept, as ever.
        if (error instanceof ContextError) return undefined;
        throw error;
      }
    },
  };
}

/** The staged state of a snapshot; where it has no such slice, HEAD's tree was staged. */
export async function stagedState(store: Store, snapshot: LoadedSnapshot): Promise<StagedRecord> {
  const staged = await readStaged(store, snapshot);
  const tree = staged?.tree ?? snapshot.body.anchor.headTree ?? emptyTreeId(store.objectFormat);
  const isEmpty = tree === emptyTreeId(store.objectFormat);
  const [info] = isEmpty ? [{ type: 'tree' }] : await store.info([tree]);
  if (info?.type !== 'tree') {
    throw contextError('object_missing', { object: tree, owner: `the snapshot ${shortId(snapshot.id)}` });
  }
  return staged ?? { tree, unmerged: [], flagged: [] };
}

/** Returns who is at work in the worktree, and what each wrote since the target, or since the operation to undo. */
export function sessionsAtWork(
  repository: Repository,
  { target, kind, of }: OperationTask,
): Promise<readonly LiveSession[]> {
  const { agents, clock, worktree } = repository;
  const since = kind === 'undo' && of !== undefined ? of.at : target.body.createdAt;
  return liveSessions({ agents, clock, root: worktree.root }, parseTime(since) ?? 0);
}

/** @throws agent_at_work */
export function refuseTurn(live: readonly LiveSession[], { options, session }: OperationTask): void {
  const busy = live.find(({ inTurn, id }) => inTurn && id !== session);
  if (busy !== undefined && !options.force) {
    throw contextError('agent_at_work', { agent: busy.agent, session: printable(busy.id) });
  }
}

function printable(session: string): string {
  return session.replace(/[^\x20-\x7e]/g, '?');
}

/**
 * Demands that the target is what its signed body says, as far as what is asked for is concerned.
 * @throws signature_broken; snapshot_foreign; digest_mismatch; object_missing
 */
export async function demandSound(
  repository: Repository,
  target: LoadedSnapshot,
  options: OperationOptions,
): Promise<void> {
  const snapshot = shortId(target.id);
  const { store } = repository;
  if (signatureState(target) === 'bad_signature') throw contextError('signature_broken', { snapshot });
  demandOwn(repository, target);
  const slice = (name: string) => target.body.slices.find((one) => one.name === name)?.digest;
  const demand = (name: string, digest: string | undefined): void => {
    if (slice(name) === digest) return;
    if (digest === undefined) throw contextError('object_missing', { object: name, owner: `the snapshot ${snapshot}` });
    throw contextError('digest_mismatch', { what: `The slice ${name} of the snapshot ${snapshot}` });
  };
  if (options.files) {
    const tree = folderTree(target, WORKTREE_FOLDER);
    const isEmpty = tree === undefined && slice(WORKTREE_FOLDER) === emptyTreeId(store.objectFormat);
    if (!isEmpty) demand(WORKTREE_FOLDER, tree);
    const filesystem = await rootFile(store, target, FILESYSTEM_FILE);
    demand('filesystem', filesystem && blake3(filesystem));
  }
  if (options.merge !== undefined) {
    const { demandRecords } = await import('./sound-records.js');
    await demandRecords(store, target);
  }
  if (options.index && slice(INDEX_FOLDER) !== undefined) {
    const bytes = await rootFile(store, target, 'index.json');
    demand(INDEX_FOLDER, bytes && blake3(bytes));
  }
}

/**
 * A path that is neither in the target nor on disk is a slip of the keyboard, and nothing is ever done to what belongs to git.
 * @throws path_unknown; path_refused; object_missing
 */
export async function demandPaths(
  { store, worktree }: Repository,
  { scope, target, kind }: OperationTask,
): Promise<void> {
  const { paths = [] } = scope;
  if (paths.length === 0 || kind === 'undo' || kind === 'redo') return;
  const state = await worktreeOf(store, target);
  const view = viewWorktree(state);
  const there = await worktree.look(paths);
  for (const path of paths) {
    const isHeld = (await view.kindAt(path)) !== undefined;
    const names = path.split('/');
    if (names[0] === '.git') throw refusedPath(path, 'it belongs to git, so no snapshot holds it');
    if (!there.has(path) && !isHeld && view.unknown(path) === undefined) {
      throw contextError('path_unknown', { path: toRepoPath(path).path, snapshot: shortId(target.id) });
    }
    // A file of the user's own may have such a name; then a snapshot holds it, and the plan says why it is left alone.
    if (!isHeld && names.some(isDotGit)) throw refusedPath(path, 'its name is that of a git directory');
  }
}

function refusedPath(path: BytePath, reason: string): Error {
  return contextError('path_refused', { path: toRepoPath(path).path, reason });
}

/** The paths that an operation changed: what an undo is about. */
export function changedPaths({ files }: OperationBody): readonly string[] {
  return files.filter(({ reason }) => reason === undefined).map(fromRepoPath);
}
