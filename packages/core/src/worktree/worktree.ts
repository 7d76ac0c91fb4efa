/** The Worktree port: the user's files, read exactly and without changing anything. */
import type { BytePath } from '../base/path.js';
import type { Anchor } from '../model/anchor.js';
import type { FilesystemRecord } from '../model/filesystem.js';
import type { StagedRecord } from '../model/staged.js';
import type { Totals } from '../model/snapshot.js';
import type { BlobSink, FolderEdit, ObjectId, ObjectSource } from '../model/tree.js';
import type { CheckOutRequest } from './check-out.js';
import type { SeenPath } from './look.js';
import type { Replacements } from './replace/replacement.js';

export interface ScanProgress {
  /** `listing` is told once, at the beginning of a scan that starts from nothing. */
  readonly phase: 'listing' | 'reading';
  /** Files read so far, of how many. */
  readonly files: number;
  readonly total: number;
}

export interface ScanRequest {
  /** Where new content goes. */
  readonly sink: BlobSink;
  /** Answers which content is in the store already. */
  readonly objects: ObjectSource;
  readonly maxFileBytes: number;
  readonly maxNewBytes: number;
  readonly directoryCache: boolean;
  /** From so many remembered directories on, GNU stat looks at them where there is one; default: where it pays. */
  readonly manyDirectories?: number;
  /** Ignore all that earlier scans remembered. */
  readonly fresh?: boolean;
  /** The id of the caller's own open replacement, which has been applied: every other one refuses the scan. */
  readonly replacement?: string;
  readonly progress?: (progress: ScanProgress) => void;
  /** Called when what the scan waits for is under way: the moment to start what else takes time to start. */
  readonly begun?: () => void;
  readonly signal?: AbortSignal;
}

export interface Scan {
  /** Folder `worktree/`. */
  readonly files: FolderEdit;
  /** Folder `index/` and `index.json`; absent where the staged state is HEAD's tree. */
  readonly staged?: { readonly record: Omit<StagedRecord, 'tree'>; readonly folder: FolderEdit };
  readonly filesystem: FilesystemRecord;
  /** Blobs that nothing else in the snapshot reaches, and their bytes where they are new; `content/` links them. */
  readonly content: ReadonlyMap<ObjectId, Uint8Array | undefined>;
  readonly anchor: Anchor;
  readonly totals: Totals;
  /** Keeps what was learned for the next scan. Call it only when a snapshot with this worktree tree is durable. */
  remember(worktreeTree: ObjectId | undefined): Promise<void>;
}

export interface Worktree {
  /** Absolute path of the root. */
  readonly root: string;
  /** Changes the files. */
  readonly replacements: Replacements;
  /** @throws restore_running, restore_interrupted while a replacement is open: then the files are neither old nor new. */
  scan(request: ScanRequest): Promise<Scan>;
  /** Returns what stands at single paths, which a scan may have left out; nothing for a path where nothing is. */
  look(paths: readonly BytePath[]): Promise<ReadonlyMap<BytePath, SeenPath>>;
  /** Returns the operation of git that is in the middle of its work, such as `merge`. */
  gitOperation(): string | undefined;
  /** Makes the index say what a snapshot says. @throws index_locked */
  restoreIndex(staged: StagedRecord): Promise<void>;
  /** Checks a commit out, on the branch where that still is at the commit. @throws worktree_dirty */
  checkOut(request: CheckOutRequest): Promise<{ readonly branch?: string }>;
}
