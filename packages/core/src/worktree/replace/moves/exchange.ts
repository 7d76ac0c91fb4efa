/**
 * The three steps that touch a user's file: take away what stands there, give its name to what is to stand there, set
 * permissions. Whatever somebody writes at the same time is kept: a file is judged again once it lies aside, where
 * nobody finds it any more, and a name is given only where nothing has it.
 */
import { constants, type BigIntStats } from 'node:fs';
import type { BytePath } from '../../../base/path.js';
import { statKey } from '../../place/file-stat.js';
import { errorCode, statusIfThere } from '../disk/disk.js';
import { joinPath, splitPath, type Folders } from '../disk/folders.js';
import { isMade, keptName, moveFileToFreeName, moveToFreeName } from '../disk/free-name.js';
import { GONE, type Seen } from '../disk/presence.js';
import type { ConflictReason } from '../replacement.js';
import { otherSide, slotName, type Side } from '../slots/slots.js';
import type { SourceTools, Sources, Target } from '../slots/sources.js';

const OPEN_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const MOUNT_POINT: readonly string[] = ['EBUSY', 'EXDEV'];
/** Descriptors that wait to be synced together. */
const BATCH = 64;

export interface ExchangeTools extends SourceTools {
  readonly folders: Folders;
  readonly sources: Sources;
  readonly id: string;
}

/** Why a step was not done; then everything is as it was. */
export interface Setback {
  readonly reason: ConflictReason;
  readonly keptAs?: BytePath;
}

const CHANGED: Setback = { reason: 'changed' };
const MOUNTED: Setback = { reason: 'mounted' };
const NO_DIRECTORY: Setback = { reason: 'no_directory' };

export class Exchange {
  readonly #tools: ExchangeTools;
  #unsynced: number[] = [];

  constructor(tools: ExchangeTools) {
    this.#tools = tools;
  }

  /**
   * Takes away what was seen at the path and gives it at once what was staged for `side`, so that the name is missing as
   * short as can be; undefined where nothing is staged.
   */
  swap(target: Target, side: Side, seen: Seen): { readonly setback: Setback | undefined } | undefined {
    const { folders, staging } = this.#tools;
    if (target.item[side].kind !== 'file' || !staging.isReady(target.index, side)) return undefined;
    const slot = slotName({ index: target.index, side, origin: 'staged' });
    return folders.within(() => ({
      setback: this.#take(target, otherSide(side), seen) ?? this.#give(target, slot),
    }));
  }

  /** Takes away what was seen at the path in the state of `side`. */
  take(target: Target, side: Side, seen: Seen): Setback | undefined {
    return this.#tools.folders.within(() => this.#take(target, side, seen));
  }

