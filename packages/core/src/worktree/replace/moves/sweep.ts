/** Ends a replacement: removes its slots, but gives back what turns out to be somebody's. */
import type { BytePath } from '../../../base/path.js';
import { errorCode, removeIfThere, statusIfThere, type Disk } from '../disk/disk.js';
import type { Folders } from '../disk/folders.js';
import type { Exchange } from './exchange.js';
import type { JournalItem } from '../journal/journal.js';
import type { ChangeOutcome } from '../replacement.js';
import { readSlotName, type Slots } from '../slots/slots.js';
import type { Sources } from '../slots/sources.js';

export interface SweepTools {
  readonly disk: Disk;
  readonly folders: Folders;
  readonly slots: Slots;
  readonly sources: Sources;
  readonly exchange: Exchange;
}

/** Returns what was given back: somebody wrote to it after it was judged, through a name or descriptor of before. */
export function sweep(tools: SweepTools, items: readonly JournalItem[]): ChangeOutcome[] {
  const given: ChangeOutcome[] = [];
  const homes = new Set(items.map(({ home }) => home));
  const clear = (home: BytePath, names: readonly BytePath[]): void => {
    for (const name of names) {
      const outcome = tools.folders.within(() => sweepSlot(tools, items, { home, name }));
      if (outcome !== undefined) given.push(outcome);
    }
  };
  const { slots, sources } = tools;
  for (const home of homes) {
    // What lies in a folder that this process made is known; where there is more, the system does not remove it.
    if (slots.isOwn(home)) clear(home, sources.judged(home));
    if (slots.isOwn(home) && isRemoved(slots, home)) continue;
    clear(home, slots.names(home));
    slots.remove(home);
  }
  return given;
}

function isRemoved(slots: Slots, home: BytePath): boolean {
  try {
    slots.remove(home);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) return false;
    throw error;
  }
}

interface Place {
  readonly home: BytePath;
  readonly name: BytePath;
}

function sweepSlot(tools: SweepTools, items: readonly JournalItem[], place: Place): ChangeOutcome | undefined {
  const { disk, slots, sources, exchange } = tools;
  const slot = readSlotName(place.name);
  const item = slot === undefined ? undefined : items[slot.index];
  const folder = slots.find(place.home);
  if (slot === undefined || item === undefined || folder === undefined) return undefined;
  const target = { index: slot.index, item };
  if (slot.origin === 'taken' && !sources.holds(target, slot.side, place.name)) {
    // It was given back before.
    if (statusIfThere(disk, folder.at(place.name)) === undefined) return undefined;
    return { path: item.path, result: 'conflict', ...exchange.giveBack(target, place.name) };
  }
  removeIfThere(disk, folder.at(place.name));
  return undefined;
}
