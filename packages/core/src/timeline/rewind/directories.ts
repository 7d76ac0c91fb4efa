/**
 * Settles what the changes of files mean for directories: which go because nothing is left in them, which have to be
 * made, and which files cannot be written because something that is kept stands in their place.
 */
import type { BytePath } from '../../base/path.js';
import { ancestorsOf, parentsOf } from '../diff/worktree-files.js';
import type { DraftState } from './draft-state.js';
import type { Draft, DraftEntry, Ends } from './draft.js';
import type { PlanKnowledge } from './knowledge.js';

export async function settleDirectories(
  draft: Draft,
  ends: Ends,
  knowledge: Pick<PlanKnowledge, 'seen'>,
): Promise<void> {
  await giveWay(draft, ends);
  await makeParents(draft, ends, knowledge);
  await removeEmptied(draft, ends);
}

/** A file, link or directory comes where a directory is: all that is in it has to go, or nothing happens. */
async function giveWay(draft: Draft, { present }: Ends): Promise<void> {
  const replaced: DraftEntry[] = [];
  for (const entry of draft.values()) {
    const comes = entry.kept === undefined && isContent(entry.after) && !isContent(entry.before);
    if (comes && (await present.kindAt(entry.path)) === 'directory') replaced.push(entry);
  }
  if (replaced.length === 0) return;
  const outside = outsideDraft(draft, { present });
  const kept = ancestorsOf([...stayingPaths(draft, present)]);
  for (const entry of replaced) {
    if (kept.has(entry.path) || (await outside(entry.path))) {
      for (const below of draft.values()) if (below.path.startsWith(`${entry.path}/`)) occupy(below);
      occupy(entry);
    } else entry.before = { kind: 'directory', permissions: present.directoryPermissions(entry.path) };
  }
}

function isContent(state: DraftState): boolean {
  return state.kind === 'file' || state.kind === 'link';
}

function occupy(entry: DraftEntry): void {
  entry.kept ??= { reason: 'occupied' };
}

/** What no change of the draft is about: what was left out of the present snapshot, and what is kept. */
function* stayingPaths(draft: Draft, present: Ends['present']): Iterable<BytePath> {
  for (const path of present.leftOut.keys()) if (draft.get(path)?.kept !== undefined || !draft.has(path)) yield path;
  for (const { path, kept } of draft.values()) if (kept !== undefined) yield path;
}

/** Tells whether a directory holds something that no change of the draft takes away. */
function outsideDraft(draft: Draft, { present }: Pick<Ends, 'present'>): (directory: BytePath) => Promise<boolean> {
  const names = async (directory: BytePath): Promise<readonly BytePath[]> => (await present.namesIn(directory)) ?? [];
  const holds = async (directory: BytePath): Promise<boolean> => {
    for (const name of await names(directory)) {
      const path = `${directory}/${name}`;
      const entry = draft.get(path);
      if (entry !== undefined && entry.kept === undefined && entry.after.kind === 'absent') continue;
      const isOpen = entry === undefined && (await present.kindAt(path)) === 'directory';
      // An empty directory goes only where the draft says so.
      if (!isOpen || (await names(path)).length === 0 || (await holds(path))) return true;
    }
    return false;
  };
  return holds;
}

/** Directories that the target needs: a file in their place gives way, unusual permissions are named. */
async function makeParents(
  draft: Draft,
  { present, target }: Ends,
  { seen }: Pick<PlanKnowledge, 'seen'>,
): Promise<void> {
  const usual = target.directoryPermissions('');
  const settled = new Map<BytePath, boolean>();
  const isMade = async (directory: BytePath): Promise<boolean> => {
    const known = settled.get(directory);
    if (known !== undefined) return known;
    const made = await makeDirectory(directory);
    settled.set(directory, made);
    return made;
  };
  const makeDirectory = async (directory: BytePath): Promise<boolean> => {
    const entry = draft.get(directory);
    const state: DraftState = { kind: 'directory', permissions: target.directoryPermissions(directory) };
    if (entry !== undefined && isContent(entry.before)) {
      if (entry.kept !== undefined) return false;
      entry.after = state;
      return true;
    }
    if (present.blocks(directory) || (await present.kindAt(directory)) === 'file') return false;
    const isThere = (await present.kindAt(directory)) === 'directory' || entry !== undefined;
    if (!isThere && present.unknown(directory) === 'ignored') {
      const there = (await seen([directory])).get(directory);
      // No snapshot can say that it was not there, so an undo has to be told by the record.
      if (there === undefined) draft.set(directory, { path: directory, before: { kind: 'absent' }, after: state });
      return there === undefined || there.kind === 'directory';
    }
    if (!isThere && present.unknown(directory) === undefined && state.permissions !== usual) {
      draft.set(directory, { path: directory, before: { kind: 'absent' }, after: state, implied: true });
    }
    return true;
  };
  for (const entry of [...draft.values()]) {
    if (entry.kept !== undefined || entry.after.kind === 'absent') continue;
    for (const parent of parentsOf(entry.path).reverse()) {
      if (await isMade(parent)) continue;
      occupy(entry);
      break;
    }
  }
}

/** Directories whose last content goes, and which the target positively has not, go with it. */
async function removeEmptied(draft: Draft, { present, target }: Ends): Promise<void> {
  const going = [...draft.values()].filter(({ kept, after }) => kept === undefined && after.kind === 'absent');
  const kept = ancestorsOf([...stayingPaths(draft, present)]);
  const deepestFirst = [...ancestorsOf(going.map(({ path }) => path))].sort(
    (a, b) => b.split('/').length - a.split('/').length,
  );
  const removed = outsideDraft(draft, { present });
  // An empty directory may go only where nothing that is kept is in it.
  for (const entry of going) if (entry.before.kind === 'directory' && kept.has(entry.path)) draft.delete(entry.path);
  for (const path of deepestFirst) {
    if (draft.has(path) || kept.has(path)) continue;
    // Where nobody knows what is in it, it is not known to be empty either.
    if (present.unknown(path) !== undefined || target.unknown(path) !== undefined) continue;
    if ((await target.kindAt(path)) !== undefined || (await removed(path))) continue;
    const before: DraftState = { kind: 'directory', permissions: present.directoryPermissions(path) };
    draft.set(path, { path, before, after: { kind: 'absent' }, implied: true });
  }
}
