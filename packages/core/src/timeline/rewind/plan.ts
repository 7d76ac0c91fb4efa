/**
 * Plans how the present worktree becomes what a snapshot says. Nothing is removed because it is absent from the target:
 * the target must say positively that it was not there, and the present content must be in the safety snapshot.
 */
import { contextError } from '../../base/errors.js';
import { toRepoPath, type BytePath } from '../../base/path.js';
import type { FileOutcome } from '../../model/operation.js';
import type { FileState, TreeChange } from '../../model/tree/tree-change.js';
import type { ObjectId } from '../../model/tree/tree.js';
import type { TreeDifference } from '../../store/store.js';
import type { WorktreeState } from '../diff/worktree-files.js';
import { settleDirectories } from './directories.js';
import { ABSENT, isAsWanted, type DraftState } from './draft-state.js';
import { draftOf, type Draft, type DraftEntry, type Ends } from './draft.js';
import type { PlanKnowledge } from './knowledge.js';
import { keepGitNames, refuseNames } from './names.js';
import type { Scope } from './scope.js';
import { takeBackDirectories, takeBackFiles, type Undone } from './taken-back.js';
import { viewWorktree } from './worktree-view.js';

export interface PlanRequest {
  readonly present: WorktreeState;
  readonly target: WorktreeState;
  readonly differences?: AsyncIterable<TreeDifference>;
  readonly scope: Scope;
  readonly exact: boolean;
  readonly force: boolean;
  readonly knowledge: PlanKnowledge;
  /** Of an undo: what is taken back. */
  readonly undone?: Undone;
}

export interface PlannedFile extends FileOutcome {
  readonly bytePath: BytePath;
}

export interface Plan {
  /** In byte order of the paths; at most one for each. */
  readonly changes: readonly TreeChange[];
  /** What is reported, in byte order of the paths. */
  readonly files: readonly PlannedFile[];
}

