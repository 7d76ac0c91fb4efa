/** What an op works on: the ports of one opened repository. `open/` makes it. */
import type { Clock, Random } from '../../base/clock.js';
import type { ContextError } from '../../base/errors.js';
import type { AgentAdapter, LogFile } from '../../agents/adapter.js';
import type { Maintenance } from '../../model/maintenance.js';
import type { Settings } from '../../model/settings.js';
import type { LocalState } from '../../store/local-state.js';
import type { Store } from '../../store/store.js';
import type { KeyRing } from '../../trust/key-ring.js';
import type { Replacements } from '../../worktree/replace/replacement.js';
import type { Worktree } from '../../worktree/worktree.js';

/** One worktree of the repository, as its own snapshots call it. */
export interface KnownWorktree {
  /** 32 hex digits. */
  readonly id: string;
  /** Timeline of its manual captures. */
  readonly timeline: string;
  /** All its timelines, `timeline` included. */
  readonly timelines: readonly string[];
  /** Last known root, for people. */
  readonly root: string;
  /** False where its git directory is gone. */
  readonly exists: boolean;
}

/** As far as it takes to look at snapshots: nothing in it writes, and of the worktree only the place is known. */
export interface History extends Pick<
  Repository,
  | 'id'
  | 'store'
  | 'local'
  | 'self'
  | 'worktrees'
  | 'keys'
  | 'settings'
  | 'settingsProblem'
  | 'priceTable'
  | 'clock'
  | 'revision'
  | 'close'
> {
  readonly worktree: Pick<Worktree, 'root'>;
}

/** The ports of one opened repository, and who it is. */
export interface Repository {
  /** Random 128 bits of this store, 32 hex digits; empty before its first snapshot. */
  readonly id: string;
  /** Names this store among the writers of one key, 32 hex digits. */
  readonly replica: string;
  readonly store: Store;
  readonly local: LocalState;
  readonly worktree: Worktree;
  /** Writes files into another directory, which is empty or not there yet. @throws directory_unusable */
  elsewhere(directory: string): Replacements;
  /** This worktree. */
  readonly self: KnownWorktree;
  worktrees(): Promise<readonly KnownWorktree[]>;
  readonly keys: KeyRing;
  readonly agents: readonly AgentAdapter[];
  /** Opens an agent's log. @throws file_not_found */
  openLog(file: string): Promise<LogFile>;
  readonly settings: Settings;
  /** Why `settings` may be other than what the user wants: a file of them cannot be read. */
  readonly settingsProblem?: ContextError;
  /** Returns the bytes of the price table that the user's settings name. @throws prices_unreadable */
  readonly priceTable?: (file: string) => Uint8Array;
  readonly clock: Clock;
  readonly random: Random;
  /** Returns the commit of a git revision such as `HEAD` or `main~2`, or undefined if there is none. */
  readonly revision?: (name: string) => Promise<string | undefined>;
  /** Returns the same repository with all its ids, which are made now where there are none: writers call this first. */
  enrol(): Promise<Repository>;
  /** Has this worktree go on in a new timeline, unless another process has done so since its timeline was `former`. */
  beginTimeline(former: string): Promise<KnownWorktree>;
  readonly maintenance: Maintenance;
  /** Returns git's version, such as `2.39.5`. */
  gitVersion(): Promise<string>;
  /** Ends child processes. */
  close(): Promise<void>;
}
