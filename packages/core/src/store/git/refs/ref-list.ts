/**
 * Lists refs from git's files as `ref-files.ts` reads one of them. Only a plain answer counts: whatever is unusual in a name
 * or a file, and a repository that keeps its refs in another way, is left to git.
 */
import { lstatSync, readdirSync, readFileSync, type Dirent } from 'node:fs';
import path from 'node:path';
import type { ObjectId } from '../../../model/tree/tree.js';
import { ifThere } from '../system/if-there.js';
import { onlyId, PACKED_REFS, packedId, type RefPlace } from './ref-files.js';

export interface ListedRef {
  readonly name: string;
  readonly target: ObjectId;
}

/** Beyond so many files git is quicker than Node. */
const MOST_FILES = 64;
/** All names that Savepoint gives. */
const PLAIN_NAME = /^[0-9A-Za-z_-]+$/;
const PLAIN_PATH = /^[0-9A-Za-z_-]+(?:\/[0-9A-Za-z_-]+)*$/;

/**
 * Returns the refs below a folder such as `refs/savepoint/v1/`, by name without the folder and in the order of their
 * bytes, or undefined if that is not to be read from files.
 */
export function listRefs(place: RefPlace, folder: string): readonly ListedRef[] | undefined {
  const found = new Map<string, ObjectId>();
  try {
    // Where refs are kept otherwise, git puts a file in the place of this directory.
    if (!lstatSync(path.join(place.commonDirectory, 'refs/heads')).isDirectory()) return undefined;
    // In this order: git removes a file only when the packed refs have its line. A file outweighs the line.
    if (!addFiles(place, { folder, below: '' }, found) || !addPacked(place, folder, found)) return undefined;
  } catch {
    return undefined;
  }
  return [...found].map(([name, target]) => ({ name, target })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface RefFolder {
  readonly folder: string;
  /** Of the names: empty, or a path with its `/`. */
  readonly below: string;
}

function addFiles(place: RefPlace, { folder, below }: RefFolder, found: Map<string, ObjectId>): boolean {
  const directory = path.join(place.commonDirectory, folder, below);
  for (const entry of entriesOf(directory)) {
    // A lock of git beside the ref that it is about, and what git itself passes over.
    if (entry.name.endsWith('.lock') || entry.name.startsWith('.')) continue;
    if (!PLAIN_NAME.test(entry.name)) return false;
    if (entry.isDirectory()) {
      if (!addFiles(place, { folder, below: `${below}${entry.name}/` }, found)) return false;
      continue;
    }
    const content = entry.isFile() ? readIfThere(path.join(directory, entry.name)) : Buffer.alloc(0);
    // Gone since the directory was read: deleted, or packed, and then the line is there.
    if (content === undefined) continue;
    const id = onlyId(place, content.toString('latin1').trimEnd());
    if (id === undefined || found.size === MOST_FILES) return false;
    found.set(`${below}${entry.name}`, id);
  }
  return true;
}

function addPacked(place: RefPlace, folder: string, found: Map<string, ObjectId>): boolean {
  const refs = readIfThere(path.join(place.commonDirectory, PACKED_REFS));
  if (refs === undefined) return true;
  for (let at = refs.indexOf(` ${folder}`); at >= 0; at = refs.indexOf(` ${folder}`, at + 1)) {
    const end = refs.indexOf('\n', at);
    const name = refs.toString('latin1', at + 1 + folder.length, end);
    const id = packedId(place, refs, at);
    if (end < 0 || id === undefined || !PLAIN_PATH.test(name)) return false;
    if (!found.has(name)) found.set(name, id);
  }
  return true;
}

function entriesOf(directory: string): readonly Dirent[] {
  return ifThere(() => readdirSync(directory, { withFileTypes: true })) ?? [];
}

function readIfThere(file: string): Buffer | undefined {
  return ifThere(() => readFileSync(file));
}
