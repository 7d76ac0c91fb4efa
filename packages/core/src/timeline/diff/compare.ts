/** Compares two worktrees: files by content, mode and type; directories by being empty and by mode. */
import { fromRepoPath, type BytePath } from '../../base/path.js';
import type { FilesystemRecord } from '../../model/tree/filesystem.js';
import type { TreeDifference } from '../../store/store.js';
import { compareTrees } from '../../store/compare-trees.js';
import { findInFolder, walkFolder } from '../snapshot/folders.js';
import {
  directoriesBesideTree,
  divertedFiles,
  fileStates,
  unknownPaths,
  type FileState,
  type UnknownReason,
  type WorktreeState,
} from './worktree-files.js';

/** What differs of a file; `type` where a file, a link and a submodule take the place of each other, `mode` where nothing else does. */
export type FileChangeKind = 'added' | 'removed' | 'modified' | 'mode' | 'type';

export interface FileDifference {
  readonly path: BytePath;
  readonly change: FileChangeKind;
  readonly before?: FileState;
  readonly after?: FileState;
}

export interface DirectoryDifference {
  readonly path: BytePath;
  readonly change: 'added' | 'removed' | 'mode';
}

/** A path that one side holds, and of which the other side only says that it did not look. */
export interface UnknownDifference {
  readonly path: BytePath;
  readonly side: 'from' | 'to';
  readonly reason: UnknownReason;
  /** What the side that knows holds there. */
  readonly state: FileState;
}

export interface WorktreeDifference {
  readonly files: readonly FileDifference[];
  readonly directories: readonly DirectoryDifference[];
  readonly unknown: readonly UnknownDifference[];
}

/**
 * Compares two worktrees; results are in byte order of the paths.
 * @param differences of the two trees, where a faster way to them is at hand
 * @throws object_missing
 */
export async function compareWorktrees(
  before: WorktreeState,
  after: WorktreeState,
  differences: AsyncIterable<TreeDifference> = compareTrees(bothReaders(before, after), before.tree, after.tree),
): Promise<WorktreeDifference> {
  const pairs = await contentPairs(before, after, differences);
  const [statesBefore, statesAfter] = [fileStates(before.filesystem), fileStates(after.filesystem)];
  for (const path of await modeCandidates(before, after)) {
    if (pairs.has(path)) continue;
    const [a, b] = await Promise.all([before, after].map((side) => findInFolder(side.read, side.tree, path)));
    if (a === undefined || b === undefined || a.mode === '040000' || b.mode === '040000') continue;
    pairs.set(path, { before: statesBefore(path, a), after: statesAfter(path, b) });
  }
  const unknown: UnknownDifference[] = [];
  const files: FileDifference[] = [];
  const [unknownBefore, unknownAfter] = [unknownPaths(before.filesystem), unknownPaths(after.filesystem)];
  for (const [path, pair] of [...pairs].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const change = changeOf(pair);
    if (change === undefined) continue;
    const side = change === 'added' ? 'from' : 'to';
    const state = pair.after ?? pair.before;
    const reason = change === 'added' ? unknownBefore(path) : change === 'removed' ? unknownAfter(path) : undefined;
    if (reason === undefined || state === undefined) files.push({ path, change, ...pair });
    else unknown.push({ path, side, reason, state });
  }
  return { files, directories: await compareDirectories(before, after), unknown };
}

interface Pair {
  readonly before?: FileState;
  readonly after?: FileState;
}

async function contentPairs(
  before: WorktreeState,
  after: WorktreeState,
  differences: AsyncIterable<TreeDifference>,
): Promise<Map<BytePath, Pair>> {
  const [statesBefore, statesAfter] = [fileStates(before.filesystem), fileStates(after.filesystem)];
  const pairs = new Map<BytePath, Pair>();
  for await (const { path, before: a, after: b } of differences) {
    pairs.set(path, { ...(a && { before: statesBefore(path, a) }), ...(b && { after: statesAfter(path, b) }) });
  }
  const [divertedBefore, divertedAfter] = [divertedFiles(before.filesystem), divertedFiles(after.filesystem)];
  for (const path of new Set([...divertedBefore.keys(), ...divertedAfter.keys()])) {
    const [a, b] = [divertedBefore.get(path), divertedAfter.get(path)];
    pairs.set(path, { ...pairs.get(path), ...(a && { before: a }), ...(b && { after: b }) });
  }
  return pairs;
}

