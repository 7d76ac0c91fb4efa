/**
 * The observation oracle: everything of the user's world that Savepoint must leave alone, as a flat map, so that two
 * observations can be compared line by line. Observing changes nothing itself.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type BigIntStats,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { nulFields, runGit } from './processes/git.js';

/** What is looked at. */
export interface ObservedPlace {
  /** The worktree, or the bare repository. */
  readonly root: string;
  readonly home: string;
  /** A directory beside the workspace that nothing may touch. */
  readonly beside: string;
}

/** Names such as `worktree src/a.txt` or `ref refs/heads/main`, with what was seen there. */
export type Observation = ReadonlyMap<string, string>;

/** Looks at refs, HEAD, reflogs, index, state files, configuration, hooks, the worktree, the home and the place beside. */
export function observe(place: ObservedPlace): Observation {
  const seen = new Map<string, string>();
  observeTree(seen, { prefix: 'beside', directory: place.beside, times: true });
  observeTree(seen, { prefix: 'home', directory: place.home, times: false, skip: ownHomePath });
  const git = gitDirectories(place);
  if (git === undefined) {
    observeTree(seen, { prefix: 'worktree', directory: place.root, times: true });
    return seen;
  }
  const { common, own, bare } = git;
  observeTree(seen, { prefix: 'git', directory: common, times: false, skip: ownGitPath });
  observeRepository(seen, place, common);
  observeFile(seen, 'git objects/info/alternates', join(common, 'objects/info/alternates'));
  observeIndex(seen, place, join(own, 'index'));
  if (!bare) {
    // The repository's own directory is looked at above; what Savepoint may add to it is left out there.
    const skip = (path: string): Skipped => (path === '.git/' ? 'all' : 'nothing');
    observeTree(seen, { prefix: 'worktree', directory: place.root, times: true, skip });
  }
  return seen;
}

/** Returns one line for each thing that differs; empty when both are equal. */
export function differences(before: Observation, after: Observation): readonly string[] {
  const lines: string[] = [];
  for (const [name, value] of before) {
    const now = after.get(name);
    if (now === undefined) lines.push(`${shown(name)}: gone (was ${value})`);
    else if (now !== value) lines.push(`${shown(name)}: ${value} -> ${now}`);
  }
  for (const [name, value] of after) if (!before.has(name)) lines.push(`${shown(name)}: new (${value})`);
  return lines;
}

function shown(name: string): string {
  return JSON.stringify(Buffer.from(name, 'latin1').toString('utf8'));
}

interface GitDirectories {
  readonly common: string;
  readonly own: string;
  readonly bare: boolean;
}

const knownDirectories = new Map<string, { readonly door: string; readonly found: GitDirectories }>();

// Git is asked again where what leads to the directories has changed.
function gitDirectories(place: ObservedPlace): GitDirectories | undefined {
  const known = knownDirectories.get(place.root);
  const door = doorOf(place.root);
  if (known?.door === door && existsSync(join(known.found.own, 'HEAD')) && existsSync(known.found.common))
    return known.found;
  const found = askForDirectories(place);
  if (found !== undefined) knownDirectories.set(place.root, { door, found });
  return found;
}

