/** What is known of a bundle while it is read, and who takes it. */
import type { BundledSnapshot, BundleLimits, WithheldFile } from '../../model/bundle.js';
import type { SignatureFile, SnapshotBody, SnapshotId } from '../../model/snapshot.js';
import type { Archive } from './archive.js';

/** A snapshot of a bundle whose signature holds. */
export interface ReadSnapshot {
  readonly id: SnapshotId;
  readonly body: SnapshotBody;
  /** The exact bytes of the two files. */
  readonly bytes: Uint8Array;
  readonly signatureBytes: Uint8Array;
  readonly signature: SignatureFile;
  readonly index: BundledSnapshot;
}

export interface ReadFile {
  readonly snapshot: ReadSnapshot;
  /** Below the snapshot, such as `transcript/<session>/00/00/00.jsonl`. */
  readonly path: string;
  readonly bytes: number;
  readonly mode: '100644' | '100755';
  /** To be read to its end, which throws where the bytes do not have the digest that is named for them. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Whoever takes what is read. What it throws ends the reading. */
export interface BundleTaker {
  snapshot(snapshot: ReadSnapshot): Promise<void>;
  file(file: ReadFile): Promise<void>;
  withheld(snapshot: ReadSnapshot, file: WithheldFile): Promise<void>;
}

/** What the readers of slices work with. */
export interface Reading {
  readonly archive: Archive;
  readonly taker: BundleTaker;
  readonly limits: BundleLimits;
  readonly snapshot: ReadSnapshot;
}
