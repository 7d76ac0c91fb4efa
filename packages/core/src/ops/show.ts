/** `show`: the whole state behind one snapshot, one slice of it, or one file's bytes. */
import type { Repository } from './repository.js';
import type { JsonValue } from '../base/json.js';
import type { FilesystemRecord } from '../model/filesystem.js';
import type { SnapshotBody } from '../model/snapshot.js';
import type { StagedRecord } from '../model/staged.js';
import type { TranscriptSource } from '../model/transcript.js';
import type { Verdict } from '../model/verdict.js';

export interface ShowRequest {
  readonly repository: Repository;
  /** Default `head`. */
  readonly selector?: string;
  /** Also list the files of the worktree. */
  readonly files?: boolean;
}

export interface ShownFile {
  readonly path: string;
  readonly pathBytes?: string;
  /** Permission bits as four octal digits; `link` for a symlink. */
  readonly mode: string;
  readonly blob: string;
  readonly bytes?: number;
}

export interface ShowResult extends SnapshotBody {
  readonly id: string;
  readonly shortId: string;
  readonly verdict: Verdict;
  /** The commit that holds it. */
  readonly commit: string;
  readonly filesystem?: FilesystemRecord;
  readonly staged?: StagedRecord;
  readonly transcripts: readonly TranscriptSource[];
  readonly files?: readonly ShownFile[];
}
export declare function show(request: ShowRequest): Promise<ShowResult>;

export interface ShowSliceRequest {
  readonly repository: Repository;
  readonly selector?: string;
  readonly slice: string;
}
/** The slice's own JSON: of `<name>.json` its content; of a folder `{files: [{path, mode, id, bytes}]}`. */
export declare function showSlice(request: ShowSliceRequest): Promise<JsonValue>;

export interface ShowFileRequest {
  readonly repository: Repository;
  readonly selector?: string;
  /** Path in the worktree, relative to its root; or `transcript` for the log as it was stored. */
  readonly path: string;
}
/** Resolves with the file's bytes, piece by piece; rejects before the first piece if there is none. */
export declare function showFile(request: ShowFileRequest): Promise<AsyncIterable<Uint8Array>>;
