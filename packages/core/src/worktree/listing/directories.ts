/**
 * The listing of the worktree: every directory that is not ignored, with the kind of each name in it. A directory whose
 * status is as it was has the same names as it had, so only changed directories are read.
 */
import { lstatSync } from 'node:fs';
import type { BytePath } from '../../base/path.js';
import { systemPath } from '../place/file-stat.js';
import { statusLines, type StatusLines } from './directory-status.js';
import { join, splitNames, type DirectoryMemory } from './directory.js';
import { IGNORE_FILE, ignoreFilesAmong, ruleSources, sameSources } from './ignore-rules.js';
import { KnownDirectories, type Directories } from './known-directories.js';
import { visitAll, type ListingRequest, type Looking } from './visit.js';

export interface Listing {
  /** The very ones that were known where nothing changed. */
  readonly directories: Directories;
  readonly rules: ReadonlyMap<string, string>;
}

/** Lists the worktree. @throws worktree_changing through the caller where the root itself cannot be read */
export async function listWorktree(request: ListingRequest): Promise<Listing> {
  const remembered = ignoreFilesAmong(request.knownRules);
  const rules = ruleSources(request.place, remembered, request.began);
  const sameRules = request.known.size > 0 && sameSources(request.knownRules, rules);
  const statuses = await request.statuses;
  if (sameRules && (await isUnchanged(request, statuses))) return { directories: request.known, rules };
  if (!sameRules) request.rules.renew();
  const changed = sameRules ? changedOf(request, statuses) : undefined;
  const lines = linesOf(request, statuses);
  const first = await (changed === undefined ? walk(request, { sameRules, lines }) : listAgain(request, changed));
  if (sameRules && !ignoreFilesMoved(request.known, first)) return { directories: first, rules };
  // A `.gitignore` came or went: what was judged before it was seen is judged again, by a git that has read it.
  if (sameRules) request.rules.renew();
  const directories = sameRules ? await walk(request, { sameRules: false, lines }) : first;
  return { directories, rules: ruleSources(request.place, ignoreFilesOf(directories), request.began) };
}

/** Tells without looking at single directories whether all are as they were, where that can be told. */
async function isUnchanged(request: ListingRequest, statuses: Buffer | undefined): Promise<boolean> {
  const { known, trustDirectories } = request;
  if (!(known instanceof KnownDirectories) || !trustDirectories || statuses === undefined) return false;
  if (!known.areSame(statuses) || !areSubmodulesClosed(request)) return false;
  const looked = await visitAll(known.unsettled(), request, { sameRules: true, lines: new Map() });
  const same = (path: BytePath, now: DirectoryMemory): boolean => isSame(known.get(path), now);
  return looked.size === known.unsettled().length && [...looked].every(([path, now]) => same(path, now));
}

/** Tells whether all submodules are known as such: a directory becomes one by what the index says. */
function areSubmodulesClosed({ known, submodules }: ListingRequest): boolean {
  const isClosed = (path: BytePath): boolean => !known.has(path) || known.get(path)?.closed === 'submodule';
  return [...submodules].every(isClosed);
}

function isSame(before: DirectoryMemory | undefined, now: DirectoryMemory): boolean {
  if (before === undefined) return false;
  const { key, permissions, files, directories, ignoredFiles, ignoredDirectories, special, closed } = before;
  return (
    key === now.key &&
    permissions === now.permissions &&
    files === now.files &&
    directories === now.directories &&
    ignoredFiles === now.ignoredFiles &&
    ignoredDirectories === now.ignoredDirectories &&
    special === now.special &&
    closed === now.closed
  );
}

/** Returns the directories that have to be looked at, with their status where it is known, or undefined for all. */
function changedOf(request: ListingRequest, statuses: Buffer | undefined): Changed | undefined {
  const { known, changed, trustDirectories } = request;
  if (!trustDirectories || !areSubmodulesClosed(request)) return undefined;
  if (changed !== undefined) {
    const unsettled = [...known].filter(([, { key }]) => key === '').map(([path]) => path);
    const paths = [...new Set([...changed, ...unsettled])].filter((path) => known.has(path));
    return { paths, lines: new Map() };
  }
  if (!(known instanceof KnownDirectories) || statuses === undefined) return undefined;
  const lines = known.differing(statuses);
  return { paths: [...lines.keys()], lines };
}

