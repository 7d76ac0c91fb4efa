/** What the user's index says: the staged state, submodules, flags. Read only, and without looking at file contents. */
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { toRepoPath, type BytePath } from '../../base/path.js';
import type { FlaggedEntry, StagedFlag, UnmergedEntry } from '../../model/tree/staged.js';
import type { FileSet, ObjectId, TreeMode } from '../../model/tree/tree.js';
import { emptyTreeId, objectId } from '../../model/tree/object-id.js';
import { indexFingerprint } from './index-fingerprint.js';
import type { Head, WorktreePlace } from '../place/place.js';

/** One line of `git ls-files -s -v`. */
export interface IndexEntry {
  readonly tag: string;
  readonly mode: string;
  readonly blob: ObjectId;
  readonly stage: number;
  readonly path: BytePath;
}

/** The staged state against HEAD's tree. */
export interface StagedChanges {
  readonly remove: readonly BytePath[];
  readonly set: readonly FileSet[];
  readonly unmerged: readonly UnmergedEntry[];
  readonly flagged: readonly FlaggedEntry[];
}

/** Facts that hold as long as the index file and HEAD are the same. */
export interface IndexFacts extends IndexState {
  /** The commit that the staged state is compared with; absent on an unborn branch. */
  readonly commit?: ObjectId;
  readonly staged: StagedChanges;
  readonly submodules: readonly BytePath[];
  /** Entries with the skip-worktree bit. */
  readonly skipped: readonly BytePath[];
  /** Tracked although ignored; this hangs on the ignore rules as well. */
  readonly forced: readonly BytePath[];
  /** Directories that look like repositories, and whether the index has a file below. */
  readonly judged: readonly (readonly [BytePath, boolean])[];
}

/** What tells whether the index still says the same. */
export interface IndexState {
  /** Changes with every write of the file; '' where it was just written and may be again. */
  readonly key: string;
  /** Changes only with what the index says; absent where that is not known. */
  readonly fingerprint?: string;
}

/** Returns the state of the index; the file is read only where its status does not settle it. */
export function indexState(place: WorktreePlace, known: IndexState | undefined, began: number): IndexState {
  const file = path.join(place.gitDirectory, 'index');
  try {
    const { mtimeMs, ctimeMs, size, ino } = lstatSync(file);
    const key = Math.max(mtimeMs, ctimeMs) + 20 > began ? '' : [mtimeMs, ctimeMs, size, ino].join(' ');
    if (key !== '' && known?.key === key) return known;
    const fingerprint = indexFingerprint(place.objectFormat, readFileSync(file));
    return fingerprint === undefined ? { key } : { key, fingerprint };
  } catch {
    return { key: 'none', fingerprint: 'none' };
  }
}

/** Tells whether two states are of an index that says the same. */
export function isSameIndex(a: IndexState, b: IndexState): boolean {
  return (a.key !== '' && a.key === b.key) || (a.fingerprint !== undefined && a.fingerprint === b.fingerprint);
}

/** Reads the whole index. */
export async function readIndex(place: WorktreePlace): Promise<readonly IndexEntry[]> {
  const { stdout } = await place.userGit.run({ args: ['ls-files', '-s', '-v', '-z', '--full-name'] });
  return parseIndexEntries(stdout);
}

/** Reads what `git ls-files -s -v -z` says. */
export function parseIndexEntries(stdout: Buffer): readonly IndexEntry[] {
  const entries: IndexEntry[] = [];
  for (let at = 0; at < stdout.length;) {
    const end = stdout.indexOf(0, at);
    const line = stdout.toString('latin1', at, end);
    const tab = line.indexOf('\t');
    const [tag = '', mode = '', blob = '', stage = '0'] = line.slice(0, tab).split(' ');
    entries.push({ tag, mode, blob, stage: Number(stage), path: line.slice(tab + 1) });
    at = end + 1;
  }
  return entries;
}

