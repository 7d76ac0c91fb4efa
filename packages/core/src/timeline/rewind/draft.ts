/** The plan in the making: for each path that differs, what the target wants there, before anything speaks against it. */
import type { BytePath } from '../../base/path.js';
import type { FileReason } from '../../model/operation.js';
import { compareWorktrees, type DirectoryDifference, type FileDifference } from '../diff/compare.js';
import type { UnknownReason } from '../diff/worktree-files.js';
import type { TreeDifference } from '../../store/store.js';
import { ABSENT, stateOf, type DraftState } from './draft-state.js';
import type { Scope } from './scope.js';
import type { WorktreeView } from './worktree-view.js';

export interface DraftEntry {
  readonly path: BytePath;
  before: DraftState;
  after: DraftState;
  /** Set where the path is left alone; `conflict` where that is because of somebody else. */
  kept?: { readonly reason: FileReason; readonly conflict?: true };
  /** What the target has where nobody knows what is there now. */
  readonly wanted?: DraftState;
  /** True for a directory that only comes or goes with what is in it: it is not reported. */
  readonly implied?: true;
}

export type Draft = Map<BytePath, DraftEntry>;

export interface Ends {
  readonly present: WorktreeView;
  readonly target: WorktreeView;
  readonly scope: Scope;
  /** Of the two trees, where a faster way to them is at hand. */
  readonly differences?: AsyncIterable<TreeDifference>;
}

/** Returns every path in scope that differs, and every one that neither snapshot can speak for. @throws object_missing */
export async function draftOf(ends: Ends): Promise<Draft> {
  const { present, target, scope, differences } = ends;
  const found = await compareWorktrees(present.state, target.state, ...(differences ? [differences] : []));
  const draft: Draft = new Map();
  for (const difference of found.files) if (scope.includes(difference.path)) enterFile(draft, ends, difference);
  for (const { path, side, reason, state } of found.unknown) {
    if (!scope.includes(path)) continue;
    if (side === 'to') draft.set(path, { ...left(path, reason), before: stateOf(state) });
    else draft.set(path, { ...left(path, unseen(reason)), wanted: stateOf(state) });
  }
  for (const difference of found.directories)
    if (scope.includes(difference.path)) enterDirectory(draft, ends, difference);
  listLeftOut(draft, ends);
  await listGone(draft, ends);
  await listNamed(draft, ends);
  return draft;
}

function enterFile(draft: Draft, { present }: Ends, { path, before, after }: FileDifference): void {
  const submodule = before?.mode === 'submodule' || after?.mode === 'submodule';
  if (submodule) keep(draft, path, 'submodule');
  else if (after === undefined && isBeyondCone(present, path)) keep(draft, path, 'sparse');
  else draft.set(path, { path, before: stateOf(before), after: stateOf(after) });
}

/** Nothing is made outside the sparse cone, so nothing may go there either: no undo could bring it back. */
function isBeyondCone(present: WorktreeView, path: BytePath): boolean {
  return present.unknown(path) === 'sparse';
}

/** What the present scan did not take is not in the safety snapshot either. */
function unseen(reason: UnknownReason): FileReason {
  return reason === 'omitted' ? 'unsaved' : reason;
}

function left(path: BytePath, reason: FileReason): DraftEntry {
  return { path, before: ABSENT, after: ABSENT, kept: { reason } };
}

function keep(draft: Draft, path: BytePath, reason: FileReason): void {
  draft.set(path, left(path, reason));
}

function enterDirectory(draft: Draft, { present, target }: Ends, { path, change }: DirectoryDifference): void {
  // What an ignored directory has for a mode is not recorded, though it may hold something tracked.
  const [now, then] = [present.unknown(path), target.unknown(path)];
  const doubt = change === 'added' || isBeyondCone(present, path) ? now : change === 'removed' ? then : (now ?? then);
  if (doubt !== undefined) {
    if (!draft.has(path)) keep(draft, path, change === 'added' ? unseen(doubt) : doubt);
    return;
  }
  const at = (view: WorktreeView): DraftState => ({ kind: 'directory', permissions: view.directoryPermissions(path) });
  const other = draft.get(path);
  if (other !== undefined) {
    // A file where the other side has a directory.
    if (change === 'added' && other.kept === undefined) other.after = at(target);
    if (change === 'removed' && other.kept === undefined) other.before = at(present);
    return;
  }
  const before = change === 'added' ? ABSENT : at(present);
  const after = change === 'removed' ? ABSENT : at(target);
  draft.set(path, { path, before, after });
}

/** What a scan left out is never touched, and always said. */
function listLeftOut(draft: Draft, { present, target, scope }: Ends): void {
  for (const [path, reason] of target.leftOut) {
    if (reason === 'omitted' && scope.includes(path) && !draft.has(path)) keep(draft, path, 'omitted');
  }
  for (const [path, reason] of present.leftOut) {
    if (scope.includes(path) && !draft.has(path)) keep(draft, path, unseen(reason));
  }
}

const NOT_OURS: readonly UnknownReason[] = ['submodule', 'repository', 'special'];

/** What no snapshot holds does not come back either where it is gone since, and that is said. */
async function listGone(draft: Draft, { present, target, scope }: Ends): Promise<void> {
  for (const [path, reason] of target.leftOut) {
    if (!NOT_OURS.includes(reason) || !scope.includes(path) || draft.has(path)) continue;
    const isGone = present.unknown(path) === undefined && (await present.kindAt(path)) === undefined;
    if (isGone) keep(draft, path, reason);
  }
}

/** What is named and lies where no scan looks is in neither tree: whether anything is there has to be looked at. */
async function listNamed(draft: Draft, { present, target, scope }: Ends): Promise<void> {
  for (const path of scope.paths ?? []) {
    const reason = draft.has(path) ? undefined : present.unknown(path);
    // Within somebody else's repository nothing is looked at; that nothing was done there is said.
    if (reason === 'repository' || reason === 'submodule') keep(draft, path, reason);
    if (reason !== 'ignored') continue;
    const held = (await present.kindAt(path)) ?? (await target.kindAt(path));
    if (held === undefined) draft.set(path, { ...left(path, 'ignored'), wanted: ABSENT });
  }
}