function bothReaders(before: WorktreeState, after: WorktreeState) {
  return async (id: string) => (await after.read(id)) ?? before.read(id);
}

function changeOf({ before, after }: Pair): FileChangeKind | undefined {
  if (before === undefined) return after === undefined ? undefined : 'added';
  if (after === undefined) return 'removed';
  if (typeOf(before) !== typeOf(after)) return 'type';
  if (before.blob !== after.blob) return 'modified';
  return before.mode === after.mode ? undefined : 'mode';
}

function typeOf({ mode }: FileState): string {
  return /^\d/.test(mode) ? 'file' : mode;
}

/** Paths whose permission bits may differ although their tree entries are the same. */
async function modeCandidates(before: WorktreeState, after: WorktreeState): Promise<ReadonlySet<BytePath>> {
  const [a, b] = [before.filesystem, after.filesystem];
  if (sameModes(a, b, ['file', 'executable'])) return changedExceptions(a, b);
  const files = (await walkFolder(after.read, after.tree)).filter(({ mode }) => mode !== '040000');
  return new Set(files.map(({ path }) => path));
}

function sameModes(
  a: FilesystemRecord | undefined,
  b: FilesystemRecord | undefined,
  which: readonly (keyof FilesystemRecord['modes'])[],
): boolean {
  return a === undefined || b === undefined || which.every((name) => a.modes[name] === b.modes[name]);
}

function changedExceptions(a: FilesystemRecord | undefined, b: FilesystemRecord | undefined): ReadonlySet<BytePath> {
  const [left, right] = [exceptionsOf(a), exceptionsOf(b)];
  return new Set([...left.keys(), ...right.keys()].filter((path) => left.get(path) !== right.get(path)));
}

function exceptionsOf(filesystem: FilesystemRecord | undefined): ReadonlyMap<BytePath, string> {
  return new Map(filesystem?.exceptions.map((entry) => [fromRepoPath(entry).replace(/\/$/, ''), entry.mode]));
}

async function compareDirectories(
  before: WorktreeState,
  after: WorktreeState,
): Promise<readonly DirectoryDifference[]> {
  const [besideBefore, besideAfter] = [before, after].map(({ filesystem }) => directoriesBesideTree(filesystem)) as [
    ReadonlySet<BytePath>,
    ReadonlySet<BytePath>,
  ];
  const found = new Map<BytePath, DirectoryDifference['change']>();
  for (const path of emptyOf(after.filesystem)) {
    if (!(await isDirectory(before, besideBefore, path))) found.set(path, 'added');
  }
  for (const path of emptyOf(before.filesystem)) {
    if (!(await isDirectory(after, besideAfter, path))) found.set(path, 'removed');
  }
  const [modeBefore, modeAfter] = [directoryModes(before.filesystem), directoryModes(after.filesystem)];
  for (const path of await directoryCandidates(before, after)) {
    if (found.has(path) || modeBefore(path) === modeAfter(path)) continue;
    const both = (await isDirectory(before, besideBefore, path)) && (await isDirectory(after, besideAfter, path));
    if (both) found.set(path, 'mode');
  }
  return [...found].map(([path, change]) => ({ path, change })).sort((a, b) => (a.path < b.path ? -1 : 1));
}

function emptyOf(filesystem: FilesystemRecord | undefined): ReadonlySet<BytePath> {
  return new Set(filesystem?.emptyDirectories.map((path) => fromRepoPath(path).replace(/\/$/, '')));
}

async function isDirectory(state: WorktreeState, beside: ReadonlySet<BytePath>, path: BytePath): Promise<boolean> {
  if (beside.has(path)) return true;
  return (await findInFolder(state.read, state.tree, path))?.mode === '040000';
}

function directoryModes(filesystem: FilesystemRecord | undefined): (path: BytePath) => string | undefined {
  const exceptions = exceptionsOf(filesystem);
  return (path) => exceptions.get(path) ?? filesystem?.modes.directory;
}

async function directoryCandidates(before: WorktreeState, after: WorktreeState): Promise<ReadonlySet<BytePath>> {
  const [a, b] = [before.filesystem, after.filesystem];
  if (sameModes(a, b, ['directory'])) return changedExceptions(a, b);
  const directories = (await walkFolder(after.read, after.tree)).filter(({ mode }) => mode === '040000');
  return new Set([...directories.map(({ path }) => path), ...directoriesBesideTree(b)]);
}
