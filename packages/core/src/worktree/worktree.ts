/** The Worktree port: the user's files, read exactly and without changing anything. */
import type { BytePath } from '../base/path.js';
import type { StagedRecord } from '../model/tree/staged.js';
import type { CheckOutRequest } from './check-out.js';
import type { SeenPath } from './look.js';
import type { Replacements } from './replace/replacement.js';
import type { EarlyLook, EarlyLookRequest, Scan, ScanRequest } from './scan/scan.js';

export type { EarlyLook, OwnChanges, Scan, ScanProgress, ScanRequest } from './scan/scan.js';

export interface Worktree {
  /** Absolute path of the root. */
  readonly root: string;
  /** Changes the files. */
  readonly replacements: Replacements;
  /** @throws restore_running, restore_interrupted while a replacement is open: then the files are neither old nor new. */
  scan(request: ScanRequest): Promise<Scan>;
  /**
   * Begins to look for what others change, for the scan after the caller's own changes. What they change later in files
   * that were looked at already is found by the scan after that, as in any scan.
   * Undefined where no scan with `followed` came before.
   */
  lookEarly(request: EarlyLookRequest): EarlyLook | undefined;
  /** Returns what stands at single paths, which a scan may have left out; nothing for a path where nothing is. */
  look(paths: readonly BytePath[]): Promise<ReadonlyMap<BytePath, SeenPath>>;
  /** Returns the names in those of the paths that are directories and not behind a link. */
  list(paths: readonly BytePath[]): Promise<ReadonlyMap<BytePath, readonly BytePath[]>>;
  /** Returns the operation of git that is in the middle of its work, such as `merge`. */
  gitOperation(): string | undefined;
  /** Makes the index say what a snapshot says. @throws index_locked */
  restoreIndex(staged: StagedRecord): Promise<void>;
  /** Checks a commit out, on the branch where that still is at the commit. @throws worktree_dirty */
  checkOut(request: CheckOutRequest): Promise<{ readonly branch?: string }>;
  /** Ends what a scan with `followed` left running, where none followed it. */
  close(): Promise<void>;
}
