/** What a reading op looks at: the store, this worktree's timelines, and how far back the view is set. */
import type { Clock } from '../base/clock.js';
import type { ObjectId } from '../model/tree/tree.js';
import type { LocalState } from '../store/local-state.js';
import type { Store } from '../store/store.js';

/** Everything that came after this snapshot is out of sight. */
export interface Cutoff {
  readonly timeline: string;
  readonly commit: ObjectId;
  readonly createdAt: string;
}

export interface View {
  readonly store: Store;
  readonly local: LocalState;
  readonly clock: Clock;
  /** Random 128 bits of this store. */
  readonly repository: string;
  /** Timeline of this worktree's manual captures. */
  readonly manual: string;
  /** All timelines of this worktree. */
  readonly own: readonly string[];
  readonly cutoff?: Cutoff;
  /** Returns the commit of a git revision such as `HEAD` or `main~2`, or undefined if there is none. */
  readonly revision?: (name: string) => Promise<ObjectId | undefined>;
}

export const TIMELINES = 'timelines/';

export interface Head {
  readonly timeline: string;
  readonly commit: ObjectId;
}

/** Returns the newest commit of every timeline in the store. */
export async function timelineHeads(store: Store): Promise<readonly Head[]> {
  const refs = await store.refs(TIMELINES);
  return refs.map(({ name, target }) => ({ timeline: name.slice(TIMELINES.length), commit: target }));
}
