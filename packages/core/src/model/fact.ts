/** Signed events about finished snapshots and keys, kept under `refs/savepoint/v1/facts/`. */
import type { Signer, SnapshotId, Witness } from './snapshot.js';

export const FACT_FORMAT = 'savepoint.fact/1';

export type FactContent =
  | { readonly kind: 'pin' | 'unpin'; readonly snapshot: SnapshotId; readonly name?: string; readonly reason?: string }
  | { readonly kind: 'name'; readonly snapshot: SnapshotId; readonly name: string }
  | {
      readonly kind: 'link';
      readonly commit: string;
      readonly tree?: string;
      readonly patchId?: string;
      readonly id: SnapshotId;
      readonly how: string;
    }
  | { readonly kind: 'trust'; readonly key: Signer; readonly name: string }
  /** `key` takes over from the signer of the fact. */
  | { readonly kind: 'rotate'; readonly key: Signer }
  /** What `key` signed is revoked, except what `lastGood` reaches. */
  | {
      readonly kind: 'revoke';
      readonly key: Signer;
      readonly lastGood: readonly SnapshotId[];
      readonly reason?: string;
    }
  | { readonly kind: 'tombstone'; readonly snapshots: readonly SnapshotId[]; readonly reason: string };

export interface FactBody {
  readonly format: typeof FACT_FORMAT;
  readonly repository: string;
  readonly replica: string;
  /** 1 for the first of its signer and replica. */
  readonly sequence: number;
  /** Id of the fact before it, absent for the first. */
  readonly previous?: string;
  readonly at: string;
  readonly signer: Signer;
  readonly content: FactContent;
  /** Heads at the time: each fact is a witness of the timelines. */
  readonly seen: readonly Witness[];
}
