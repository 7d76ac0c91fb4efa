/**
 * The listing of the worktree: every directory that is not ignored, with the kind of each name in it. A directory whose
 * status is as it was has the same names as it had, so only changed directories are read.
 */
import { lstatSync, readdirSync, readFileSync, type Dirent, type Stats } from 'node:fs';
import type { BytePath } from '../base/path.js';
import { systemPath } from './file-stat.js';
import { IGNORE_FILE, ruleSources, sameSources, type IgnoreRules } from './ignore-rules.js';
import type { WorktreePlace } from './place.js';
import type { DirectoryMemory, NamedKind } from './scan-memory.js';

export interface ListingRequest {
  readonly place: WorktreePlace;
  readonly rules: IgnoreRules;
  /** From the last scan; empty to read everything. */
  readonly known: ReadonlyMap<BytePath, DirectoryMemory>;
  readonly knownRules: ReadonlyMap<string, string>;
  readonly submodules: ReadonlySet<BytePath>;
  /** False where the file system does not keep the modification time of directories. */
  readonly trustDirectories: boolean;
  /** When the scan began, milliseconds. */
  readonly began: number;
  readonly signal?: AbortSignal;
}

export interface Listing {
  readonly directories: ReadonlyMap<BytePath, DirectoryMemory>;
  readonly rules: ReadonlyMap<string, string>;
}

/** A directory's status counts from when the file system's clock has moved on; see `isRacy`. */
const FINE_TICK_MILLISECONDS = 20;
const COARSE_TICK_MILLISECONDS = 2000;

/** Lists the worktree. @throws worktree_changing through the caller where the root itself cannot be read */
export async function listWorktree(request: ListingRequest): Promise<Listing> {
  const remembered = ignoreFilesOf(request.known);
  const rules = ruleSources(request.place, remembered, request.began);
  const sameRules = request.known.size > 0 && sameSources(request.knownRules, rules);
  const first = await walk(request, sameRules);
  const present = ignoreFilesOf(first);
  if (sameRules && samePaths(remembered, present)) return { directories: first, rules };
  // A `.gitignore` came or went: what was judged before it was seen is judged again.
  const directories = sameRules ? await walk(request, false) : first;
  return { directories, rules: ruleSources(request.place, ignoreFilesOf(directories), request.began) };
}

function ignoreFilesOf(directories: ReadonlyMap<BytePath, DirectoryMemory>): BytePath[] {
  const files: BytePath[] = [];
  for (const [directory, { names }] of directories) {
    if (names.includes(`f${IGNORE_FILE}`) || names.includes(`i${IGNORE_FILE}`)) files.push(join(directory, IGNORE_FILE));
  }
  return files;
}

function samePaths(a: readonly BytePath[], b: readonly BytePath[]): boolean {
  const present = new Set(b);
  return a.length === b.length && a.every((path) => present.has(path));
}

export function join(directory: BytePath, name: BytePath): BytePath {
  return directory === '' ? name : `${directory}/${name}`;
}

/** A directory on the way: its status, and its names as far as they are known. */
interface Visit {
  readonly path: BytePath;
  readonly key: string;
  readonly permissions: number;
  /** Names by the first letter of their kind, in capitals where git's rules still have to be asked: F file, D directory. */
  readonly names: NamedKind[];
  readonly asked: BytePath[];
  /** Set where nothing changed: the very object, so that others see at once that it is the same. */
  readonly same?: DirectoryMemory;
}

async function walk(request: ListingRequest, sameRules: boolean): Promise<Map<BytePath, DirectoryMemory>> {
  const found = new Map<BytePath, DirectoryMemory>();
  let level: BytePath[] = [''];
  while (level.length > 0) {
    request.signal?.throwIfAborted();
    const visits: Visit[] = [];
    for (const path of level) visitDirectory(path, { request, sameRules, found, visits });
    const questions = visits.flatMap(({ path, asked }) => asked.map((kind) => join(path, kind.slice(1))));
    const answers = (await request.rules.matches(questions)).values();
    for (const { path, key, permissions, names, asked, same } of visits) {
      for (const kind of asked) names.push(settle(kind, answers.next().value === true));
      found.set(path, same ?? { key, permissions, names: names.sort() });
    }
    level = visits.flatMap(({ path, names }) => names.filter((kind) => kind.startsWith('d')).map((kind) => join(path, kind.slice(1))));
  }
  return found;
}

function settle(kind: NamedKind, ignored: boolean): NamedKind {
  const name = kind.slice(1);
  return kind.startsWith('F') ? `${ignored ? 'i' : 'f'}${name}` : `${ignored ? 'I' : 'd'}${name}`;
}

interface WalkState {
  readonly request: ListingRequest;
  readonly sameRules: boolean;
  readonly found: Map<BytePath, DirectoryMemory>;
  readonly visits: Visit[];
}