  #take(target: Target, side: Side, seen: Seen): Setback | undefined {
    const { disk, folders, slots, sources, presence } = this.#tools;
    const { item } = target;
    const [parent, name] = splitPath(item.path);
    const [folder, slotFolder] = [folders.find(parent), slots.make(item.home)];
    if (folder === undefined || slotFolder === undefined) return NO_DIRECTORY;
    const now = statusIfThere(disk, folder.at(name));
    if (now === undefined) return CHANGED;
    // The status moves as well when another name of the same file was just taken: then the content decides.
    const known = statKey(now) === seen.key ? seen : presence.match(folder, name, item[side]);
    if (known === undefined) return CHANGED;
    const slot = sources.free(target, side);
    const setback = setbackOf(() => {
      disk.rename(folder.at(name), slotFolder.at(slot));
    });
    if (setback !== undefined) return setback;
    const taken = disk.statusOf(slotFolder.at(slot));
    const isSame = taken !== undefined && known.settled && isSameFile(taken, known.status);
    const judged = isSame ? { key: statKey(taken) } : presence.match(slotFolder, slot, item[side]);
    if (judged === undefined) return this.giveBack(target, slot);
    sources.judge(target, slot, judged.key);
    return undefined;
  }

  /** Puts what is not the replacement's back under its name, or beside it where something has the name. */
  giveBack({ item }: Target, slot: BytePath): Setback {
    const { disk, folders, slots, id } = this.#tools;
    const slotFolder = slots.find(item.home);
    if (slotFolder === undefined) return CHANGED;
    const [parent, name] = splitPath(item.path);
    const folder = folders.find(parent);
    if (folder !== undefined && moveToFreeName(disk, slotFolder.at(slot), folder.at(name))) return CHANGED;
    const [place, other] = folder === undefined ? [item.home, folders.find(item.home)] : [parent, folder];
    for (let count = 0; other !== undefined; count += 1) {
      const kept = keptName(name, `${id}-${String(count)}`);
      if (!moveToFreeName(disk, slotFolder.at(slot), other.at(kept))) continue;
      return { reason: 'changed', keptAs: joinPath(place, kept) };
    }
    return CHANGED;
  }

  /** Gives the path what it has in the state of `side`, if nothing has its name. */
  async place(target: Target, side: Side): Promise<Setback | undefined> {
    const { disk, folders, staging, sources } = this.#tools;
    const { path, [side]: state } = target.item;
    const [parent, name] = splitPath(path);
    if (state.kind === 'link') {
      const text = await staging.target(state.blob);
      const folder = folders.find(parent);
      if (folder === undefined) return NO_DIRECTORY;
      const make = (): void => {
        disk.makeLink(text, folder.at(name));
      };
      return isMade(make) ? undefined : CHANGED;
    }
    const slot = await sources.find(target, side);
    return slot === undefined ? NO_DIRECTORY : folders.within(() => this.#give(target, slot));
  }

  // What is no file has no slot.
  #give({ item: { path, home } }: Target, slot: BytePath): Setback | undefined {
    const { disk, folders, slots } = this.#tools;
    const [parent, name] = splitPath(path);
    const [folder, slotFolder] = [folders.find(parent), slots.find(home)];
    if (folder === undefined || slotFolder === undefined) return NO_DIRECTORY;
    try {
      return moveFileToFreeName(disk, slotFolder.at(slot), folder.at(name)) ? undefined : CHANGED;
    } catch (error) {
      // Nothing was taken from there before: that would have failed in the same way.
      if (errorCode(error) === 'EXDEV') return MOUNTED;
      throw error;
    }
  }

  /** Sets the permissions of a file; returns false where it has a second name, which would change with it. */
  setPermissions({ item }: Target, seen: Seen, permissions: number): Setback | boolean {
    const { disk, folders } = this.#tools;
    const [parent, name] = splitPath(item.path);
    const folder = folders.find(parent);
    if (folder === undefined) return NO_DIRECTORY;
    let descriptor = -1;
    const setback = setbackOf(() => {
      descriptor = disk.open(folder.at(name), OPEN_FILE);
    });
    if (setback !== undefined) return setback;
    this.#unsynced.push(descriptor);
    const status = disk.status(descriptor);
    if (status.nlink !== 1n) return false;
    if (statKey(status) !== seen.key) return CHANGED;
    disk.setPermissions(descriptor, permissions);
    return true;
  }

  /** Lets the next `sync` include a file that an earlier process may have left unsynced. */
  reopen({ item }: Target): void {
    const { disk, folders } = this.#tools;
    const [parent, name] = splitPath(item.path);
    const folder = folders.find(parent);
    if (folder === undefined || statusIfThere(disk, folder.at(name))?.isFile() !== true) return;
    this.#unsynced.push(disk.open(folder.at(name), OPEN_FILE));
  }

  /** Makes the permissions durable, when enough wait for it or at the end. */
  async sync(isEnd: boolean): Promise<void> {
    while (this.#unsynced.length >= (isEnd ? 1 : BATCH)) {
      const descriptors = this.#unsynced.splice(0, BATCH);
      try {
        await this.#tools.disk.syncAll(descriptors);
      } finally {
        for (const descriptor of descriptors) this.#tools.disk.close(descriptor);
      }
    }
  }

  discard(): void {
    for (const descriptor of this.#unsynced) this.#tools.disk.close(descriptor);
    this.#unsynced = [];
  }
}

/** Runs a call on what stands at a path, which somebody may have replaced since it was looked at. */
function setbackOf(call: () => void): Setback | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (GONE.includes(errorCode(error))) return CHANGED;
    if (MOUNT_POINT.includes(errorCode(error))) return MOUNTED;
    throw error;
  }
}

// Renaming moves only the time of the last status change.
function isSameFile(taken: BigIntStats, seen: BigIntStats): boolean {
  return (
    taken.ino === seen.ino &&
    taken.dev === seen.dev &&
    taken.size === seen.size &&
    taken.mtimeNs === seen.mtimeNs &&
    taken.mode === seen.mode
  );
}
