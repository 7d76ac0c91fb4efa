/** What an op works on: the ports of one opened repository. `open/` makes it. */
import type { Clock, Random } from '../base/clock.js';
import type { AgentAdapter } from '../agents/adapter.js';
import type { Settings } from '../model/settings.js';
import type { LocalState } from '../store/local-state.js';
import type { Store } from '../store/store.js';
import type { KeyRing } from '../trust/key-ring.js';
import type { Worktree } from '../worktree/worktree.js';

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

export interface Repository {
  /** Random 128 bits of this store, 32 hex digits. */
  readonly id: string;
  /** Names this store among the writers of one key, 32 hex digits. */
  readonly replica: string;
  readonly store: Store;
  readonly local: LocalState;
  readonly worktree: Worktree;
  /** This worktree. */
  readonly self: KnownWorktree;
  worktrees(): Promise<readonly KnownWorktree[]>;
  readonly keys: KeyRing;
  readonly agents: readonly AgentAdapter[];
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: Random;
  /** Ends child processes. */
  close(): Promise<void>;
}