/** What stands at `.git`, or at the root of a bare repository. */
function doorOf(root: string): string {
  const door = join(root, '.git');
  const stats = lstatSync(door, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'none' : entryText(Buffer.from(door), stats, false);
}

function askForDirectories({ root, home }: ObservedPlace): GitDirectories | undefined {
  const args = ['rev-parse', '--git-dir', '--git-common-dir', '--is-bare-repository'];
  const answer = runGit({ cwd: root, home, args, accept: 'any' });
  if (answer.code !== 0) return undefined;
  const [own = '', common = '', bare] = answer.stdout.toString('utf8').split('\n');
  return { own: resolve(root, own), common: resolve(root, common), bare: bare === 'true' };
}

// No lock for an opportunistic refresh of the index, no monitor that leaves its own traces.
const QUIETLY = ['--no-optional-locks', '-c', 'core.fsmonitor=false'] as const;

/** What git said of the same bytes before: to ask it eight times for each observation is most of what tests wait for. */
const said = new Map<string, Observation>();

function remembered(key: string, ask: () => Observation): Observation {
  const known = said.get(key);
  if (known !== undefined) return known;
  const answer = ask();
  if (said.size >= 64) said.clear();
  said.set(key, answer);
  return answer;
}

/** Adds what git says of HEAD, refs, stash and worktrees. `seen` holds the files of the git directory already. */
function observeRepository(seen: Map<string, string>, place: ObservedPlace, common: string): void {
  // A reftable is not among these files, and whether a linked worktree is there is not either.
  const isInFiles = !existsSync(join(common, 'reftable')) && !existsSync(join(common, 'worktrees'));
  const files = isInFiles ? [...seen].filter(([name]) => name.startsWith('git ')) : undefined;
  const answer =
    files === undefined
      ? askRepository(place)
      : remembered(`${place.root} ${digestOf(files)}`, () => askRepository(place));
  for (const [name, value] of answer) seen.set(name, value);
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

function askRepository({ root, home }: ObservedPlace): Observation {
  const seen = new Map<string, string>();
  const ask = (...args: string[]): Buffer =>
    runGit({ cwd: root, home, args: [...QUIETLY, ...args], accept: 'any' }).stdout;
  seen.set(
    'HEAD',
    ask('symbolic-ref', '-q', 'HEAD').toString() + ask('rev-parse', '-q', '--verify', 'HEAD').toString(),
  );
  const refs = ask('for-each-ref', '--format=%(refname) %(objectname) %(symref)').toString('latin1');
  for (const line of refs.split('\n')) {
    if (line !== '' && !line.startsWith('refs/savepoint/')) seen.set(`ref ${line.split(' ')[0] ?? ''}`, line);
  }
  seen.set('stash', ask('stash', 'list').toString('latin1'));
  seen.set('worktrees', ask('worktree', 'list', '--porcelain').toString('latin1'));
  return seen;
}

function observeIndex(seen: Map<string, string>, place: ObservedPlace, file: string): void {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return;
  const content = contentDigest(Buffer.from(file), stats);
  seen.set('index', `${content} ${times(stats)} inode ${String(stats.ino)}`);
  // A split index names its other half by digest, so its bytes too say all.
  for (const [name, value] of remembered(`${place.root} index ${content}`, () => askIndex(place)))
    seen.set(name, value);
}

function askIndex({ root, home }: ObservedPlace): Observation {
  const seen = new Map<string, string>();
  for (const flags of ['-v', '-f']) {
    const args = [...QUIETLY, 'ls-files', '-s', flags, '-z'];
    nulFields(runGit({ cwd: root, home, args, accept: 'any' }).stdout).forEach((entry, at) => {
      seen.set(`index${flags} ${String(at)}`, entry);
    });
  }
  return seen;
}

function observeFile(seen: Map<string, string>, name: string, file: string): void {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  if (stats !== undefined) seen.set(name, entryText(Buffer.from(file), stats, false));
}

/** `self`: the directory itself may come and go, what is in it not. */
type Skipped = 'nothing' | 'self' | 'all';

// Objects and Savepoint's own part may grow. Refs are compared by name, because a reftable is one file for all refs. Git
// itself touches `sharedindex.*` when it reads a split index, which is why times are not looked at here.
function ownGitPath(path: string): Skipped {
  return /^(?:objects|savepoint|refs\/savepoint|logs\/refs\/savepoint|reftable)\/$/.test(path) ? 'all' : 'nothing';
}

// Keys and user-wide settings, and the compiled form of the program itself.
function ownHomePath(path: string): Skipped {
  if (path === '.config/' || path === '.cache/') return 'self';
  return path === '.config/savepoint/' || path === '.cache/savepoint/' ? 'all' : 'nothing';
}

interface TreeRequest {
  readonly prefix: string;
  readonly directory: string;
  /** Also modification and change times, to the nanosecond. */
  readonly times: boolean;
  /** Says of a path what is left out; a directory's ends in `/`. */
  readonly skip?: (path: string) => Skipped;
}

function observeTree(seen: Map<string, string>, request: TreeRequest): void {
  const { prefix, directory, skip } = request;
  const visit = (absolute: Buffer, path: string): void => {
    const stats = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return;
    const name = stats.isDirectory() && path !== '' ? `${path}/` : path;
    const skipped = skip?.(name) ?? 'nothing';
    if (skipped === 'all') return;
    if (skipped === 'nothing') seen.set(`${prefix} ${name}`, entryText(absolute, stats, request.times));
    if (!stats.isDirectory()) return;
    for (const child of childrenOf(absolute)) {
      visit(Buffer.concat([absolute, Buffer.from('/'), child]), `${name}${child.toString('latin1')}`);
    }
  };
  visit(Buffer.from(directory), '');
}

function childrenOf(directory: Buffer): readonly Buffer[] {
  try {
    return readdirSync(directory, { encoding: 'buffer' }).sort((a, b) => Buffer.compare(a, b));
  } catch {
    return []; // unreadable for this user: its mode and times are observed all the same
  }
}

function entryText(path: Buffer, stats: BigIntStats, withTimes: boolean): string {
  const mode = stats.mode.toString(8);
  const owner = `${String(stats.uid)}:${String(stats.gid)}`;
  const time = withTimes ? ` ${times(stats)}` : '';
  if (stats.isSymbolicLink()) return `link ${mode} ${readlinkSync(path, 'latin1')}${time}`;
  if (stats.isFile()) return `file ${mode} ${owner} ${contentDigest(path, stats)}${time}`;
  return `${stats.isDirectory() ? 'directory' : 'special'} ${mode} ${owner}${time}`;
}

function times(stats: BigIntStats): string {
  return `mtime ${String(stats.mtimeNs)} ctime ${String(stats.ctimeNs)}`;
}

function contentDigest(path: Buffer, stats: BigIntStats): string {
  const digest = fileDigest(path);
  return digest === undefined ? `unreadable ${String(stats.size)}` : `${digest} ${String(stats.size)}`;
}

/** Returns the SHA-256 of a file, or undefined where this user may not read it. */
export function fileDigest(path: Buffer | string): string | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const hash = createHash('sha256');
    const chunk = Buffer.alloc(1 << 18);
    for (let count = readSync(file, chunk); count > 0; count = readSync(file, chunk)) {
      hash.update(chunk.subarray(0, count));
    }
    return hash.digest('hex');
  } finally {
    closeSync(file);
  }
}
