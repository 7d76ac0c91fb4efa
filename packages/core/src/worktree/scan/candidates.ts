/** Which paths a scan looks at: what is new, what git suspects, what was not settled, and no more. */
import type { BytePath } from '../../base/path.js';
import { compareListings, type CapturedFiles } from '../listing/captured-files.js';
import type { Listing } from '../listing/directories.js';
import type { ScanMemory } from './scan-memory.js';

export interface Candidates {
  readonly look: ReadonlySet<BytePath>;
  readonly drop: readonly BytePath[];
  /** True where a path came or went. */
  readonly relisted: boolean;
}

export interface Present {
  readonly listing: Listing;
  readonly files: CapturedFiles;
  readonly forced: readonly BytePath[];
}

/** Of a worktree that nothing is remembered of. */
export function everything({ files }: Present): Candidates {
  return { look: new Set(files.all()), drop: [], relisted: true };
}

/** Of one that is remembered, given the paths that differ from the private index. */
export function candidates(
  memory: ScanMemory,
  { listing, files, forced }: Present,
  suspects: readonly BytePath[],
): Candidates {
  const { added, removed } = compareListings(memory.directories, listing.directories);
  const look = new Set(added);
  const forcedBefore = new Set(memory.forced);
  for (const file of forced) if (!forcedBefore.has(file)) look.add(file);
  for (const file of suspects) if (files.has(file)) look.add(file);
  for (const file of memory.files.keys()) if (files.has(file)) look.add(file);
  const drop = [...removed, ...memory.forced, ...memory.files.keys()].filter((file) => !files.has(file));
  return { look, drop: [...new Set(drop)], relisted: added.length + removed.length > 0 };
}