function visitDirectory(path: BytePath, { request, sameRules, found, visits }: WalkState): void {
  const stat = statDirectory(request.place.root, path);
  if (stat === undefined) return;
  const permissions = stat.mode & 0o7777;
  const key = directoryKey(stat, request.began);
  if (request.submodules.has(path)) {
    found.set(path, { key, permissions, names: [], closed: 'submodule' });
    return;
  }
  const known = request.known.get(path);
  const unchanged =
    request.trustDirectories && known !== undefined && known.closed !== 'submodule' && key !== '' && known.key === key;
  if (unchanged && (sameRules || known.closed !== undefined)) {
    if (known.closed === undefined) visits.push({ path, key, permissions, names: [...known.names], asked: [], same: known });
    else found.set(path, known);
    return;
  }
  const types = unchanged ? known.names.map(typeOfKind) : readTypes(request.place.root, path);
  if (types === undefined) {
    found.set(path, { key: '', permissions, names: [], closed: 'unreadable' });
    return;
  }
  const repository = path === '' ? 'no' : looksLikeRepository(request.place.root, path, types);
  if (repository === 'yes') {
    found.set(path, { key, permissions, names: [], closed: 'repository' });
    return;
  }
  // A `.git` that is not a repository yet may become one without a change in this directory.
  visits.push({ path, key: repository === 'maybe' ? '' : key, permissions, ...sortOut(types, sameRules ? known : undefined) });
}

/** Keeps the kinds that are known and have not changed their type; the rest is to be asked. */
function sortOut(types: readonly NamedKind[], known: DirectoryMemory | undefined): Pick<Visit, 'names' | 'asked'> {
  const before = new Set(known?.closed === undefined ? known?.names : []);
  const names: NamedKind[] = [];
  const asked: NamedKind[] = [];
  for (const type of types) {
    const name = type.slice(1);
    const [kept, ignored] = type.startsWith('F') ? [`f${name}`, `i${name}`] : [`d${name}`, `I${name}`];
    if (type.startsWith('s')) names.push(type);
    else if (before.has(kept)) names.push(kept);
    else if (before.has(ignored)) names.push(ignored);
    else asked.push(type);
  }
  return { names, asked };
}

function typeOfKind(kind: NamedKind): NamedKind {
  const letter = kind[0] ?? '';
  return `${'fi'.includes(letter) ? 'F' : 'dI'.includes(letter) ? 'D' : 's'}${kind.slice(1)}`;
}

function statDirectory(root: string, path: BytePath): Stats | undefined {
  try {
    const stat = lstatSync(systemPath(root, path));
    return stat.isDirectory() ? stat : undefined;
  } catch {
    return undefined;
  }
}

function directoryKey(stat: Stats, began: number): string {
  const latest = Math.max(stat.mtimeMs, stat.ctimeMs);
  const coarse = stat.mtimeMs % 1000 === 0 && stat.ctimeMs % 1000 === 0;
  if (latest + (coarse ? COARSE_TICK_MILLISECONDS : FINE_TICK_MILLISECONDS) > began) return '';
  return `${String(stat.mtimeMs)} ${String(stat.ctimeMs)} ${String(stat.ino)} ${String(stat.mode)}`;
}

function readTypes(root: string, path: BytePath): NamedKind[] | undefined {
  let entries: Dirent[];
  try {
    entries = readdirSync(systemPath(root, path), { withFileTypes: true, encoding: 'latin1' });
  } catch {
    return undefined;
  }
  const types: NamedKind[] = [];
  for (const entry of entries) {
    if (path === '' && entry.name === '.git') continue;
    if (entry.isDirectory()) types.push(`D${entry.name}`);
    else types.push(`${entry.isFile() || entry.isSymbolicLink() ? 'F' : 's'}${entry.name}`);
  }
  return types;
}

// A worktree (`.git` is a directory with a HEAD, or a file that names one) or a bare repository.
function looksLikeRepository(root: string, path: BytePath, types: readonly NamedKind[]): 'yes' | 'maybe' | 'no' {
  if (types.includes('D.git')) return exists(root, join(path, '.git/HEAD')) ? 'yes' : 'maybe';
  if (types.includes('F.git')) return namesGitDirectory(root, join(path, '.git')) ? 'yes' : 'maybe';
  return ['FHEAD', 'Dobjects', 'Drefs'].every((type) => types.includes(type)) ? 'yes' : 'no';
}

function exists(root: string, path: BytePath): boolean {
  try {
    lstatSync(systemPath(root, path));
    return true;
  } catch {
    return false;
  }
}

function namesGitDirectory(root: string, path: BytePath): boolean {
  try {
    return lstatSync(systemPath(root, path)).isFile() && readFileSync(systemPath(root, path), 'latin1').startsWith('gitdir: ');
  } catch {
    return false;
  }
}
