/** Asks the disks whether all new content fits, before any of it is written. */
import { contextError } from '../../../base/errors.js';
import type { BytePath } from '../../../base/path.js';
import type { Disk } from '../disk/disk.js';
import type { Folders } from '../disk/folders.js';
import type { Work } from '../moves/survey.js';

/** What a file takes beyond its bytes: rounding up to blocks, its inode, its name. */
const OVERHEAD_BYTES = 8192n;

export interface SpacePlace {
  readonly disk: Disk;
  readonly folders: Folders;
  readonly root: string;
}

/** @throws worktree_full */
export function checkSpace({ disk, folders, root }: SpacePlace, works: readonly Work[]): void {
  const byHome = new Map<BytePath, bigint>();
  for (const { item } of works) {
    const bytes = (item.after.kind === 'file' ? BigInt(item.after.size) : 0n) + OVERHEAD_BYTES;
    byHome.set(item.home, (byHome.get(item.home) ?? 0n) + bytes);
  }
  const needs = new Map<bigint, { home: BytePath; bytes: bigint }>();
  for (const [home, bytes] of byHome) {
    const folder = folders.find(home);
    if (folder === undefined) continue;
    const { dev } = disk.status(folder.descriptor);
    needs.set(dev, { home, bytes: (needs.get(dev)?.bytes ?? 0n) + bytes });
  }
  for (const { home, bytes } of needs.values()) {
    const folder = folders.find(home);
    if (folder === undefined || disk.freeBytes(folder.at('.')) >= bytes) continue;
    throw contextError('worktree_full', { directory: root, needed: Number(bytes) });
  }
}
