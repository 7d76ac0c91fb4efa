/** A bundle: snapshots in one file, for others. What it leaves out it names as withheld. */
import type { SnapshotId } from './snapshot.js';

export const BUNDLE_FORMAT = 'savepoint.bundle/1';

/** What of one snapshot is in a bundle. */
export interface BundledSnapshot {
  readonly id: SnapshotId;
  /** Names of the slices that are in it, whole but for `withheld`; all others are withheld. */
  readonly slices: readonly string[];
  /** Files of these slices that are not in it, such as `transcript/<session>/00/00/05.jsonl`. */
  readonly withheld: readonly string[];
  /** Files of the worktree that are in it; the rest of the worktree is withheld. */
  readonly files: readonly string[];
}

/** Content of `bundle.json`, the first file of a bundle. */
export interface BundleIndex {
  readonly format: typeof BUNDLE_FORMAT;
  /** Parents before their children. */
  readonly snapshots: readonly BundledSnapshot[];
}

/** A file of a slice that was withheld, as the manifest of its folder names it. */
export interface WithheldFile {
  /** Below the snapshot, such as `transcript/<session>/00/00/05.jsonl`. */
  readonly path: string;
  readonly digest: string;
  readonly bytes: number;
}

/** What a bundle may have at most. All of it is checked before memory or disk is spent on it. */
export interface BundleLimits {
  /** Of all files together. */
  readonly bytes: number;
  readonly fileBytes: number;
  readonly files: number;
  /** Folders in folders. */
  readonly depth: number;
  readonly indexBytes: number;
  /** Of the manifest of one folder. */
  readonly manifestBytes: number;
  /** Of one git tree that proves where a file of the worktree stands. */
  readonly treeBytes: number;
}

const MIB = 1024 * 1024;

export const BUNDLE_LIMITS: BundleLimits = {
  bytes: 4096 * MIB,
  fileBytes: 1024 * MIB,
  files: 300_000,
  depth: 16,
  indexBytes: 16 * MIB,
  manifestBytes: MIB,
  treeBytes: 16 * MIB,
};
