/** `diff`: what differs between two snapshots, or a snapshot and the present worktree. */
import type { Repository } from './repository.js';

export interface DiffRequest {
  readonly repository: Repository;
  readonly from: string;
  /** Default: the present worktree. */
  readonly to?: string;
  /** Also unified patches of text files. */
  readonly patch?: boolean;
  /** Paths (files or directories) to keep, as BytePath-free text. */
  readonly paths?: readonly string[];
}

export type FileChangeKind = 'added' | 'removed' | 'modified' | 'mode' | 'type';

export interface FileChange {
  readonly path: string;
  readonly pathBytes?: string;
  readonly change: FileChangeKind;
  readonly before?: { readonly mode: string; readonly blob: string; readonly bytes: number };
  readonly after?: { readonly mode: string; readonly blob: string; readonly bytes: number };
  readonly binary: boolean;
  /** Lines, for text files. */
  readonly insertions?: number;
  readonly deletions?: number;
  /** Unified diff without the file header, with `patch`. */
  readonly patch?: string;
}

export interface DiffEnd {
  /** Snapshot id, or absent for the present worktree. */
  readonly id?: string;
  readonly shortId?: string;
  readonly createdAt: string;
  readonly anchor: { readonly commit?: string; readonly branch?: string; readonly dirty: boolean };
}

export interface DiffResult {
  readonly from: DiffEnd;
  readonly to: DiffEnd;
  readonly files: readonly FileChange[];
  /** Empty and removed directories, directory modes. */
  readonly directories: readonly {
    readonly path: string;
    readonly pathBytes?: string;
    readonly change: 'added' | 'removed' | 'mode';
  }[];
  /** Filled by later versions. */
  readonly understanding: readonly never[];
  readonly items: readonly never[];
  readonly ledger: Readonly<Record<string, never>>;
  /** Bytes of the agent's log between the two, by session. */
  readonly transcripts: readonly { readonly session: string; readonly from: number; readonly to: number }[];
  readonly totals: { readonly files: number; readonly insertions: number; readonly deletions: number };
}
export declare function diff(request: DiffRequest): Promise<DiffResult>;
