/** Finds, for a state of an item, a slot that holds its content beyond doubt; writes one where there is none. */
import type { BytePath } from '../../../base/path.js';
import { statKey } from '../../place/file-stat.js';
import { statusIfThere, type Disk } from '../disk/disk.js';
import { joinPath } from '../disk/folders.js';
import type { JournalItem } from '../journal/journal.js';
import type { Presence } from '../disk/presence.js';
import { slotName, type Side, type Slots } from './slots.js';
import type { Staging } from './staging.js';

export interface Target {
  readonly index: number;
  readonly item: JournalItem;
}

/** A file is taken once by `apply` and once by `rollBack`; more only where processes died again and again. */
const MOST_TAKEN = 16;

export interface SourceTools {
  readonly disk: Disk;
  readonly presence: Presence;
  readonly slots: Slots;
  readonly staging: Staging;
}

export class Sources {
  readonly #tools: SourceTools;
  /** Status keys of what was judged and lies in a slot, by home and slot. */
  readonly #judged = new Map<BytePath, Map<BytePath, string>>();
  /** Names in folders of this replacement's own that were handed out. */
  readonly #handedOut = new Set<BytePath>();

  constructor(tools: SourceTools) {
    this.#tools = tools;
  }

  /** Notes that a slot was seen to hold what it should. */
  judge({ item }: Target, slot: BytePath, key: string): void {
    const known = this.#judged.get(item.home) ?? new Map<BytePath, string>();
    this.#judged.set(item.home, known.set(slot, key));
  }

  /** Returns the slots of a home in which something was judged. */
  judged(home: BytePath): readonly BytePath[] {
    return [...(this.#judged.get(home)?.keys() ?? [])];
  }

  /** Tells whether a slot holds a state of its item, unchanged since it was judged. */
  holds({ item }: Target, side: Side, slot: BytePath): boolean {
    const { disk, presence, slots } = this.#tools;
    const folder = slots.find(item.home);
    const status = folder === undefined ? undefined : statusIfThere(disk, folder.at(slot));
    if (folder === undefined || status === undefined) return false;
    if (this.#judged.get(item.home)?.get(slot) === statKey(status)) return true;
    return presence.match(folder, slot, item[side]) !== undefined;
  }

  /** Returns the name of a slot with the content; undefined where the home is gone. */
  async find(target: Target, side: Side): Promise<BytePath | undefined> {
    const { slots, staging } = this.#tools;
    const { index, item } = target;
    const staged = slotName({ index, side, origin: 'staged' });
    if (staging.isReady(index, side)) return staged;
    // The very file that stood there comes first: it has its times, its owner and its other names.
    const taken = this.taken(target, side).find((slot) => this.holds(target, side, slot));
    if (taken !== undefined) return taken;
    if (this.holds(target, side, staged)) return staged;
    await staging.stage(target, side);
    await staging.sync();
    return slots.find(item.home) === undefined ? undefined : staged;
  }

  /** Returns the slots with what was taken from a path. */
  taken({ index, item }: Target, side: Side): BytePath[] {
    const folder = this.#tools.slots.find(item.home);
    if (folder === undefined) return [];
    const names = Array.from({ length: MOST_TAKEN }, (_, count) => slotName({ index, side, origin: 'taken' }, count));
    return names.filter((name) => statusIfThere(this.#tools.disk, folder.at(name)) !== undefined);
  }

  /** Returns a name for something that is taken now. */
  free({ index, item }: Target, side: Side): BytePath {
    const { slots, disk } = this.#tools;
    const folder = slots.find(item.home);
    for (let count = 0; ; count += 1) {
      const name = slotName({ index, side, origin: 'taken' }, count);
      if (slots.isOwn(item.home)) {
        const whole = joinPath(item.home, name);
        if (this.#handedOut.has(whole)) continue;
        this.#handedOut.add(whole);
        return name;
      }
      if (folder === undefined || statusIfThere(disk, folder.at(name)) === undefined) return name;
    }
  }
}
