/** The set of files that a snapshot holds, by directory, and how it differs from the set before. */
import type { BytePath } from '../base/path.js';
import { join } from './directories.js';
import type { DirectoryMemory } from './scan-memory.js';

type Directories = ReadonlyMap<BytePath, DirectoryMemory>;

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
    const made = new Set(directories.get(directory)?.names);
    byDirectory.set(directory, made);
    return made;
  };
  return {
    has: (path) => {
      const slash = path.lastIndexOf('/');
      return names(path.slice(0, Math.max(slash, 0))).has(`f${path.slice(slash + 1)}`) || extra.has(path);
    },
    *all() {
      for (const [directory, { names: kinds }] of directories) {
        for (const kind of kinds) if (kind.startsWith('f')) yield join(directory, kind.slice(1));
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
  for (const [directory, now] of after) {
    const old = before.get(directory);
    if (old === now) continue;
    collectMissing({ directory, from: now.names, in: old?.names ?? [] }, added);
    collectMissing({ directory, from: old?.names ?? [], in: now.names }, removed);
  }
  for (const [directory, old] of before) {
    if (!after.has(directory)) collectMissing({ directory, from: old.names, in: [] }, removed);
  }
  return { added, removed };
}

interface NameLists {
  readonly directory: BytePath;
  readonly from: readonly string[];
  readonly in: readonly string[];
}

function collectMissing({ directory, from, in: others }: NameLists, into: BytePath[]): void {
  const present = new Set(others);
  for (const kind of from) if (kind.startsWith('f') && !present.has(kind)) into.push(join(directory, kind.slice(1)));
}
