/**
 * The part of a scan that need not wait: which files may have changed is known, or asked of git while the caller still
 * changes files itself, and in the memory of the scan before, which then need not be written and read again.
 */
import type { BytePath } from '../../base/path.js';
import type { IndexFile } from '../index/index-file.js';
import type { IgnoreRules } from '../listing/ignore-rules.js';
import type { WorktreePlace } from '../place/place.js';
import type { EarlyLook, EarlyLookRequest } from './scan.js';
import type { ScanMemory } from './scan-memory.js';

/** A look that is older says too little of the present; the same time is given to a look before the process has begun. */
const RECENT_MILLISECONDS = 1000;

type Suspects = readonly BytePath[] | undefined;

/** What a scan leaves for the one that follows it in the same process. */
export interface Handover {
  readonly memory: ScanMemory;
  readonly index: IndexFile;
  /** What git said of the files. */
  readonly suspects: Suspects;
  /** A git that has read the rules, if it was needed. */
  readonly rules: IgnoreRules;
}

export interface BegunLook extends EarlyLook, Pick<Handover, 'memory' | 'index' | 'rules'> {
  /** What the scan before saw, where that is recent: then nobody but the caller has changed anything, as far as it matters. */
  readonly recent: () => Suspects;
  readonly suspects: () => Promise<Suspects>;
}

/** Begins to look where many changes are to come; where they are few, what the scan before saw will be recent enough. */
export function beginLook(place: WorktreePlace, left: Handover, { names, brief }: EarlyLookRequest): BegunLook {
  const { memory, index, rules } = left;
  let asked: Promise<Suspects> | undefined;
  const ask = (): Promise<Suspects> => {
    asked ??= index.changedPaths();
    // Whoever scans hears of a failure.
    asked.catch(() => undefined);
    return asked;
  };
  const since = index.asked;
  const isRecent = (): boolean => asked === undefined && Math.abs(place.clock.now() - since) < RECENT_MILLISECONDS;
  if (!brief) void ask();
  if (names) rules.start();
  return {
    memory,
    index,
    rules,
    recent: () => (isRecent() ? left.suspects : undefined),
    suspects: ask,
    end: async () => {
      await Promise.all([asked?.catch(() => undefined), rules.close()]);
    },
  };
}
