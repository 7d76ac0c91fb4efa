/** What of a snapshot leaves and what stays, as data: the plan is what `publish` writes and `--dry-run` lists. */
import type { BundledSnapshot, WithheldFile } from '../../model/bundle.js';
import type { ObjectId } from '../../model/tree/tree.js';
import type { Store } from '../../store/store.js';
import type { BundleItem } from '../bundle/write.js';
import type { LoadedSnapshot } from '../snapshot/load.js';
import type { Search } from './gate.js';

/** Why something stays here. */
export type WithholdReason = 'not_chosen' | 'by_name_only' | 'secret' | 'worktree_content' | 'no_place';

export interface Withheld {
  /** A slice, or a path below the snapshot. */
  readonly path: string;
  readonly reason: WithholdReason;
  /** Of a secret. */
  readonly kind?: string;
  readonly bytes?: number;
}

export interface Leaving {
  readonly path: string;
  readonly slice: string;
  readonly bytes: number;
}

/** A file of the snapshot's tree that leaves, for the ref of published snapshots. */
export interface LeavingBlob {
  readonly path: string;
  readonly mode: '100644' | '100755';
  readonly content: Uint8Array | { readonly blob: ObjectId };
}

export interface PublishPlan {
  readonly snapshot: LoadedSnapshot;
  readonly index: BundledSnapshot;
  readonly items: readonly BundleItem[];
  readonly blobs: readonly LeavingBlob[];
  readonly files: readonly Leaving[];
  readonly withheld: readonly Withheld[];
  /** Files of present slices that are withheld, as their manifests name them. */
  readonly gaps: readonly WithheldFile[];
  /** Size of the bundle. */
  readonly bytes: number;
}

export interface PublishChoice {
  readonly store: Store;
  readonly snapshot: LoadedSnapshot;
  /** Default: all but `worktree` and `index`. */
  readonly slices?: readonly string[];
  /** Paths of the worktree. */
  readonly files: readonly string[];
  readonly search?: Search;
}

/** What one kind of file adds to a plan. */
export interface PlanPart {
  readonly names: readonly string[];
  readonly items: readonly BundleItem[];
  readonly blobs: readonly LeavingBlob[];
  readonly files: readonly Leaving[];
  readonly withheld: readonly Withheld[];
}
