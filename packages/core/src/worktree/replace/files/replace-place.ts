/** Where a replacement takes place, and the ports it needs. */
import type { Clock, Random } from '../../../base/clock.js';
import type { Lease } from '../../../base/lease.js';
import type { ObjectFormat } from '../../../model/tree/anchor.js';
import type { Disk } from '../disk/disk.js';

export interface ReplacePlace {
  /** Absolute path of the worktree's root. */
  readonly root: string;
  /** Folder of this worktree's journal, below the git directory that all worktrees share; made when it is needed. */
  readonly journalDirectory: string;
  readonly objectFormat: ObjectFormat;
  /** Held by the process that is at work. */
  readonly lease: Lease;
  readonly clock: Clock;
  readonly random: Random;
  readonly disk: Disk;
}
