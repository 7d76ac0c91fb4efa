/** A worktree on a real disk with its replacements, and content for them. */
import { accessSync, constants, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock, systemRandom } from '../../../src/base/clock.js';
import type { Lease } from '../../../src/base/lease.js';
import type { TreeChange } from '../../../src/model/tree/tree-change.js';
import { realDisk, type Disk } from '../../../src/worktree/replace/disk/disk.js';
import { fileReplacements } from '../../../src/worktree/replace/files/file-replacements.js';
import type {
  ContentSource,
  ReplaceRequest,
  Replacement,
  Replacements,
} from '../../../src/worktree/replace/replacement.js';
import { blobId, makeTree, textsOf, USUAL, type Tree } from './trees.js';

export interface Bench {
  readonly folder: string;
  readonly root: string;
  readonly journals: string;
  readonly lease: Lease;
  /** The replacements as a process on this disk has them. */
  on(disk?: Disk): Replacements;
}

const IN_MEMORY = '/dev/shm';

/** Syncing costs nothing in memory, which matters where the same is done a thousand times. */
export function quickFolder(): string {
  return mkdtempSync(path.join(mayWriteTo(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'savepoint-replace-'));
}

function mayWriteTo(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function slowFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'savepoint-replace-'));
}

export function bench(tree: Tree = new Map(), folder = slowFolder()): Bench {
  const root = path.join(folder, 'root');
  const journals = path.join(folder, 'git', 'restores');
  mkdirSync(root);
  mkdirSync(path.join(folder, 'git'));
  makeTree(root, tree);
  const lease = memoryLease();
  const place = { root, journalDirectory: journals, objectFormat: 'sha1' as const, lease };
  return {
    folder,
    root,
    journals,
    lease,
    on: (disk = realDisk) => fileReplacements({ ...place, clock: systemClock, random: systemRandom, disk }),
  };
}

/** Held by nobody in particular; a process that dies lets go. */
export function memoryLease(): Lease {
  let held = false;
  return {
    take: () => {
      if (held) return 'process 1 on here';
      held = true;
      return undefined;
    },
    holder: () => (held ? 'process 1 on here' : undefined),
    release: () => {
      held = false;
    },
  };
}

/** Content in memory, handed out in small pieces. */
export function contentOf(...trees: Tree[]): ContentSource {
  const texts = new Map(textsOf(...trees).map((text) => [blobId(text), Buffer.from(text, 'latin1')]));
  return {
    info: (ids) =>
      Promise.resolve(
        ids.map((id) => {
          const found = texts.get(id);
          return found === undefined ? undefined : { type: 'blob', size: found.length };
        }),
      ),

    async *stream(id) {
      const found = texts.get(id) ?? Buffer.alloc(0);
      for (let at = 0; at < found.length; at += 7) yield found.subarray(at, at + 7);
    },
  };
}

export function requestOf(changes: readonly TreeChange[], content: ContentSource): ReplaceRequest {
  return { changes, content, directoryPermissions: USUAL, note: { why: 'test' }, conflicts: 'skip' };
}

/** Makes the changes from beginning to end. */
export async function replaceAll(replacements: Replacements, request: ReplaceRequest): Promise<Replacement> {
  const replacement = await replacements.prepare(request);
  await replacement.apply();
  await replacement.close();
  return replacement;
}
