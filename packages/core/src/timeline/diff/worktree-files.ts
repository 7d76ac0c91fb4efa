/** Joins what a git tree holds with what `filesystem.json` adds: permission bits, refused names, and what is not known. */
import { fromRepoPath, type BytePath, type RepoPath } from '../../base/path.js';
import type { FilesystemRecord } from '../../model/tree/filesystem.js';
import type { ObjectId, TreeMode } from '../../model/tree/tree.js';
import type { TreeReader } from '../../store/compare-trees.js';
import { listFolder } from '../snapshot/folders.js';

/** One worktree: of a snapshot, or the present one. */
export interface WorktreeState {
  readonly tree: ObjectId | undefined;
  readonly filesystem: FilesystemRecord | undefined;
  readonly read: TreeReader;
}

export interface FileState {
  /** Four octal digits; `link` for a symlink, `submodule` for another repository's commit. */
  readonly mode: string;
  readonly blob: ObjectId;
}

/** Returns what gives the permission bits of a file of the tree. */
export function fileStates(
  filesystem: FilesystemRecord | undefined,
): (path: BytePath, entry: { readonly mode: TreeMode; readonly id: ObjectId }) => FileState {
  const exceptions = new Map(filesystem?.exceptions.map((entry) => [fromRepoPath(entry), entry.mode]));
  return (path, { mode, id }) => {
    if (mode === '120000') return { mode: 'link', blob: id };
    if (mode === '160000') return { mode: 'submodule', blob: id };
    const usual = mode === '100755' ? (filesystem?.modes.executable ?? '0755') : (filesystem?.modes.file ?? '0644');
    return { mode: exceptions.get(path) ?? usual, blob: id };
  };
}

/** Returns the files whose names git refuses; their content lies elsewhere in the snapshot. */
export function divertedFiles(filesystem: FilesystemRecord | undefined): ReadonlyMap<BytePath, FileState> {
  const diverted = filesystem?.diverted ?? [];
  return new Map(
    diverted.map((file) => [fromRepoPath(file), { mode: file.type === 'link' ? 'link' : file.mode, blob: file.blob }]),
  );
}

/** Returns every file and link of a worktree, in byte order of the paths. @throws object_missing */
export async function worktreeFiles(state: WorktreeState): Promise<ReadonlyMap<BytePath, FileState>> {
  const stateOf = fileStates(state.filesystem);
  const listed = (await listFolder(state.read, state.tree)).map(
    (file) => [file.path, stateOf(file.path, file)] as const,
  );
  const all = [...listed, ...divertedFiles(state.filesystem)];
  return new Map(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Why a path that is not in a worktree's record may be there all the same. */
export type UnknownReason = 'ignored' | 'omitted' | 'submodule' | 'repository' | 'special' | 'sparse';

/** Returns what says of a path why its absence proves nothing, or undefined where the path is positively absent. */
export function unknownPaths(filesystem: FilesystemRecord | undefined): (path: BytePath) => UnknownReason | undefined {
  const reasons = new Map<BytePath, UnknownReason>();
  const add = (path: RepoPath, reason: UnknownReason) => reasons.set(fromRepoPath(path).replace(/\/$/, ''), reason);
  for (const path of filesystem?.ignored ?? []) add(path, 'ignored');
  for (const path of filesystem?.omitted ?? []) add(path, 'omitted');
  for (const path of filesystem?.boundaries ?? []) add(path, path.kind);
  return (path) => {
    if (reasons.size === 0) return undefined;
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const reason = reasons.get(path.slice(0, end));
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
}

/** Returns the directories above a path, the nearest first. */
export function parentsOf(path: BytePath): BytePath[] {
  const parents: BytePath[] = [];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) parents.push(path.slice(0, at));
  return parents;
}

/** Returns the directories above any of the paths. */
export function ancestorsOf(paths: Iterable<BytePath>): Set<BytePath> {
  const found = new Set<BytePath>();
  for (const path of paths) {
    for (const parent of parentsOf(path)) {
      if (found.has(parent)) break;
      found.add(parent);
    }
  }
  return found;
}

/** Returns the directories that a worktree has and that its tree need not show: empty ones, and those of what was left out. */
export function directoriesBesideTree(filesystem: FilesystemRecord | undefined): ReadonlySet<BytePath> {
  if (filesystem === undefined) return new Set();
  const { emptyDirectories, ignored, omitted, boundaries, diverted } = filesystem;
  const plain = (path: RepoPath): BytePath => fromRepoPath(path).replace(/\/$/, '');
  const empty = emptyDirectories.map(plain);
  const beyond = [...ignored, ...omitted, ...boundaries, ...diverted].map(plain);
  return new Set([...empty, ...ancestorsOf([...empty, ...beyond])]);
}
