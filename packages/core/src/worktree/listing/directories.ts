/**
 * The listing of the worktree: every directory that is not ignored, with the kind of each name in it. A directory whose
 * status is as it was has the same names as it had, so only changed directories are read.
 */
import { lstatSync, readdirSync, type Dirent } from 'node:fs';
import type { BytePath } from '../../base/path.js';
import { systemPath } from '../place/file-stat.js';
import { IGNORE_FILE, ignoreFilesAmong, ruleSources, sameSources, type IgnoreRules } from './ignore-rules.js';
import { KnownDirectories, type Directories } from './known-directories.js';
import type { WorktreePlace } from '../place/place.js';
import { isReplacementFolder } from '../place/replacement-folder.js';
import {
  isGone,
  readStatus,
  statDirectory,
  statusLines,
  type DirectoryStatus,
  type StatusLines,
} from './directory-status.js';
import { join, splitNames, type DirectoryMemory } from './directory.js';
import { looksLikeRepository, type Typed } from './nested-repository.js';

export interface ListingRequest {
  readonly place: WorktreePlace;
  readonly rules: IgnoreRules;
  /** From the last scan; empty to read everything. */
  readonly known: Directories;
  /** What `readStatuses` says of them. */
  readonly statuses: Promise<Buffer | undefined>;
  readonly knownRules: ReadonlyMap<string, string>;
  readonly submodules: ReadonlySet<BytePath>;
  /** Tells whether the user's index has a file below a directory. */
  readonly holdsTracked: (directory: BytePath) => Promise<boolean>;
  /** False where the file system does not keep the modification time of directories. */
  readonly trustDirectories: boolean;
  /** When the scan began, milliseconds. */
  readonly began: number;
  readonly signal?: AbortSignal;
}

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
  const lines = linesOf(request, statuses);
  const first = await walk(request, { sameRules, lines });
  if (sameRules && !ignoreFilesMoved(request.known, first)) return { directories: first, rules };
  // A `.gitignore` came or went: what was judged before it was seen is judged again.
  const directories = sameRules ? await walk(request, { sameRules: false, lines }) : first;
  return { directories, rules: ruleSources(request.place, ignoreFilesOf(directories), request.began) };
}

