/**
 * The replacement's own folders, one in each home: new content waits there for its name, and what was taken away stays
 * there until the replacement is closed. They are closed to other users, so that nothing can be read there that could
 * not be read before.
 */
import { replacementFolder } from '../../place/replacement-folder.js';
import type { BytePath } from '../../../base/path.js';
import { errorCode, type Disk } from '../disk/disk.js';
import { isMade } from '../disk/free-name.js';
import { joinPath, type Folder, type Folders } from '../disk/folders.js';

/** Which of an item's two states a file in a slot is in. */
export type Side = 'before' | 'after';

export function otherSide(side: Side): Side {
  return side === 'before' ? 'after' : 'before';
}

export interface Slot {
  readonly index: number;
  readonly side: Side;
  /** `staged`: written by the replacement; `taken`: somebody else's, which stood at the path. */
  readonly origin: 'staged' | 'taken';
}

export class Slots {
  readonly #disk: Disk;
  readonly #folders: Folders;
  readonly #name: BytePath;
  readonly #made = new Set<BytePath>();
  /** Of those, the folders that were not there before: nobody else has put anything into them. */
  readonly #own = new Set<BytePath>();

  constructor(disk: Disk, folders: Folders, id: string) {
    this.#disk = disk;
    this.#folders = folders;
    this.#name = replacementFolder(id);
  }

  find(home: BytePath): Folder | undefined {
    return this.#folders.find(joinPath(home, this.#name));
  }

  /** Returns the folder, made if need be; undefined where the home is gone. */
  make(home: BytePath): Folder | undefined {
    return this.#folders.within(() => {
      const folder = this.#made.has(home) ? undefined : this.#folders.find(home);
      if (!this.#made.has(home) && folder === undefined) return undefined;
      if (folder !== undefined && this.#isMade(folder)) this.#own.add(home);
      this.#made.add(home);
      return this.find(home);
    });
  }

  #isMade(home: Folder): boolean {
    return isMade(() => {
      this.#disk.makeDirectory(home.at(this.#name), 0o700);
    });
  }

  /** Tells whether the folder was made by this very object, which knows what is in it then. */
  isOwn(home: BytePath): boolean {
    return this.#own.has(home);
  }

  /** Removes the folder, which has to be empty. */
  remove(home: BytePath): void {
    const folder = this.#folders.find(home);
    if (folder === undefined) return;
    this.#folders.forget(joinPath(home, this.#name));
    try {
      this.#disk.removeDirectory(folder.at(this.#name));
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
    this.#made.delete(home);
    this.#own.delete(home);
  }

  names(home: BytePath): BytePath[] {
    const folder = this.find(home);
    return folder === undefined ? [] : this.#disk.names(folder.at('.'));
  }
}

export function slotName({ index, side, origin }: Slot, count = 0): BytePath {
  return `${String(index)}-${side}-${origin}-${String(count)}`;
}

export function readSlotName(name: BytePath): Slot | undefined {
  const [, index = '', side, origin] = /^(\d{1,9})-(before|after)-(staged|taken)-\d{1,9}$/.exec(name) ?? [];
  if (index === '') return undefined;
  return { index: Number(index), side: side as Side, origin: origin as Slot['origin'] };
}