function linesOf({ known, trustDirectories }: ListingRequest, statuses: Buffer | undefined): StatusLines {
  return known instanceof KnownDirectories && trustDirectories ? statusLines(known.paths(), statuses) : new Map();
}

function ignoreFilesOf(directories: Directories): BytePath[] {
  const files: BytePath[] = [];
  for (const [directory, memory] of directories) {
    if (hasName(memory.files, IGNORE_FILE) || hasName(memory.ignoredFiles, IGNORE_FILE))
      files.push(join(directory, IGNORE_FILE));
  }
  return files;
}

function hasName(joined: string, name: string): boolean {
  return joined.includes(name) && splitNames(joined).includes(name);
}

/** Tells whether a `.gitignore` came or went; a directory that is the same object has the ones that it had. */
function ignoreFilesMoved(before: Directories, after: Directories): boolean {
  const has = (memory: DirectoryMemory | undefined): boolean =>
    memory !== undefined && (hasName(memory.files, IGNORE_FILE) || hasName(memory.ignoredFiles, IGNORE_FILE));
  for (const [path, memory] of after) {
    const known = before.get(path);
    if (known !== memory && has(known) !== has(memory)) return true;
  }
  for (const [path, known] of before) if (!after.has(path) && has(known)) return true;
  return false;
}

/** Directories that are known and may have other names than they had. */
interface Changed {
  readonly paths: readonly BytePath[];
  readonly lines: StatusLines;
}

async function walk(
  request: ListingRequest,
  looking: Looking,
  from: readonly BytePath[] = [''],
): Promise<Map<BytePath, DirectoryMemory>> {
  const found = new Map<BytePath, DirectoryMemory>();
  let level = from;
  while (level.length > 0) {
    request.signal?.throwIfAborted();
    for (const [path, memory] of await visitAll(level, request, looking)) found.set(path, memory);
    level = level.flatMap((path) => below(path, found.get(path)));
  }
  return found;
}

function below(path: BytePath, memory: DirectoryMemory | undefined): readonly BytePath[] {
  return splitNames(memory?.directories ?? '').map((name) => join(path, name));
}

/** Lists what changed, what is new below it, and leaves out what is gone; all else is as it is known. */
async function listAgain(request: ListingRequest, { paths, lines }: Changed): Promise<Map<BytePath, DirectoryMemory>> {
  const { known } = request;
  const found = new Map(known);
  const looking = { sameRules: true, lines };
  const gone = new Set<BytePath>();
  const come: BytePath[] = [];
  // From the highest, because what lies below a directory that is a link now is nobody's to look at.
  for (const level of byDepth(paths)) {
    const there = level.filter((path) => !isWithin(gone, path));
    const visited = await visitAll(there, request, looking);
    for (const path of there) {
      const now = visited.get(path);
      if (now === undefined && path === '') return new Map();
      if (now === undefined) gone.add(path);
      else found.set(path, now);
      const [before, after] = [below(path, known.get(path)), new Set(below(path, now))];
      for (const name of before) if (!after.has(name)) gone.add(name);
      for (const name of after) if (!known.has(name)) come.push(name);
    }
  }
  for (const [path, memory] of await walk(request, looking, come)) found.set(path, memory);
  if (gone.size > 0) for (const path of found.keys()) if (isWithin(gone, path)) found.delete(path);
  return found;
}

function byDepth(paths: readonly BytePath[]): readonly (readonly BytePath[])[] {
  const levels: BytePath[][] = [];
  for (const path of paths) (levels[path === '' ? 0 : path.split('/').length] ??= []).push(path);
  return Object.values(levels);
}

/** Tells whether a path, or a directory above it, is among others. */
function isWithin(others: ReadonlySet<BytePath>, path: BytePath): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (others.has(path.slice(0, end))) return true;
  }
  return false;
}

/** Tells whether all above a path are directories, and none a link to one. `listed` are known to be. */
export function isBelowDirectories(
  root: string,
  path: BytePath,
  listed: Pick<ReadonlyMap<BytePath, unknown>, 'has'>,
): boolean {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const parent = path.slice(0, at);
    if (listed.has(parent)) return true;
    if (!isDirectory(root, parent)) return false;
  }
  return true;
}

function isDirectory(root: string, path: BytePath): boolean {
  try {
    return lstatSync(systemPath(root, path)).isDirectory();
  } catch {
    return false;
  }
}
