/** One worktree as the planner asks for it: what stands at a path, and what is not known. Trees are read once. */
import { fromRepoPath, type BytePath } from '../../base/path.js';
import type { ObjectId } from '../../model/tree/tree.js';
import type { TreeReader } from '../../store/compare-trees.js';
import {
  directoriesBesideTree,
  divertedFiles,
  fileStates,
  unknownPaths,
  type UnknownReason,
  type WorktreeState,
} from '../diff/worktree-files.js';
import { folderFinder } from '../snapshot/folders.js';
import { stateOf, type DraftState } from './draft-state.js';

export interface WorktreeView {
  readonly state: WorktreeState;
  kindAt(path: BytePath): Promise<'file' | 'directory' | undefined>;
  /** Returns what the snapshot holds at a path: `absent` also where it cannot say. */
  stateAt(path: BytePath): Promise<DraftState>;
  /** Names in a directory that the snapshot knows, or undefined where there is none. */
  namesIn(directory: BytePath): Promise<readonly BytePath[] | undefined>;
  directoryPermissions(path: BytePath): number;
  /** Why the absence of a path proves nothing. */
  unknown(path: BytePath): UnknownReason | undefined;
  /** Paths that were kept out of the snapshot, without a slash at the end. */
  readonly leftOut: ReadonlyMap<BytePath, UnknownReason>;
  /** Files with a name that no tree may hold: they lie beside it. */
  readonly diverted: ReadonlySet<BytePath>;
  /** Tells whether such a path is no directory, so that nothing can be put below it. */
  blocks(path: BytePath): boolean;
}

export function viewWorktree(worktree: WorktreeState): WorktreeView {
  const state = { ...worktree, read: readOnce(worktree) };
  const { filesystem, tree } = state;
  const finder = folderFinder(state.read);
  const diverted = divertedFiles(filesystem);
  const empty = new Set((filesystem?.emptyDirectories ?? []).map((path) => bare(fromRepoPath(path))));
  const leftOut = leftOutOf(worktree);
  const blocking = blockingPaths(worktree);
  const modes = new Map(filesystem?.exceptions.map((entry) => [fromRepoPath(entry), entry.mode]));
  const beside = directoriesBesideTree(filesystem);
  const fileState = fileStates(filesystem);
  const directoryPermissions = (path: BytePath): number =>
    parseInt(modes.get(`${path}/`) ?? filesystem?.modes.directory ?? '0755', 8);
  return {
    state,
    leftOut,
    diverted: new Set(diverted.keys()),
    blocks: (path) => blocking.has(path),
    unknown: unknownPaths(filesystem),
    async kindAt(path) {
      if (path === '' || beside.has(path)) return 'directory';
      if (diverted.has(path)) return 'file';
      const found = await finder.find(tree, path);
      return found === undefined ? undefined : found.mode === '040000' ? 'directory' : 'file';
    },
    async namesIn(directory) {
      const found = directory === '' ? { id: tree, mode: '040000' } : await finder.find(tree, directory);
      const entries = found?.mode === '040000' && found.id !== undefined ? await finder.entries(found.id) : undefined;
      const others = [...diverted.keys(), ...empty].flatMap((path) => nameWithin(directory, path));
      if (entries === undefined && others.length === 0) return empty.has(directory) ? [] : undefined;
      return [...new Set([...(entries?.keys() ?? []), ...others])];
    },
    directoryPermissions,
    async stateAt(path) {
      const found = diverted.has(path) || beside.has(path) ? undefined : await finder.find(tree, path);
      if (beside.has(path) || found?.mode === '040000') {
        return { kind: 'directory', permissions: directoryPermissions(path) };
      }
      return found?.id === undefined
        ? stateOf(diverted.get(path))
        : stateOf(fileState(path, { ...found, id: found.id }));
    },
  };
}

function readOnce({ read }: WorktreeState): TreeReader {
  const known = new Map<ObjectId, ReturnType<TreeReader>>();
  return (id) => {
    const found = known.get(id) ?? read(id);
    known.set(id, found);
    return found;
  };
}

function leftOutOf({ filesystem }: WorktreeState): ReadonlyMap<BytePath, UnknownReason> {
  const found = new Map<BytePath, UnknownReason>();
  for (const path of filesystem?.ignored ?? []) found.set(bare(fromRepoPath(path)), 'ignored');
  for (const path of filesystem?.omitted ?? []) found.set(bare(fromRepoPath(path)), 'omitted');
  for (const path of filesystem?.boundaries ?? []) found.set(bare(fromRepoPath(path)), path.kind);
  return found;
}

/** A directory's path ends in a slash there. */
function blockingPaths({ filesystem }: WorktreeState): ReadonlySet<BytePath> {
  const special = (filesystem?.boundaries ?? []).filter(({ kind }) => kind === 'special');
  const paths = [...(filesystem?.ignored ?? []), ...(filesystem?.omitted ?? []), ...special].map(fromRepoPath);
  return new Set(paths.filter((path) => !path.endsWith('/')));
}

function bare(path: BytePath): BytePath {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

function nameWithin(directory: BytePath, path: BytePath): readonly BytePath[] {
  const prefix = directory === '' ? '' : `${directory}/`;
  if (!path.startsWith(prefix) || path === directory) return [];
  return [path.slice(prefix.length).split('/', 1)[0] ?? ''];
}
