/** The Worktree of a git repository. */
import { contextError } from '../base/errors.js';
import { checkOut } from './check-out.js';
import { gitOperation } from './git-operation.js';
import { restoreIndex } from './index/restore-index.js';
import { lookAtPaths } from './look.js';
import type { WorktreePlace } from './place/place.js';
import { openReplacementError, type Replacements } from './replace/replacement.js';
import type { Scan, ScanRequest } from './scan/scan.js';
import { loadMemory } from './scan/scan-memory.js';
import { WorktreeScan } from './scan/worktree-scan.js';
import type { Worktree } from './worktree.js';

export function gitWorktree(place: WorktreePlace, replacements: Replacements): Worktree {
  return {
    root: place.root,
    replacements,
    scan: async (request) => {
      const open = await replacements.find();
      if (open !== undefined && open.id !== request.replacement) throw openReplacementError(open);
      const memory = request.fresh === true ? undefined : loadMemory(place.memoryDirectory);
      const scan = memory === undefined ? undefined : await new WorktreeScan(place, request, memory).run();
      // What is remembered may not fit any more; then everything is read anew.
      return scan ?? (await readAnew(place, request));
    },
    look: (paths) => Promise.resolve(lookAtPaths(place, paths)),
    gitOperation: () => gitOperation(place.gitDirectory),
    restoreIndex: (staged) => restoreIndex(place, staged),
    checkOut: (request) => checkOut(place, request),
  };
}

async function readAnew(place: WorktreePlace, request: ScanRequest): Promise<Scan> {
  const scan = await new WorktreeScan(place, request, undefined).run();
  if (scan === undefined) throw contextError('worktree_changing', { reason: 'no two looks at it agreed' });
  return scan;
}
