/**
 * The replacement's own folders, one in each home: new content waits there for its name, and what was taken away stays
 * there until the replacement is closed. They are closed to other users, so that nothing can be read there that could
 * not be read before.
 */
import { replacementFolder } from '../../place/replacement-folder.js';
import type { BytePath } from '../../../base/path.js';
import { errorCode, statusIfThere, type Disk } from '../disk/disk.js';
import { joinPath, type Folder, type Folders } from '../disk/folders.js';

/** Which of an item's two states a file in a slot is in. */
export type Side = 'before' | 'after';

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
    if (!this.#made.has(home)) {
      const folder = this.#folders.find(home);
      if (folder === undefined) return undefined;
      try {
        this.#disk.makeDirectory(folder.at(this.#name), 0o700);
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      }
      this.#made.add(home);
    }
    return this.find(home);
  }

  /** Removes the folder, which has to be empty. */
  remove(home: BytePath): void {
    const folder = this.#folders.find(home);
    if (folder === undefined || statusIfThere(this.#disk, folder.at(this.#name)) === undefined) return;
    this.#folders.forget(joinPath(home, this.#name));
    this.#disk.removeDirectory(folder.at(this.#name));
    this.#made.delete(home);
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
