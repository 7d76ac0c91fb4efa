/** Where one worktree is, and the two ways to run git on it. */
import type { Clock } from '../../base/clock.js';
import type { Git, GitResult } from '../../base/git-command.js';
import type { ObjectFormat } from '../../model/tree/anchor.js';
import type { ObjectId } from '../../model/tree/tree.js';

/** The commit that HEAD is at and its tree; nothing on an unborn branch. */
export interface Head {
  readonly commit?: ObjectId;
  readonly tree?: ObjectId;
}

/** What git was asked before a scan began: which paths differ from the private index in a file. */
export interface ForeseenSuspects {
  readonly file: string;
  /** The status that the file had before git was asked: another file has another one. */
  readonly key: string;
  /** When it was asked, milliseconds since 1970 UTC. */
  readonly at: number;
  /** Undefined where git could not say. */
  readonly answer: Promise<GitResult | undefined>;
  /** What was asked about directories in the same process; not of many files, where git is waited for longest. */
  readonly directories?: ForeseenDirectories;
}

/** What GNU stat was asked before a scan began: the status of the directories that a file names. */
export interface ForeseenDirectories {
  /** Name of the file, which says what is in it. */
  readonly file: string;
  /** A line for each, undefined where there is no answer for all. */
  readonly answer: Promise<Buffer | undefined>;
}

export interface WorktreePlace {
  /** Absolute path of the worktree's root. */
  readonly root: string;
  /** Absolute path of this worktree's own git directory. */
  readonly gitDirectory: string;
  /** Absolute path of the git directory that all worktrees share. */
  readonly commonDirectory: string;
  readonly objectFormat: ObjectFormat;
  /** `core.excludesFile`, or git's default place for it. */
  readonly excludesFile?: string;
  /** Returns where HEAD is; `known` if it is still there. */
  readonly head: (known?: Head) => Promise<Head>;
  /** Sees the repository as the user's git does. Nothing that runs through it may read file contents. */
  readonly userGit: Git;
  /** Sees raw bytes only, through the private git directory. */
  readonly privateGit: () => Git;
  /** Folder of the private index and the scan's memory; it is the private git directory. */
  readonly memoryDirectory: string;
  /** The caller's `PATH`, for programs other than git. */
  readonly searchPath?: string;
  readonly clock: Clock;
  /** Hands out what was asked beforehand, once: for a second scan it is out of date. */
  readonly foreseen?: () => ForeseenSuspects | undefined;
}
