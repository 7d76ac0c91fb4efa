/** Ends a replacement: removes its slots, but gives back what turns out to be somebody's. */
import type { BytePath } from '../../../base/path.js';
import { removeIfThere, type Disk } from '../disk/disk.js';
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
  for (const home of homes) {
    for (const name of tools.slots.names(home)) {
      const outcome = tools.folders.within(() => sweepSlot(tools, items, { home, name }));
      if (outcome !== undefined) given.push(outcome);
    }
    tools.slots.remove(home);
  }
  return given;
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
    return { path: item.path, result: 'conflict', ...exchange.giveBack(target, place.name) };
  }
  removeIfThere(disk, folder.at(place.name));
  return undefined;
}
