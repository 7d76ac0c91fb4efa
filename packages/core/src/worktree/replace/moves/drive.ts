/**
 * Brings all paths to one of their two states. Where each stands is read from the disk, so the same way leads forward,
 * back, and on from wherever a process died.
 *
 * Order: what goes is taken away, then directories from the deepest, then directories are made from the highest, then
 * files get their names, then directories their permissions, and at the end all is synced, each directory once.
 */
import type { BytePath } from '../../../base/path.js';
import { errorCode, type Disk } from '../disk/disk.js';
import type { Exchange, Setback } from './exchange.js';
import { splitPath, type Folders } from '../disk/folders.js';
import { isMade } from '../disk/free-name.js';
import { isUnsyncable } from '../journal/journal.js';
import { permissionsOf } from '../disk/presence.js';
import { otherSide } from '../slots/slots.js';
import { fail, OWNER, type Goal, type Work } from './survey.js';

/** Directories that are synced at the same time. */
const BATCH = 64;

export interface DriveTools {
  readonly disk: Disk;
  readonly folders: Folders;
  readonly exchange: Exchange;
}

export class Drive {
  readonly #tools: DriveTools;
  readonly #goal: Goal;
  /** Told of each path that is left alone; may throw to stop it all. */
  readonly #onConflict: (work: Work) => void;
  readonly #touched = new Set<BytePath>();

  constructor(tools: DriveTools, goal: Goal, onConflict: (work: Work) => void) {
    this.#tools = tools;
    this.#goal = goal;
    this.#onConflict = onConflict;
  }

  async run(works: readonly Work[]): Promise<void> {
    const waiting = works.filter(({ standing }) => standing === 'waiting');
    const byDepth = [...waiting].sort((a, b) => depth(a.item.path) - depth(b.item.path));
    for (const work of byDepth) this.#openToOwner(work);
    for (const work of waiting) if (this.#goes(work)) this.#take(work);
    for (const work of byDepth.toReversed()) this.#removeDirectory(work);
    for (const work of byDepth) this.#makeDirectory(work);
    for (const work of waiting) {
      await this.#place(work);
      await this.#tools.exchange.sync(false);
    }
    for (const work of byDepth.toReversed()) this.#settleDirectory(work);
    if (!this.#goal.fresh) this.#touchAll(works);
    await this.#tools.exchange.sync(true);
    await this.#syncTouched();
  }

  #wanted({ item }: Work): Work['item']['after'] {
    return item[this.#goal.side];
  }

  #other({ item }: Work): Work['item']['after'] {
    return item[otherSide(this.#goal.side)];
  }

  #isWaiting(work: Work): boolean {
    return work.standing === 'waiting';
  }

  #setBack(work: Work, { reason, keptAs }: Setback): void {
    fail(work, reason, keptAs);
    this.#onConflict(work);
  }

  // Only the owner's own bits, and only while it lasts: nobody else can do more than before.
  #openToOwner(work: Work): void {
    const status = work.seen?.status;
    if (status?.isDirectory() !== true) return;
    const permissions = permissionsOf(status);
    if ((permissions & OWNER) !== OWNER) this.#setDirectoryPermissions(work, permissions | OWNER);
  }

