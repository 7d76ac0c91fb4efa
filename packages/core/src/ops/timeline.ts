/** `timeline`: snapshots across timelines, with what is needed to draw the graph. */
import type { Repository } from './repository.js';
import type { SnapshotSummary } from './list.js';

export interface TimelineRequest {
  readonly repository: Repository;
  readonly all?: boolean;
  readonly limit?: number;
  readonly at?: string;
}
export interface TimelineResult {
  /** Newest first; an entry's `parents` and `origin.from` are the edges. */
  readonly snapshots: readonly SnapshotSummary[];
  readonly timelines: readonly { readonly id: string; readonly label: string; readonly head: string }[];
  readonly more: boolean;
}
export declare function timeline(request: TimelineRequest): Promise<TimelineResult>;
