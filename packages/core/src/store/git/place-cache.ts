/**
 * Remembers where a repository is, so that a capture need not start git twice to learn what it knew a moment ago. What
 * is remembered counts only while every file that the answer came from is as it was, and not for long.
 */
import { lstatSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';
import { text, utf8 } from '../../base/bytes.js';
import type { LocalState } from '../local-state.js';
import type { FoundRepository } from './discover.js';

export interface CachePlace {
  readonly home: string;
  readonly configHome: string;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

interface Remembered {
  readonly found: Omit<FoundRepository, 'config'> & { readonly config: readonly (readonly [string, string])[] };
  readonly sources: readonly (readonly [string, string])[];
  readonly at: number;
}

const FILE = 'cache/place.json';
/** git may read a configuration file of the system that is not among the sources. */
const LIFE_MILLISECONDS = 10 * 60 * 1000;
/** A file that was written this shortly before may change again without its status showing it. */
const RACY_MILLISECONDS = 2000;

/** Returns what was remembered of the repository around a directory, or undefined where git has to be asked. */
export function recallRepository(directory: string, place: CachePlace): FoundRepository | undefined {
  try {
    const near = findGitDirectory(realpathSync.native(directory));
    if (near === undefined) return undefined;
    const file = path.join(near.commonDirectory, 'savepoint', `${FILE}-${nameOf(near.gitDirectory)}`);
    const { found, sources, at } = JSON.parse(text(readFileSync(file))) as Remembered;
    const same =
      found.root === near.root &&
      found.gitDirectory === near.gitDirectory &&
      found.commonDirectory === near.commonDirectory;
    const isRecent = at <= place.now && place.now - at < LIFE_MILLISECONDS;
    const now = sourcesOf(found, place);
    const unchanged =
      sources.length === now.length &&
      sources.every(([name, key], index) => now[index]?.[0] === name && now[index][1] === key);
    return same && isRecent && unchanged ? { ...found, config: new Map(found.config) } : undefined;
  } catch {
    return undefined;
  }
}

/** Remembers what git said, unless it cannot be told when that changes. */
export async function rememberRepository(local: LocalState, found: FoundRepository, place: CachePlace): Promise<void> {
  const near = findGitDirectory(found.root);
  if (near?.gitDirectory !== found.gitDirectory || near.commonDirectory !== found.commonDirectory) return;
  const sources = sourcesOf(found, place);
  const racy = sources.some(([name]) => {
    const stat = statusOf(name);
    return (
      stat?.isFile() === true &&
      (place.now - stat.mtimeMs < RACY_MILLISECONDS || /include/i.test(readFileSync(name, 'latin1')))
    );
  });
  if (racy) return;
  const remembered: Remembered = { found: { ...found, config: [...found.config] }, sources, at: place.now };
  await local.write(`${FILE}-${nameOf(found.gitDirectory)}`, utf8(JSON.stringify(remembered)), { cache: true });
}

// Worktrees share the folder; the last part of their git directory's path is their name.
function nameOf(gitDirectory: string): string {
  return path.basename(gitDirectory).replace(/[^A-Za-z0-9_-]/g, '_');
}

interface Near {
  readonly root: string;
  readonly gitDirectory: string;
  readonly commonDirectory: string;
}

function findGitDirectory(directory: string): Near | undefined {
  for (let root = directory; ; root = path.dirname(root)) {
    const entry = path.join(root, '.git');
    const stat = lstatSync(entry, { throwIfNoEntry: false });
    // Where a link leads, git says.
    if (stat?.isSymbolicLink() === true) return undefined;
    if (stat !== undefined) {
      const gitDirectory = stat.isDirectory() ? entry : path.resolve(root, pointer(entry, 'gitdir: '));
      // From within a git directory git finds no worktree.
      if (`${directory}/`.startsWith(`${gitDirectory}/`)) return undefined;
      const common = path.join(gitDirectory, 'commondir');
      const hasCommon = lstatSync(common, { throwIfNoEntry: false }) !== undefined;
      return {
        root,
        gitDirectory,
        commonDirectory: hasCommon ? path.resolve(gitDirectory, pointer(common, '')) : gitDirectory,
      };
    }
    if (path.dirname(root) === root) return undefined;
  }
}

function pointer(file: string, start: string): string {
  const content = readFileSync(file, 'utf8').replace(/\n+$/, '');
  // Anything else is for git to judge.
  return content.startsWith(start) ? content.slice(start.length) : '/dev/null';
}

/** Files that the answer came from, with their status; of the git directory only what does not change with its use. */
function sourcesOf(
  { root, gitDirectory, commonDirectory }: Pick<FoundRepository, 'root' | 'gitDirectory' | 'commonDirectory'>,
  { home, configHome }: CachePlace,
): [string, string][] {
  const files = [
    path.join(commonDirectory, 'config'),
    path.join(gitDirectory, 'config.worktree'),
    path.join(home, '.gitconfig'),
    path.join(configHome, 'git', 'config'),
    '/etc/gitconfig',
  ];
  // A number may have no name: in a container the user often is in no list. git asks who it is as well.
  const asker = String(process.geteuid?.() ?? '');
  const directories = [root, gitDirectory].map((name): [string, string] => {
    const { ino, uid } = statSync(name);
    return [name, `${String(ino)} ${String(uid)} ${asker}`];
  });
  return [...directories, ...files.map((name): [string, string] => [name, fileKey(name)])];
}

function fileKey(name: string): string {
  const stat = statusOf(name);
  return stat === undefined ? 'none' : [stat.mtimeMs, stat.ctimeMs, stat.size, stat.ino].join(' ');
}

// What cannot be reached, such as below a file that is no folder, git cannot read either.
function statusOf(name: string): Stats | undefined {
  try {
    return statSync(name, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