/** @throws object_missing; path_refused */
export async function makePlan(request: PlanRequest): Promise<Plan> {
  const { scope, differences, undone, knowledge } = request;
  const taking = undone && { undone, knowledge };
  const ends: Ends = {
    present: viewWorktree(request.present),
    target: viewWorktree(request.target),
    scope,
    ...(differences !== undefined && { differences }),
  };
  const draft = await draftOf(ends);
  await lookAtUnseen(draft, knowledge);
  if (taking !== undefined) await takeBackFiles(draft, ends, taking);
  keepGitNames(draft, ends);
  await keepConflicts(draft, request);
  await keepUnknown(draft, ends, request);
  if (taking !== undefined) await takeBackDirectories(draft, ends, taking);
  await settleDirectories(draft, ends, knowledge);
  const entries = [...draft.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  refuseNames(entries);
  return assemble(entries, knowledge);
}

/**
 * A path that the target holds and that is ignored now may be there with content that no snapshot has: it is written
 * only where nothing is in its place.
 */
async function lookAtUnseen(draft: Draft, { seen }: PlanKnowledge): Promise<void> {
  const wanted = new Map<BytePath, DraftState>();
  for (const { path, kept, wanted: state } of draft.values()) {
    if (kept?.reason === 'ignored' && state !== undefined) wanted.set(path, state);
  }
  if (wanted.size === 0) return;
  const found = await seen([...wanted.keys()]);
  for (const [path, after] of wanted) {
    const there = found.get(path) ?? ABSENT;
    if (isAsWanted(there, after)) draft.delete(path);
    else if (there.kind === 'absent') draft.set(path, { path, before: ABSENT, after });
  }
}

async function keepConflicts(draft: Draft, { force, knowledge }: PlanRequest): Promise<void> {
  if (force) return;
  const changing = [...draft.values()].filter(({ kept }) => kept === undefined).map(({ path }) => path);
  const foreign = changing.length === 0 ? new Set<BytePath>() : await knowledge.foreign(changing);
  for (const path of foreign) keepEntry(draft, path, { reason: 'other_session', conflict: true });
}

/** Files that the target positively has not are kept all the same where nothing but the safety snapshot holds them. */
async function keepUnknown(draft: Draft, { target }: Ends, { exact, knowledge }: PlanRequest): Promise<void> {
  if (exact) return;
  const going: BytePath[] = [];
  for (const { path, before, after, kept } of draft.values()) {
    const goes = kept === undefined && isContent(before) && after.kind === 'absent';
    // Where the target has a directory of the name, the file is in the place of something that existed.
    if (goes && (await target.kindAt(path)) !== 'directory') going.push(path);
  }
  if (going.length === 0) return;
  const [held, fromBefore] = await Promise.all([knowledge.held(going), knowledge.fromBefore(going)]);
  for (const path of going) {
    if (!held.has(path)) keepEntry(draft, path, { reason: 'in_no_snapshot' });
    else if (fromBefore.has(path)) keepEntry(draft, path, { reason: 'before_session' });
  }
}

function keepEntry(draft: Draft, path: BytePath, kept: DraftEntry['kept'] & {}): void {
  const entry = draft.get(path);
  if (entry !== undefined) entry.kept = kept;
}

function isContent(state: DraftState): boolean {
  return state.kind === 'file' || state.kind === 'link';
}

async function assemble(entries: readonly DraftEntry[], { sizes }: PlanKnowledge): Promise<Plan> {
  const blobs = new Set<ObjectId>();
  for (const { before, after, kept } of entries) {
    if (kept === undefined) for (const state of [before, after]) if ('blob' in state) blobs.add(state.blob);
  }
  const found = blobs.size === 0 ? [] : await sizes([...blobs]);
  const known = new Map([...blobs].map((blob, at) => [blob, found[at]]));
  const sizeOf = (blob: ObjectId): number => {
    const size = known.get(blob);
    if (size === undefined) throw contextError('object_missing', { object: blob, owner: 'the plan' });
    return size;
  };
  const changes: TreeChange[] = [];
  const files: PlannedFile[] = [];
  for (const entry of entries) {
    const { path, kept, implied } = entry;
    if (kept !== undefined) {
      files.push({ ...named(path), action: kept.conflict ? 'conflict' : 'skip', reason: kept.reason });
      continue;
    }
    const change = { path, before: stateOf(entry.before, sizeOf), after: stateOf(entry.after, sizeOf) };
    changes.push(change);
    if (implied !== true) files.push({ ...named(path), ...describe(change) });
  }
  return { changes, files };
}

function named(path: BytePath): Pick<PlannedFile, 'path' | 'pathBytes' | 'bytePath'> {
  return { ...toRepoPath(path), bytePath: path };
}

function stateOf(state: DraftState, sizeOf: (blob: ObjectId) => number): FileState {
  if (state.kind === 'link') sizeOf(state.blob);
  return state.kind === 'file' ? { ...state, size: sizeOf(state.blob) } : state;
}

function describe({ before, after }: TreeChange): Pick<FileOutcome, 'action' | 'creates' | 'type' | 'bytes'> {
  const size = (state: FileState): { bytes?: number } => (state.kind === 'file' ? { bytes: state.size } : {});
  if (after.kind === 'absent') {
    return { action: 'delete', ...(before.kind === 'directory' && { type: 'directory' }), ...size(before) };
  }
  if (after.kind === 'directory') {
    // A file gives way to a directory: what is in it is reported beside it.
    if (before.kind === 'file' || before.kind === 'link') return { action: 'delete', ...size(before) };
    const type = { type: 'directory' } as const;
    return before.kind === 'directory' ? { action: 'mode', ...type } : { action: 'write', creates: true, ...type };
  }
  const sameContent = before.kind === 'file' && after.kind === 'file' && before.blob === after.blob;
  if (sameContent) return { action: 'mode', ...size(after) };
  return { action: 'write', ...(before.kind === 'absent' && { creates: true }), ...size(after) };
}
