/** HEAD, branch and dirty state of the user's repository, without running a filter or refreshing the user's index. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BytePath } from '../../base/path.js';
import type { ObjectId } from '../../model/tree/tree.js';
import type { CapturedFiles } from '../listing/captured-files.js';
import type { WorktreePlace } from '../place/place.js';
import type { Dirt } from './scan-memory.js';
import { parseIndexEntries, rawDifferences, type IndexEntry } from '../index/user-index.js';

/** Resolves with the short name of the branch that HEAD is on, or undefined with a detached HEAD. */
export async function readBranch(place: WorktreePlace): Promise<string | undefined> {
  const head = readFileSync(path.join(place.gitDirectory, 'HEAD'), 'utf8').trimEnd();
  if (!head.startsWith('ref: ')) return undefined;
  // A reftable repository has a placeholder in the file.
  const ref = head === 'ref: refs/heads/.invalid' ? await symbolicHead(place) : head.slice(5);
  return ref?.replace(/^refs\/heads\//, '');
}

async function symbolicHead(place: WorktreePlace): Promise<string | undefined> {
  const { code, stdout } = await place.userGit.run({ args: ['symbolic-ref', '-q', 'HEAD'], accept: [1] });
  return code === 0 ? stdout.toString('utf8').trimEnd() : undefined;
}

/** What the dirty check may ask of a scan. */
export interface ScannedFiles {
  readonly files: CapturedFiles;
  content(path: BytePath): { readonly blob: ObjectId; readonly mode: string } | undefined;
}

/** Tells whether what showed dirt before still does. `clean` holds only while nothing changed at all. */
export function stillHolds(dirt: Dirt, scanned: ScannedFiles, changed: boolean): boolean {
  switch (dirt.kind) {
    case 'clean':
      return !changed;
    case 'modified': {
      const now = scanned.content(dirt.path);
      return now === undefined || now.blob !== dirt.blob || now.mode !== dirt.mode;
    }
    default:
      return scanned.files.has(dirt.path) === (dirt.kind === 'untracked');
  }
}

/** Tells whether one path shows dirt, asking git for this entry alone: after a clean state one change mostly settles it. */
export async function findDirtAt(
  place: WorktreePlace,
  file: BytePath,
  scanned: ScannedFiles,
): Promise<Dirt | undefined> {
  // Only what is the same as text and as bytes can be an argument.
  if (!/^[\x21-\x7e]+$/.test(file)) return undefined;
  const args = ['--literal-pathspecs', 'ls-files', '-s', '-v', '-z', '--full-name', '--', file];
  const [entry, ...others] = parseIndexEntries((await place.userGit.run({ args })).stdout);
  const now = scanned.content(file);
  if (now === undefined || others.length > 0 || !scanned.files.has(file)) return undefined;
  if (entry === undefined) return { kind: 'untracked', path: file };
  // Flags that hide an entry from git hide its dirt too.
  if (entry.path !== file || entry.tag !== 'H' || entry.mode === '160000') return undefined;
  const differs = now.blob !== entry.blob || now.mode !== entry.mode;
  return differs ? { kind: 'modified', path: file, blob: entry.blob, mode: entry.mode } : undefined;
}

/** Finds one path in which the worktree differs from the user's index, or says `clean`. */
export async function findDirt(
  place: WorktreePlace,
  entries: readonly IndexEntry[],
  scanned: ScannedFiles,
): Promise<Dirt> {
  const tracked = new Map<BytePath, IndexEntry>();
  for (const entry of entries) tracked.set(entry.path, entry);
  for (const file of scanned.files.all()) if (!tracked.has(file)) return { kind: 'untracked', path: file };
  for (const { path: file, mode, tag } of entries) {
    const expected = mode !== '160000' && tag.toLowerCase() !== 's';
    if (expected && !scanned.files.has(file)) return { kind: 'deleted', path: file };
  }
  for (const file of await statDirty(place, tracked)) {
    const [entry, now] = [tracked.get(file), scanned.content(file)];
    if (entry === undefined || now === undefined || entry.mode === '160000') continue;
    if (now.blob !== entry.blob || now.mode !== entry.mode)
      return { kind: 'modified', path: file, blob: entry.blob, mode: entry.mode };
  }
  return { kind: 'clean' };
}

// Through the private git directory, where no attribute holds: so git compares raw bytes where it compares at all.
async function statDirty(
  place: WorktreePlace,
  tracked: ReadonlyMap<BytePath, IndexEntry>,
): Promise<Iterable<BytePath>> {
  const git = place.privateGit();
  const env = { GIT_INDEX_FILE: path.join(place.gitDirectory, 'index'), GIT_WORK_TREE: place.root };
  const args = ['diff-files', '--raw', '-z', '--no-renames', '--ignore-submodules=all'];
  const { code, stdout } = await git.run({ args, env, accept: [128] });
  // A split index has a part that git does not find from there: then every path is compared.
  return code === 0 ? rawDifferences(stdout).keys() : tracked.keys();
}
