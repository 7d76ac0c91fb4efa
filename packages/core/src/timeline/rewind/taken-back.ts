/**
 * What an undo takes back where the snapshots do not say all: its operation wrote where things are ignored, or what it wrote
 * is ignored by now. The operation's record says what it did, and the snapshot that it brought back, what it left. Where
 * exactly that is still there, the undo does as everywhere else; all else that is ignored stays.
 */
import type { BytePath } from '../../base/path.js';
import type { FileOutcome } from '../../model/operation.js';
import type { FileState } from '../../model/tree/tree-change.js';
import { parentsOf, type WorktreeState } from '../diff/worktree-files.js';
import { ABSENT, isAsWanted, type DraftState } from './draft-state.js';
import type { Draft, Ends } from './draft.js';
import type { PlanKnowledge } from './knowledge.js';
import { viewWorktree, type WorktreeView } from './worktree-view.js';

/** The operation that is taken back. */
export interface Undone {
  /** What it did, by path; without what it left alone. */
  readonly files: ReadonlyMap<BytePath, FileOutcome>;
  /** What it brought back, or undefined where that cannot be read any more: then nothing is known of what it left. */
  readonly brought: () => Promise<WorktreeState | undefined>;
}

export interface TakingBack {
  readonly undone: Undone;
  readonly knowledge: Pick<PlanKnowledge, 'seen' | 'listed' | 'sizes'>;
}

/** Files, links and the modes of directories. @throws object_missing */
export async function takeBackFiles(draft: Draft, ends: Ends, { undone, knowledge }: TakingBack): Promise<void> {
  const { present, target } = ends;
  const doubtful = [...undone.files].filter(([path]) => draft.get(path)?.kept?.reason === 'ignored');
  if (doubtful.length === 0) return;
  const unseen = doubtful.map(([path]) => path).filter((path) => present.unknown(path) !== undefined);
  const [seen, state] = [await knowledge.seen(unseen), await undone.brought()];
  const brought = state && viewWorktree(state);
  for (const [path, { creates = false, type }] of doubtful) {
    if (present.unknown(path) === undefined) {
      // What is there now is in the safety snapshot; that nothing was there, the record says.
      if (creates && type === undefined) delete draft.get(path)?.kept;
      continue;
    }
    const [there, was] = [seen.get(path) ?? ABSENT, creates ? ABSENT : await target.stateAt(path)];
    const isKnown = creates || was.kind !== 'absent';
    // Whether all that is in a directory goes too is seen at the end.
    const goes = there.kind === 'directory' && was.kind !== 'directory';
    if (!isKnown || goes || brought === undefined) continue;
    const left = await brought.stateAt(path);
    if (isAsWanted(there, left) && (await isHeld(left, knowledge))) draft.set(path, { path, before: left, after: was });
  }
}

/** What goes must be in the store, from which a redo brings it back. */
async function isHeld(state: DraftState, { sizes }: TakingBack['knowledge']): Promise<boolean> {
  return !('blob' in state) || (await sizes([state.blob]))[0] !== undefined;
}

/**
 * Directories that the operation made, or made out of a file, go where all that is in them goes. What lies in them where
 * things are ignored is in no snapshot, so they are listed on the disk.
 */
export async function takeBackDirectories(draft: Draft, ends: Ends, taking: TakingBack): Promise<void> {
  const { undone, knowledge } = taking;
  const candidates = [...(await candidatesOf(draft, ends, undone))].filter((path) => isOpen(draft, path));
  if (candidates.length === 0) return;
  const [seen, listed] = await Promise.all([knowledge.seen(candidates), knowledge.listed(candidates)]);
  const deepestFirst = candidates.sort((a, b) => b.split('/').length - a.split('/').length);
  for (const path of deepestFirst) {
    const [before, names] = [directoryAt(seen, path), listed.get(path)];
    const outcome = undone.files.get(path);
    if (before === undefined || names?.every((name) => isGoing(draft, `${path}/${name}`)) !== true) continue;
    const after = outcome === undefined || outcome.creates === true ? ABSENT : await ends.target.stateAt(path);
    draft.set(path, { path, before, after, ...(outcome === undefined && { implied: true }) });
  }
}

async function candidatesOf(draft: Draft, { present, target }: Ends, { files }: Undone): Promise<Set<BytePath>> {
  const found = new Set<BytePath>();
  for (const [path, { creates, type }] of files) {
    const isMade = creates === true && type === 'directory';
    const was = isMade || present.unknown(path) !== 'ignored' ? ABSENT : await target.stateAt(path);
    if (isMade || was.kind === 'file' || was.kind === 'link') found.add(path);
  }
  for (const { path } of draft.values()) {
    if (!isGoing(draft, path)) continue;
    for (const parent of parentsOf(path)) {
      if (present.unknown(parent) === 'ignored' && (await isPositivelyAbsent(target, parent))) found.add(parent);
    }
  }
  return found;
}

async function isPositivelyAbsent(target: WorktreeView, path: BytePath): Promise<boolean> {
  return target.unknown(path) === undefined && (await target.kindAt(path)) === undefined;
}

/** Nothing was decided about it, but that it is ignored. */
function isOpen(draft: Draft, path: BytePath): boolean {
  const entry = draft.get(path);
  return entry === undefined || entry.kept?.reason === 'ignored';
}

function isGoing(draft: Draft, path: BytePath): boolean {
  const entry = draft.get(path);
  return entry !== undefined && entry.kept === undefined && entry.after.kind === 'absent';
}

function directoryAt(seen: ReadonlyMap<BytePath, FileState>, path: BytePath): DraftState | undefined {
  const state = seen.get(path);
  return state?.kind === 'directory' ? state : undefined;
}
