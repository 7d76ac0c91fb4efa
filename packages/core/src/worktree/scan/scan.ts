/** What a scan is asked for and what it says: the part of the Worktree port that reads. */
import type { BytePath } from '../../base/path.js';
import type { Anchor } from '../../model/tree/anchor.js';
import type { FilesystemRecord } from '../../model/tree/filesystem.js';
import type { Totals } from '../../model/snapshot.js';
import type { StagedRecord } from '../../model/tree/staged.js';
import type { BlobSink, FolderEdit, ObjectId, ObjectSource } from '../../model/tree/tree.js';

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
  /** Another scan of this process follows at once, after an early look: what is remembered waits for it. */
  readonly followed?: boolean;
  /** What the caller has changed itself since the scan before, whose look began early. */
  readonly own?: OwnChanges;
}

export interface EarlyLookRequest {
  /** New names will have to be judged by the ignore rules. */
  readonly names: boolean;
  /** The caller's changes will be done in a moment: what the scan before saw of other files is recent enough then. */
  readonly brief: boolean;
}

/** A look at the worktree that began while its caller was still changing files. */
export interface EarlyLook {
  /** Ends it; safe to call at any time, also after the scan that was given it. */
  end(): Promise<void>;
}

export interface OwnChanges {
  readonly look: EarlyLook;
  /** Each is looked at by the scan itself, whatever the early look saw. */
  readonly paths: readonly BytePath[];
  /** Content that is known to be in the store. */
  readonly stored: readonly ObjectId[];
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
