/** Answers what the planner asks: what snapshots, sessions, the disk and git know of single paths. */
import { formatTime, parseTime } from '../../base/clock.js';
import type { BytePath } from '../../base/path.js';
import type { FileState } from '../../model/tree/tree-change.js';
import type { ObjectId, ObjectSource } from '../../model/tree/tree.js';
import type { Store } from '../../store/store.js';
import type { Worktree } from '../../worktree/worktree.js';
import { folderFinder } from '../snapshot/folders.js';
import { heldAt, heldPaths, type HeldPlace } from './held.js';
import type { LiveSession } from './live-sessions.js';

/** The file system's clock lags behind the one that a log is written by. */
const TICK_MILLISECONDS = 50;

/** What the planner asks of others; each is asked once at most, for the paths in question. */
export interface PlanKnowledge {
  /** Returns those of the paths that a snapshot holds which no operation made. */
  readonly held: (paths: readonly BytePath[]) => Promise<ReadonlySet<BytePath>>;
  /** Returns those of the paths that were there, untracked, before a live session began that is younger than the target. */
  readonly fromBefore: (paths: readonly BytePath[]) => Promise<ReadonlySet<BytePath>>;
  /** Returns those of the paths that another live session changed since the target. */
  readonly foreign: (paths: readonly BytePath[]) => Promise<ReadonlySet<BytePath>>;
  /** Returns what stands on disk at paths that the present scan left out. */
  readonly seen: (paths: readonly BytePath[]) => Promise<ReadonlyMap<BytePath, FileState>>;
  /** Returns the names in those of the paths that are directories on disk, whatever a scan left out; none behind a link. */
  readonly listed: (paths: readonly BytePath[]) => Promise<ReadonlyMap<BytePath, readonly BytePath[]>>;
  /** Returns the sizes of blobs; undefined for one that is not there. */
  readonly sizes: (blobs: readonly ObjectId[]) => Promise<readonly (number | undefined)[]>;
}

export interface KnowledgePlace extends HeldPlace {
  readonly store: Store;
  /** Tells which content is in the store. */
  readonly objects: ObjectSource;
  readonly worktree: Pick<Worktree, 'look' | 'list'>;
  /** All that are live. */
  readonly live: readonly LiveSession[];
  /** Those of others, whose files are not touched. */
  readonly others: readonly LiveSession[];
  /** When the target was taken. */
  readonly targetTime: string;
  /** The tree of HEAD: what is in it is tracked. */
  readonly headTree?: ObjectId;
  /** Sizes of content that is not in the store. */
  readonly size?: (blob: ObjectId) => Promise<number | undefined>;
}

export function knowledgeOf(place: KnowledgePlace): PlanKnowledge {
  const { objects, worktree, others, size } = place;
  return {
    held: (paths) => heldPaths(place, paths),
    fromBefore: (paths) => pathsFromBefore(place, paths),
    foreign: (paths) =>
      Promise.resolve(new Set(paths.filter((path) => others.some(({ written }) => written.has(path))))),
    seen: async (paths) => {
      const found = await worktree.look(paths);
      const opaque: FileState = { kind: 'directory', permissions: 0 };
      return new Map([...found].map(([path, { state }]) => [path, state ?? opaque]));
    },
    listed: (paths) => worktree.list(paths),
    sizes: async (blobs) => {
      const infos = await objects.info(blobs);
      return Promise.all(
        blobs.map(async (blob, at) => {
          const info = infos[at];
          return info?.type === 'blob' ? info.size : size?.(blob);
        }),
      );
    },
  };
}

/** Untracked paths that were there when a live session began which is younger than the target. */
async function pathsFromBefore(place: KnowledgePlace, paths: readonly BytePath[]): Promise<ReadonlySet<BytePath>> {
  const target = parseTime(place.targetTime) ?? 0;
  const beginnings = place.live.map(({ began }) => began).filter((began) => began > target);
  if (beginnings.length === 0) return new Set();
  const untracked = await untrackedOf(place, paths);
  const latest = Math.max(...beginnings);
  const [seen, recorded] = await Promise.all([
    place.worktree.look(untracked),
    heldAt(place, formatTime(latest), untracked),
  ]);
  return new Set(
    untracked.filter((path) => recorded.has(path) || (seen.get(path)?.since ?? Infinity) < latest - TICK_MILLISECONDS),
  );
}

async function untrackedOf({ store, headTree }: KnowledgePlace, paths: readonly BytePath[]): Promise<BytePath[]> {
  const finder = folderFinder((id) => store.tree(id));
  const tracked = await Promise.all(paths.map(async (path) => (await finder.find(headTree, path)) !== undefined));
  return paths.filter((_, at) => tracked[at] !== true);
}