/** Tells without looking at single directories whether all are as they were, where that can be told. */
async function isUnchanged(request: ListingRequest, statuses: Buffer | undefined): Promise<boolean> {
  const { known, trustDirectories } = request;
  if (!(known instanceof KnownDirectories) || !trustDirectories || statuses === undefined) return false;
  // A directory becomes a submodule by what the index says.
  const isClosed = (path: BytePath): boolean => !known.has(path) || known.get(path)?.closed === 'submodule';
  if (!known.areSame(statuses) || ![...request.submodules].every(isClosed)) return false;
  const looked = await visitAll(known.unsettled(), request, { sameRules: true, lines: new Map() });
  const same = (path: BytePath, now: DirectoryMemory): boolean => isSame(known.get(path), now);
  return looked.size === known.unsettled().length && [...looked].every(([path, now]) => same(path, now));
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

/** What a name in a directory turned out to be. */
type Kind = 'files' | 'directories' | 'ignoredFiles' | 'ignoredDirectories' | 'special';

/** A directory on the way: its status, the names that are settled, and those that git's rules are asked for. */
interface Visit {
  readonly path: BytePath;
  readonly key: string;
  readonly permissions: number;
  readonly settled: Record<Kind, BytePath[]>;
  readonly asked: readonly Typed[];
}

interface Looking {
  readonly sameRules: boolean;
  readonly lines: StatusLines;
}

async function walk(request: ListingRequest, looking: Looking): Promise<Map<BytePath, DirectoryMemory>> {
  const found = new Map<BytePath, DirectoryMemory>();
  let level: BytePath[] = [''];
  while (level.length > 0) {
    request.signal?.throwIfAborted();
    for (const [path, memory] of await visitAll(level, request, looking)) found.set(path, memory);
    level = level.flatMap((path) => splitNames(found.get(path)?.directories ?? '').map((name) => join(path, name)));
  }
  return found;
}

/** Looks at these directories; those that are gone are not among the answers. */
async function visitAll(
  paths: readonly BytePath[],
  request: ListingRequest,
  looking: Looking,
): Promise<Map<BytePath, DirectoryMemory>> {
  const found = new Map<BytePath, DirectoryMemory>();
  const visits: Visit[] = [];
  for (const path of paths) {
    const repository = visitDirectory(path, { request, ...looking, found, visits });
    // Waiting only here: nearly every directory needs none.
    if (repository !== undefined) await visitRepository(repository, { request, ...looking, found, visits });
  }
  const questions = visits.flatMap(({ path, asked }) => asked.map(({ name }) => join(path, name)));
  const answers = (await request.rules.matches(questions)).values();
  for (const { path, key, permissions, settled, asked } of visits) {
    for (const { name, type } of asked) {
      const ignored = answers.next().value === true;
      if (type === 'directory') settled[ignored ? 'ignoredDirectories' : 'directories'].push(name);
      else settled[ignored ? 'ignoredFiles' : 'files'].push(name);
    }
    found.set(path, { key, permissions, ...joinNames(settled) });
  }
  return found;
}

function noNames(): Record<Kind, BytePath[]> {
  return { files: [], directories: [], ignoredFiles: [], ignoredDirectories: [], special: [] };
}

function joinNames(names: Readonly<Record<Kind, BytePath[]>>): Record<Kind, string> {
  const { files, directories, ignoredFiles, ignoredDirectories, special } = names;
  const joined = (list: BytePath[]): string => list.sort().join('/');
  return {
    files: joined(files),
    directories: joined(directories),
    ignoredFiles: joined(ignoredFiles),
    ignoredDirectories: joined(ignoredDirectories),
    special: joined(special),
  };
}

interface WalkState extends Looking {
  readonly request: ListingRequest;
  readonly found: Map<BytePath, DirectoryMemory>;
  readonly visits: Visit[];
}

/** A directory that looks like a repository of its own. */
interface Suspect {
  readonly path: BytePath;
  readonly permissions: number;
  readonly types: readonly Typed[];
}

/** Returns the directory if it may be a repository; every other one is settled or among the visits. */
function visitDirectory(path: BytePath, { request, sameRules, lines, found, visits }: WalkState): Suspect | undefined {
  const { root } = request.place;
  const stat = statusOf(path, request, lines);
  if (stat === undefined) return undefined;
  const { permissions, key } = stat === 'unreadable' ? { permissions: 0, key: '' } : stat;
  if (request.submodules.has(path)) {
    found.set(path, closedDirectory('submodule', permissions));
    return undefined;
  }
  const known = request.known.get(path);
  const comparable = request.trustDirectories && known !== undefined && known.closed === undefined;
  const unchanged = comparable && key !== '' && known.key === key;
  if (unchanged && sameRules) {
    found.set(path, known);
    return undefined;
  }
  const types = unchanged ? typesOf(known) : stat === 'unreadable' ? stat : readTypes(root, path);
  if (types === 'unreadable') found.set(path, closedDirectory('unreadable', permissions));
  if (types === undefined || types === 'unreadable') return undefined;
  const repository = path === '' ? 'no' : looksLikeRepository(root, path, types);
  if (repository === 'yes') return { path, permissions, types };
  // A `.git` that is not a repository yet may become one without a change in this directory.
  const ownKey = repository === 'maybe' ? '' : key;
  visits.push({ path, key: ownKey, permissions, ...sortOut(types, sameRules ? known : undefined) });
  return undefined;
}

function statusOf(
  path: BytePath,
  { place, began }: ListingRequest,
  lines: StatusLines,
): DirectoryStatus | 'unreadable' | undefined {
  const line = lines.get(path);
  return line === undefined ? statDirectory(place.root, path, began) : readStatus(line, began);
}

// Like git: what holds tracked files is no foreign repository, though somebody ran `git init` in it or it looks bare.
async function visitRepository({ path, permissions, types }: Suspect, state: WalkState): Promise<void> {
  const { request, sameRules, found, visits } = state;
  if (await request.holdsTracked(path)) {
    const known = sameRules ? request.known.get(path) : undefined;
    visits.push({ path, key: '', permissions, ...sortOut(types, known) });
  } else found.set(path, closedDirectory('repository', permissions));
}

// Without a key: whether it still is one does not show in its own status.
function closedDirectory(closed: NonNullable<DirectoryMemory['closed']>, permissions: number): DirectoryMemory {
  return { key: '', permissions, ...joinNames(noNames()), closed };
}

/** Keeps what is known of names that have not changed their type; the rest is to be asked. */
function sortOut(types: readonly Typed[], known: DirectoryMemory | undefined): Pick<Visit, 'settled' | 'asked'> {
  const settled = noNames();
  const asked: Typed[] = [];
  const before = (kind: Kind): ReadonlySet<string> => new Set(splitNames(known?.[kind] ?? ''));
  const [files, directories] = [before('files'), before('directories')];
  const [ignoredFiles, ignoredDirectories] = [before('ignoredFiles'), before('ignoredDirectories')];
  for (const typed of types) {
    const { name, type } = typed;
    const [kept, ignored] = type === 'directory' ? [directories, ignoredDirectories] : [files, ignoredFiles];
    if (type === 'special') settled.special.push(name);
    else if (kept.has(name)) settled[type === 'directory' ? 'directories' : 'files'].push(name);
    else if (ignored.has(name)) settled[type === 'directory' ? 'ignoredDirectories' : 'ignoredFiles'].push(name);
    else asked.push(typed);
  }
  return { settled, asked };
}

function typesOf(known: DirectoryMemory): Typed[] {
  const typed = (joined: string, type: Typed['type']): Typed[] => splitNames(joined).map((name) => ({ name, type }));
  return [
    ...typed(known.files, 'file'),
    ...typed(known.ignoredFiles, 'file'),
    ...typed(known.directories, 'directory'),
    ...typed(known.ignoredDirectories, 'directory'),
    ...typed(known.special, 'special'),
  ];
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

function readTypes(root: string, path: BytePath): Typed[] | 'unreadable' | undefined {
  let entries: Dirent[];
  try {
    entries = readdirSync(systemPath(root, path), { withFileTypes: true, encoding: 'latin1' });
  } catch (error) {
    return isGone(error) ? undefined : 'unreadable';
  }
  const types: Typed[] = [];
  for (const entry of entries) {
    const { name } = entry;
    if (path === '' && name === '.git') continue;
    if (entry.isDirectory() && isReplacementFolder(name)) continue;
    if (entry.isDirectory()) types.push({ name, type: 'directory' });
    else types.push({ name, type: entry.isFile() || entry.isSymbolicLink() ? 'file' : 'special' });
  }
  return types;
}
