/** Turns a caller's changes into the items of a journal: what they imply is said, and each gets a home that stays. */
import { contextError } from '../../../base/errors.js';
import { toRepoPath, type BytePath } from '../../../base/path.js';
import { pathHazard } from '../../../model/tree/path-hazard.js';
import { ABSENT, type FileState, type TreeChange } from '../../../model/tree/tree-change.js';
import { splitPath, type Folders } from '../disk/folders.js';
import type { JournalItem } from './journal.js';

export interface PlanRequest {
  readonly changes: readonly TreeChange[];
  readonly directoryPermissions: number;
  readonly foreign: boolean;
}

/** @throws path_refused */
export function planItems(folders: Folders, request: PlanRequest): JournalItem[] {
  folders.expect(request.changes.map(({ path }) => path));
  const planned = new Map<BytePath, Planned>();
  for (const { path, before, after } of request.changes) {
    const reason = planned.has(path) ? 'it is named twice' : pathHazard(path, request.foreign);
    if (reason !== undefined) throw contextError('path_refused', { path: toRepoPath(path).path, reason });
    planned.set(path, { before, after });
  }
  for (const { path, before, after } of request.changes) {
    if (after.kind !== 'absent') implyParents(path, { planned, folders, request });
    else if (before.kind !== 'absent') implyRemovedParents(path, { planned, folders });
  }
  for (const path of [...planned.keys()]) implyOpening(path, { planned, folders });
  const homes = new Map<BytePath, BytePath>();
  return [...planned].map(([path, item]) => ({ path, ...item, home: homeOf(path, { planned, folders, homes }) }));
}

interface Planned {
  readonly before: FileState;
  readonly after: FileState;
  readonly implied?: true;
}

interface Planning {
  readonly planned: Map<BytePath, Planned>;
  readonly folders: Folders;
}

// What lies below a directory that is missing, or that is a file today, needs that directory.
function implyParents(path: BytePath, planning: Planning & { readonly request: PlanRequest }): void {
  const { planned, folders, request } = planning;
  const directory: FileState = { kind: 'directory', permissions: request.directoryPermissions };
  for (let [parent] = splitPath(path); parent !== ''; [parent] = splitPath(parent)) {
    const named = planned.get(parent);
    if (named?.after.kind === 'directory') continue;
    if (named !== undefined) {
      if (named.after.kind !== 'absent') throw misfit(parent, 'something else lies below it');
      planned.set(parent, { ...named, after: directory });
    } else if (folders.look(parent) === undefined) {
      planned.set(parent, { before: ABSENT, after: directory, implied: true });
    } else return;
  }
}

// A directory gives way to a file: the directories below it go with the files in them.
function implyRemovedParents(path: BytePath, { planned, folders }: Planning): void {
  const parents: BytePath[] = [];
  for (let [parent] = splitPath(path); parent !== ''; [parent] = splitPath(parent)) {
    parents.push(parent);
    const after = planned.get(parent)?.after.kind;
    if (after !== 'file' && after !== 'link') continue;
    for (const each of parents) {
      const named = planned.get(each);
      if (named !== undefined && named.before.kind !== 'absent') continue;
      const permissions = Number((folders.look(each)?.mode ?? 0o755n) & 0o7777n);
      const before: FileState = { kind: 'directory', permissions };
      planned.set(each, named === undefined ? { before, after: ABSENT, implied: true } : { ...named, before });
    }
  }
}

// A directory that its owner may not write is opened for the change, and closed again: so it is in the plan.
function implyOpening(path: BytePath, { planned, folders }: Planning): void {
  const [parent] = splitPath(path);
  if (parent === '' || planned.has(parent)) return;
  const status = folders.look(parent);
  const permissions = Number((status?.mode ?? 0n) & 0o7777n);
  if (status?.isDirectory() !== true || (permissions & 0o300) === 0o300) return;
  const same: FileState = { kind: 'directory', permissions };
  planned.set(parent, { before: same, after: same, implied: true });
}

function misfit(path: BytePath, reason: string): Error {
  return contextError('path_refused', { path: toRepoPath(path).path, reason });
}

/** The deepest directory above a path that is there now, stays one, and can be written all the time. */
function homeOf(path: BytePath, planning: Planning & { readonly homes: Map<BytePath, BytePath> }): BytePath {
  const { planned, folders, homes } = planning;
  const [parent] = splitPath(path);
  if (parent === '') return '';
  const known = homes.get(parent);
  if (known !== undefined) return known;
  const above = homeOf(parent, planning);
  // Below what is no directory, or does not stay one, nothing else can be a home.
  const isReachable = above === splitPath(parent)[0] && staysDirectory(planned.get(parent));
  const home = isReachable && folders.find(parent) !== undefined ? parent : above;
  homes.set(parent, home);
  return home;
}

function staysDirectory(named: Planned | undefined): boolean {
  return named === undefined || (isWritable(named.before) && isWritable(named.after));
}

function isWritable(state: FileState): boolean {
  return state.kind === 'directory' && (state.permissions & 0o300) === 0o300;
}