  /** A file or link whose name nothing, or a directory, gets. */
  #goes(work: Work): boolean {
    const wanted = this.#wanted(work).kind;
    const isFile = work.seen !== undefined && !work.seen.status.isDirectory();
    return isFile && (wanted === 'absent' || wanted === 'directory');
  }

  #take(work: Work): boolean {
    if (work.seen === undefined) return true;
    const setback = this.#tools.exchange.take(work, otherSide(this.#goal.side), work.seen);
    this.#touch(work);
    if (setback !== undefined) this.#setBack(work, setback);
    else if (this.#wanted(work).kind === 'absent') work.standing = 'done';
    return setback === undefined;
  }

  #removeDirectory(work: Work): void {
    const isDirectory = work.seen?.status.isDirectory() === true;
    const wanted = this.#wanted(work).kind;
    if (!this.#isWaiting(work) || !isDirectory || wanted === 'directory') return;
    const [parent, name] = splitPath(work.item.path);
    const folder = this.#tools.folders.find(parent);
    if (folder === undefined) {
      this.#setBack(work, { reason: 'no_directory' });
      return;
    }
    try {
      this.#tools.disk.removeDirectory(folder.at(name));
      this.#touch(work);
      if (wanted === 'absent') work.standing = 'done';
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'ENOENT', 'EBUSY'].includes(errorCode(error))) throw error;
      this.#keepDirectory(work, errorCode(error));
    }
  }

  #keepDirectory(work: Work, code: string): void {
    const status = work.seen?.status;
    if (code === 'ENOENT' && this.#wanted(work).kind === 'absent') {
      work.standing = 'done';
      return;
    }
    if (status !== undefined && code !== 'ENOTDIR') this.#setDirectoryPermissions(work, permissionsOf(status));
    if (this.#wanted(work).kind === 'absent' && code !== 'ENOTDIR') {
      work.standing = 'kept';
      work.reason = 'not_empty';
    } else this.#setBack(work, { reason: code === 'ENOTDIR' ? 'changed' : 'not_empty' });
  }

  #makeDirectory(work: Work): void {
    const wanted = this.#wanted(work);
    const isDirectory = work.seen?.status.isDirectory() === true;
    if (!this.#isWaiting(work) || wanted.kind !== 'directory' || isDirectory) return;
    const [parent, name] = splitPath(work.item.path);
    const { disk, folders } = this.#tools;
    const folder = folders.find(parent);
    if (folder === undefined) {
      this.#setBack(work, { reason: 'no_directory' });
      return;
    }
    const make = (): void => {
      disk.makeDirectory(folder.at(name), OWNER);
    };
    if (isMade(make)) {
      this.#touch(work);
      this.#setDirectoryPermissions(work, wanted.permissions | OWNER);
    } else if (folders.find(work.item.path) === undefined) this.#setBack(work, { reason: 'changed' });
    // Somebody made it in this moment; its permissions are theirs.
    else work.standing = 'done';
  }

  async #place(work: Work): Promise<void> {
    const wanted = this.#wanted(work);
    if (!this.#isWaiting(work) || (wanted.kind !== 'file' && wanted.kind !== 'link')) return;
    if (this.#isPermissionsSet(work)) return;
    const { exchange } = this.#tools;
    const stands = work.seen !== undefined && !work.seen.status.isDirectory() ? work.seen : undefined;
    const swapped = stands && exchange.swap(work, this.#goal.side, stands);
    if (swapped === undefined && stands !== undefined && !this.#take(work)) return;
    const setback = swapped === undefined ? await exchange.place(work, this.#goal.side) : swapped.setback;
    this.#touch(work);
    if (setback === undefined) work.standing = 'done';
    else this.#setBack(work, setback);
  }

  /** Tells whether permissions were all there was to change, and are as asked now, or not to be changed. */
  #isPermissionsSet(work: Work): boolean {
    const [wanted, other] = [this.#wanted(work), this.#other(work)];
    if (work.seen === undefined || wanted.kind !== 'file' || other.kind !== 'file') return false;
    if (wanted.blob !== other.blob) return false;
    const result = this.#tools.exchange.setPermissions(work, work.seen, wanted.permissions);
    if (typeof result === 'object') this.#setBack(work, result);
    else if (result) work.standing = 'done';
    return result !== false;
  }

  #settleDirectory(work: Work): void {
    const wanted = this.#wanted(work);
    if (!this.#isWaiting(work) || wanted.kind !== 'directory') return;
    if (this.#setDirectoryPermissions(work, wanted.permissions)) work.standing = 'done';
    else this.#setBack(work, { reason: 'changed' });
  }

  #setDirectoryPermissions({ item }: Work, permissions: number): boolean {
    const folder = this.#tools.folders.find(item.path);
    if (folder === undefined) return false;
    this.#tools.disk.setPermissions(folder.descriptor, permissions);
    this.#touched.add(item.path);
    return true;
  }

  // What a process did before it died was perhaps not synced.
  #touchAll(works: readonly Work[]): void {
    for (const work of works) {
      this.#touch(work);
      if (work.item.before.kind === 'file' && work.item.after.kind === 'file') this.#tools.exchange.reopen(work);
      else if (work.item[this.#goal.side].kind === 'directory') this.#touched.add(work.item.path);
    }
  }

  #touch({ item }: Work): void {
    this.#touched.add(splitPath(item.path)[0]);
  }

  async #syncTouched(): Promise<void> {
    const { disk, folders } = this.#tools;
    const paths = [...this.#touched];
    for (let at = 0; at < paths.length; at += BATCH) {
      const found = paths.slice(at, at + BATCH).flatMap((path) => folders.find(path) ?? []);
      try {
        await disk.syncAll(found.map(({ descriptor }) => descriptor));
      } catch (error) {
        if (!isUnsyncable(error)) throw error;
      }
    }
  }
}

function depth(path: BytePath): number {
  return path.split('/').length;
}
