/** The set of files that a snapshot holds, by directory, and how it differs from the set before. */
import type { BytePath } from '../../base/path.js';
import { join, splitNames } from './directory.js';
import type { Directories } from './known-directories.js';

export interface CapturedFiles {
  has(path: BytePath): boolean;
  /** In no particular order. */
  all(): Iterable<BytePath>;
}

/** Files that the listing names, and those that are tracked although a rule ignores them. */
export function capturedFiles(directories: Directories, forced: readonly BytePath[]): CapturedFiles {
  const extra = new Set(forced);
  const byDirectory = new Map<BytePath, ReadonlySet<string>>();
  const names = (directory: BytePath): ReadonlySet<string> => {
    const known = byDirectory.get(directory);
    if (known !== undefined) return known;
    const made = new Set(splitNames(directories.get(directory)?.files ?? ''));
    byDirectory.set(directory, made);
    return made;
  };
  return {
    has: (path) => {
      const slash = path.lastIndexOf('/');
      return names(path.slice(0, Math.max(slash, 0))).has(path.slice(slash + 1)) || extra.has(path);
    },
    *all() {
      for (const [directory, { files }] of directories) {
        for (const name of splitNames(files)) yield join(directory, name);
      }
      yield* extra;
    },
  };
}

export interface FileSetDifference {
  readonly added: readonly BytePath[];
  readonly removed: readonly BytePath[];
}

/** Compares two listings; directories that are the same object are not looked into. */
export function compareListings(before: Directories, after: Directories): FileSetDifference {
  const added: BytePath[] = [];
  const removed: BytePath[] = [];
  if (before === after) return { added, removed };
  for (const [directory, now] of after) {
    const old = before.get(directory);
    if (old === now || old?.files === now.files) continue;
    collectMissing({ directory, from: now.files, in: old?.files ?? '' }, added);
    collectMissing({ directory, from: old?.files ?? '', in: now.files }, removed);
  }
  for (const [directory, old] of before) {
    if (!after.has(directory)) collectMissing({ directory, from: old.files, in: '' }, removed);
  }
  return { added, removed };
}

interface NameLists {
  readonly directory: BytePath;
  readonly from: string;
  readonly in: string;
}

function collectMissing({ directory, from, in: others }: NameLists, into: BytePath[]): void {
  const present = new Set(splitNames(others));
  for (const name of splitNames(from)) if (!present.has(name)) into.push(join(directory, name));
}
