/** The Worktree of a git repository. */
import { contextError } from '../base/errors.js';
import { checkOut } from './check-out.js';
import { gitOperation } from './git-operation.js';
import { restoreIndex } from './index/restore-index.js';
import { listDirectories, lookAtPaths } from './look.js';
import { IgnoreRules } from './listing/ignore-rules.js';
import type { WorktreePlace } from './place/place.js';
import { openReplacementError, type Replacements } from './replace/replacement.js';
import { beginLook, type BegunLook, type Handover } from './scan/early-look.js';
import type { EarlyLook, Scan } from './scan/scan.js';
import { loadMemory } from './scan/scan-memory.js';
import { WorktreeScan, type ScanParts } from './scan/worktree-scan.js';
import type { Worktree } from './worktree.js';

export function gitWorktree(place: WorktreePlace, replacements: Replacements): Worktree {
  // Of the last scan, where another was to follow; whatever it says is compared with the disk.
  let handover: Handover | undefined;
  const looks = new WeakMap<EarlyLook, BegunLook>();
  // Of a scan that another one is to follow: they stay until it came, or nobody asks any more.
  let rules: IgnoreRules | undefined;
  const close = async (): Promise<void> => {
    handover = undefined;
    const former = rules;
    rules = undefined;
    await former?.close();
  };
  return {
    root: place.root,
    replacements,
    scan: async (request) => {
      const open = await replacements.find();
      if (open !== undefined && open.id !== request.replacement) throw openReplacementError(open);
      await close();
      const keep = (left: Handover): void => {
        handover = left;
      };
      const look = request.own === undefined ? undefined : looks.get(request.own.look);
      if (request.followed === true) rules = new IgnoreRules(place);
      const memory = request.fresh === true ? undefined : (look?.memory ?? loadMemory(place.memoryDirectory));
      const begun = memory === undefined ? undefined : { memory, look };
      const scan = begun && (await new WorktreeScan({ place, request, begun, rules, keep }).run());
      // What is remembered may not fit any more; then everything is read anew.
      return scan ?? (await readAnew({ place, request, rules, keep }));
    },
    lookEarly: (request) => {
      if (handover === undefined) return undefined;
      const look = beginLook(place, handover, request);
      handover = undefined;
      rules = undefined;
      looks.set(look, look);
      return look;
    },
    look: (paths) => Promise.resolve(lookAtPaths(place, paths)),
    list: (paths) => Promise.resolve(listDirectories(place, paths)),
    gitOperation: () => gitOperation(place.gitDirectory),
    restoreIndex: (staged) => restoreIndex(place, staged),
    checkOut: (request) => checkOut(place, request),
    close,
  };
}

async function readAnew(parts: ScanParts): Promise<Scan> {
  const scan = await new WorktreeScan(parts).run();
  if (scan === undefined) throw contextError('worktree_changing', { reason: 'no two looks at it agreed' });
  return scan;
}
