/**
 * Keeps a new pack while no ref names what is in it: git leaves a pack alone that has a file of the same name ending in
 * `.keep` (gitrepository-layout(5)). A `git gc --prune=now` reads first which packs are kept, then the refs, and removes
 * packs at its end; one that read the refs a moment before ours moved would take the pack of a finished snapshot with it.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../../base/clock.js';
import { removeQuietly } from '../system/durable.js';

const OURS = 'savepoint\n';
/** No snapshot takes longer from its pack to its ref. */
const FORGOTTEN_MILLISECONDS = 24 * 60 * 60 * 1000;
const KEEP_FILE = /^pack-[0-9a-f]{40}(?:[0-9a-f]{24})?\.keep$/;

/** A pack that is kept until it is released. */
export interface KeptPack {
  release(): void;
}

/**
 * Keeps a pack that is not in the store yet; before it gets there. The same name in `folder`, whose own name tells which
 * process this is, lets others release it when this process dies.
 */
export function keepPack(folder: string, packs: string, pack: string): KeptPack {
  const name = pack.replace(/\.pack$/, '.keep');
  const [mark, keep] = [path.join(folder, name), path.join(packs, name)];
  try {
    writeFileSync(mark, '');
    writeFileSync(keep, OURS, { flag: 'wx' });
  } catch (error) {
    removeQuietly(mark);
    // Somebody keeps a pack with the very same objects, and may do so for longer.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return { release: () => undefined };
    throw error;
  }
  return {
    release: () => {
      removeQuietly(keep);
      removeQuietly(mark);
    },
  };
}

/** Releases the packs that a dead process kept, given the folder that it left. */
export function releaseAbandoned(folder: string, packs: string): void {
  for (const name of readdirSync(folder)) {
    const keep = path.join(packs, name);
    // Who died while writing it left an empty one; who died before seeing that somebody else keeps this very pack, a name
    // that is not ours to remove.
    if (KEEP_FILE.test(name) && [OURS, ''].includes(contentOf(keep) ?? '?')) removeQuietly(keep);
  }
}

/** Releases what a power cut left, which may have taken the folder that told whose it was. */
export function releaseForgotten(packs: string, clock: Clock): void {
  const names = existsSync(packs) ? readdirSync(packs) : [];
  for (const name of names.filter((one) => KEEP_FILE.test(one))) {
    const file = path.join(packs, name);
    try {
      const isOld = clock.now() - statSync(file).mtimeMs > FORGOTTEN_MILLISECONDS;
      if (isOld && contentOf(file) === OURS) removeQuietly(file);
    } catch {
      // It has gone, or is none of ours to read.
    }
  }
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return undefined;
  }
}
