/** Looks at single directories of the worktree: their names, by kind, with what is known of those that have not changed. */
import { readdirSync, type Dirent } from 'node:fs';
import type { BytePath } from '../../base/path.js';
import { systemPath } from '../place/file-stat.js';
import type { WorktreePlace } from '../place/place.js';
import { isReplacementFolder } from '../place/replacement-folder.js';
import { isGone, lookAtStatus, readStatus, type DirectoryStatus, type StatusLines } from './directory-status.js';
import { join, splitNames, type DirectoryMemory } from './directory.js';
import type { IgnoreRules } from './ignore-rules.js';
import { looksLikeRepository, type Typed } from './nested-repository.js';
import type { Directories } from './known-directories.js';

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
  /** Where names may have come or gone; of all other directories, what is known is true enough. Default: anywhere. */
  readonly changed?: Iterable<BytePath>;
  /** When the scan began, milliseconds. */
  readonly began: number;
  readonly signal?: AbortSignal;
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

export interface Looking {
  readonly sameRules: boolean;
  readonly lines: StatusLines;
}

/** Looks at these directories; those that are gone are not among the answers. */
export async function visitAll(
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
  const known = request.known.get(path);
  const stat = statusOf(path, known, { request, lines });
  if (stat === undefined) return undefined;
  const { permissions, key } = stat === 'unreadable' ? { permissions: 0, key: '' } : stat;
  if (request.submodules.has(path)) {
    found.set(path, closedDirectory('submodule', permissions));
    return undefined;
  }
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
  known: DirectoryMemory | undefined,
  { request: { place, began }, lines }: Pick<WalkState, 'request' | 'lines'>,
): DirectoryStatus | 'unreadable' | undefined {
  const line = lines.get(path) ?? lookAtStatus(place.root, path);
  if (line === undefined || line === 'unreadable') return line;
  // Mostly it is as it was, and need not be taken apart.
  return line !== '' && line === known?.key ? known : readStatus(line, began);
}

// Like git: what holds tracked files is no foreign repository, though somebody ran `git init` in it, moved a linked worktree
// there, or it looks bare. What makes it one is left alone all the same.
async function visitRepository({ path, permissions, types }: Suspect, state: WalkState): Promise<void> {
  const { request, sameRules, found, visits } = state;
  if (await request.holdsTracked(path)) {
    const known = sameRules ? request.known.get(path) : undefined;
    const ours = types.filter(({ name, type }) => name !== '.git' || type === 'directory');
    const settled = sortOut(ours, known);
    if (ours.length < types.length) settled.settled.special.push('.git');
    visits.push({ path, key: '', permissions, ...settled });
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
