/** The private index on disk, and what `git diff-files` says against it. */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { BytePath } from '../../base/path.js';
import type { WorktreePlace } from '../place/place.js';
import {
  decodePrivateIndex,
  encodePrivateIndex,
  IndexedFiles,
  patchPrivateIndex,
  type IndexedFile,
  type PrivateEntry,
} from './private-index.js';
import { rawDifferences } from './user-index.js';

export interface IndexFileName {
  readonly name: string;
  readonly key: string;
}

export class IndexFile {
  readonly #place: WorktreePlace;
  readonly name: IndexFileName;
  #files: IndexedFiles | undefined;

  constructor(place: WorktreePlace, name: IndexFileName) {
    this.#place = place;
    this.name = name;
  }

  /** True while the file is the one that was written: git takes a missing index for an empty one. */
  isPresent(): boolean {
    return fileKey(this.#file()) === this.name.key;
  }

  /** Resolves with the paths that may have changed, or undefined if git cannot read the index. */
  async changedPaths(): Promise<readonly BytePath[] | undefined> {
    const git = this.#place.privateGit();
    const env = { GIT_INDEX_FILE: this.#file(), GIT_WORK_TREE: this.#place.root };
    const args = ['diff-files', '--raw', '-z', '--no-renames', '--ignore-submodules=all'];
    const { code, stdout } = await git.run({ args, env, accept: [1, 128] });
    return code === 0 ? [...rawDifferences(stdout).keys()] : undefined;
  }

  find(file: BytePath): IndexedFile | undefined {
    this.#files ??= new IndexedFiles(this.#place.objectFormat, readFileSync(this.#file()));
    return this.#files.find(file);
  }

  /** Writes a successor in which some paths have another entry, or none; of the others those stay that `keep` wants. */
  patch(changed: Iterable<BytePath>, want: IndexPatch): IndexFileName | undefined {
    const old = decodePrivateIndex(this.#place.objectFormat, readFileSync(this.#file()));
    if (old === undefined) return undefined;
    for (const file of old.keys()) if (!want.keep(file)) old.delete(file);
    const changes = new Map([...changed].map((file) => [file, want.entry(file)]));
    return writeIndex(this.#place, patchPrivateIndex(this.#place.objectFormat, old, changes), nextName(this.name.name));
  }

  #file(): string {
    return path.join(this.#place.memoryDirectory, this.name.name);
  }
}

export interface IndexPatch {
  entry(file: BytePath): PrivateEntry | undefined;
  keep(file: BytePath): boolean;
}

/** Tells whether a file of this name is a private index other than the one that is kept. */
export function isOtherIndex(name: string, kept: string): boolean {
  return /^index-\d+$/.test(name) && name !== kept;
}

/** Writes the private index of a whole worktree. */
export function writeNewIndex(
  place: WorktreePlace,
  paths: readonly BytePath[],
  entry: IndexPatch['entry'],
): IndexFileName {
  return writeIndex(place, encodePrivateIndex(place.objectFormat, paths, entry), nextName(undefined));
}

function nextName(before: string | undefined): string {
  return `index-${String(before === undefined ? 0 : (Number(before.slice('index-'.length)) + 1) % 1_000_000)}`;
}

// Synced, because a torn index that git still accepts would hide files from the next scan.
function writeIndex(place: WorktreePlace, bytes: Buffer, name: string): IndexFileName {
  const file = path.join(place.memoryDirectory, name);
  // Nothing has made the folder yet where nothing was written and git was not needed.
  mkdirSync(place.memoryDirectory, { recursive: true });
  rmSync(file, { force: true });
  const descriptor = openSync(file, 'wx');
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return { name, key: fileKey(file) };
}

function fileKey(file: string): string {
  try {
    const { size, ino, mtimeMs } = statSync(file);
    return `${String(size)} ${String(ino)} ${String(mtimeMs)}`;
  } catch {
    return 'none';
  }
}
