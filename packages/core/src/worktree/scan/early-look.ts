/**
 * The part of a scan that need not wait: which files may have changed is asked of git while the caller still changes files
 * itself, and in the memory of the scan before, which then need not be written and read again.
 */
import type { BytePath } from '../../base/path.js';
import type { IndexFile } from '../index/index-file.js';
import { IgnoreRules } from '../listing/ignore-rules.js';
import type { WorktreePlace } from '../place/place.js';
import type { EarlyLook } from './scan.js';
import type { ScanMemory } from './scan-memory.js';

/** What a scan leaves for the one that follows it in the same process. */
export interface Handover {
  readonly memory: ScanMemory;
  readonly index: IndexFile;
}

export interface BegunLook extends EarlyLook, Handover {
  readonly suspects: Promise<readonly BytePath[] | undefined>;
  readonly rules: IgnoreRules;
}

/** `names`: new names will have to be judged by the ignore rules. */
export function beginLook(place: WorktreePlace, handover: Handover, names: boolean): BegunLook {
  const suspects = handover.index.changedPaths();
  // Whoever scans hears of a failure.
  suspects.catch(() => undefined);
  const rules = new IgnoreRules(place);
  if (names) rules.start();
  return {
    ...handover,
    suspects,
    rules,
    end: async () => {
      await Promise.all([suspects.catch(() => undefined), rules.close()]);
    },
  };
}