/** Works out the facts from the index and its differences to HEAD. */
export async function readIndexFacts(
  place: WorktreePlace,
  head: Head,
  state: IndexState,
): Promise<{ facts: IndexFacts; entries: readonly IndexEntry[] }> {
  const base = head.tree ?? emptyTreeId(place.objectFormat);
  const [entries, visible, invisible, forced] = await Promise.all([
    readIndex(place),
    stagedDifferences(place, base, '--ita-visible-in-index'),
    stagedDifferences(place, base, '--ita-invisible-in-index'),
    readForced(place),
  ]);
  const intended = new Set([...visible].filter(([path, line]) => invisible.get(path) !== line).map(([path]) => path));
  const submodules = entries.filter(({ mode }) => mode === '160000').map((entry) => entry.path);
  const skipped = entries.filter(({ tag }) => tag.toLowerCase() === 's').map((entry) => entry.path);
  const staged = stagedChanges(place, { entries, differences: invisible, intended });
  const commit = head.commit === undefined ? {} : { commit: head.commit };
  return { facts: { ...state, ...commit, staged, submodules, skipped, forced, judged: [] }, entries };
}

/** Resolves with the tracked files that a rule ignores. */
export async function readForced(place: WorktreePlace): Promise<readonly BytePath[]> {
  const args = ['ls-files', '-i', '-c', '-z', '--exclude-standard', '--full-name'];
  return splitNul((await place.userGit.run({ args })).stdout);
}

interface StagedParts {
  readonly entries: readonly IndexEntry[];
  readonly differences: ReadonlyMap<BytePath, string>;
  readonly intended: ReadonlySet<BytePath>;
}

function stagedChanges(place: WorktreePlace, { entries, differences, intended }: StagedParts): StagedChanges {
  const remove: BytePath[] = [];
  const set: FileSet[] = [];
  for (const [path, line] of differences) {
    const [, mode = '', , id = '', status = ''] = line.split(' ');
    if (status.startsWith('D') || status.startsWith('U') || mode === '000000') remove.push(path);
    else set.push({ path, mode: mode as TreeMode, id });
  }
  const unmerged = entries
    .filter(({ stage }) => stage > 0)
    .map(({ path, stage, mode, blob }) => ({ ...toRepoPath(path), stage, mode, blob }));
  return { remove, set, unmerged, flagged: flaggedEntries(place, entries, intended) };
}

function flaggedEntries(
  place: WorktreePlace,
  entries: readonly IndexEntry[],
  intended: ReadonlySet<BytePath>,
): FlaggedEntry[] {
  const emptyBlob = objectId(place.objectFormat, 'blob', new Uint8Array());
  const skipped = new Set(entries.filter(({ tag }) => tag.toLowerCase() === 's').map(({ path }) => path));
  const all = entries.map(({ path }) => path);
  const flagged = new Map<BytePath, StagedFlag[]>(collapse(all, skipped).map((path) => [path, ['skip_worktree']]));
  const flag = (path: BytePath, one: StagedFlag): void => {
    flagged.set(path, [...(flagged.get(path) ?? []), one]);
  };
  for (const { path, tag, blob, stage } of entries) {
    if (tag !== tag.toUpperCase()) flag(path, 'assume_unchanged');
    if (stage === 0 && blob === emptyBlob && intended.has(path)) flag(path, 'intent_to_add');
  }
  return [...flagged].map(([path, flags]) => ({ ...toRepoPath(path), flags }));
}

/**
 * Returns `some` of `all` paths in short: a directory, with a `/` at its end, stands for all paths below it if they all
 * are among them. Both must be sorted by bytes, as an index is.
 */
export function collapse(all: readonly BytePath[], some: ReadonlySet<BytePath>): BytePath[] {
  if (some.size === 0) return [];
  const broken = new Set<BytePath>();
  for (const path of all) {
    if (some.has(path)) continue;
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) broken.add(path.slice(0, at + 1));
  }
  const short = new Set<BytePath>();
  for (const path of some) {
    let top = path;
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      if (broken.has(path.slice(0, at + 1))) break;
      top = path.slice(0, at + 1);
    }
    short.add(top);
  }
  return [...short];
}

async function stagedDifferences(place: WorktreePlace, base: ObjectId, intent: string): Promise<Map<BytePath, string>> {
  const args = ['diff-index', '--cached', '--raw', '-z', '--no-renames', '--no-abbrev', intent, base];
  const { stdout } = await place.userGit.run({ args });
  return rawDifferences(stdout);
}

/** Reads `--raw -z` output: path to `:modeA modeB idA idB status`. */
export function rawDifferences(stdout: Buffer): Map<BytePath, string> {
  const fields = splitNul(stdout);
  const differences = new Map<BytePath, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) differences.set(fields[at + 1] ?? '', fields[at] ?? '');
  return differences;
}

export function splitNul(bytes: Buffer): string[] {
  const fields = bytes.toString('latin1').split('\0');
  fields.pop();
  return fields;
}
