/** The private index on disk, and what `git diff-files` says against it. */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { GitResult } from '../../base/git-command.js';
import type { BytePath } from '../../base/path.js';
import type { ForeseenSuspects, WorktreePlace } from '../place/place.js';
import {
  decodePrivateIndex,
  encodePrivateIndex,
  IndexedFiles,
  patchPrivateIndex,
  type IndexedFile,
  type PrivateEntry,
} from './private-index.js';
import { indexKey, isIndexName, suspectsRun } from './suspects.js';
import { rawDifferences } from './user-index.js';

/** An answer that is older than this says too little of the present. */
const FORESEEN_MILLISECONDS = 1000;

export interface IndexFileName {
  readonly name: string;
  readonly key: string;
}

export class IndexFile {
  readonly #place: WorktreePlace;
  readonly name: IndexFileName;
  #files: IndexedFiles | undefined;
  /** When git was asked last, milliseconds since 1970 UTC. */
  asked = 0;

  constructor(place: WorktreePlace, name: IndexFileName) {
    this.#place = place;
    this.name = name;
  }

  /** True while the file is the one that was written: git takes a missing index for an empty one. */
  isPresent(): boolean {
    return indexKey(this.#file()) === this.name.key;
  }

  /**
   * Resolves with the paths that may have changed, or undefined if git cannot read the index. What was asked beforehand is
   * for one scan only: files change after it.
   */
  async changedPaths(foreseen?: ForeseenSuspects): Promise<readonly BytePath[] | undefined> {
    const file = this.#file();
    this.asked = this.#place.clock.now();
    const { code, stdout } =
      (await this.#believed(foreseen)) ??
      (await this.#place.privateGit().run(suspectsRun({ root: this.#place.root, file })));
    return code === 0 ? [...rawDifferences(stdout).keys()] : undefined;
  }

  /** Takes what was asked beforehand. Who wrote the index since, or waited long for a lock, has to ask again. */
  takeForeseen(): ForeseenSuspects | undefined {
    const { foreseen, clock } = this.#place;
    const known = foreseen?.();
    if (known?.file !== this.#file() || known.key !== this.name.key) return undefined;
    return Math.abs(clock.now() - known.at) > FORESEEN_MILLISECONDS ? undefined : known;
  }

  async #believed(foreseen: ForeseenSuspects | undefined): Promise<GitResult | undefined> {
    const answer = await foreseen?.answer;
    if (foreseen !== undefined) this.asked = foreseen.at;
    return answer?.code === 0 ? answer : undefined;
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
  return isIndexName(name) && name !== kept;
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
  return { name, key: indexKey(file) };
}
