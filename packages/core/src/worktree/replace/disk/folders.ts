/**
 * Directories of the worktree, reached one component at a time and never through a link.
 *
 * Node has no openat(2). On Linux a name below `/proc/self/fd/<descriptor>/` is resolved from the open directory, which
 * is the same: whoever swaps a directory for a link after it was opened moves nothing. Elsewhere names are resolved from
 * the root, and every component is looked at immediately before; somebody who swaps one in between is not noticed.
 */
import { constants, type BigIntStats } from 'node:fs';
import { pathBytes, toRepoPath, type BytePath } from '../../../base/path.js';
import { Spellings } from './spellings.js';
import { errorCode, statusIfThere, type Disk, type SystemPath } from './disk.js';

const OPEN_DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Of the files that this process may have open, one in so many, within these bounds. */
const SHARE_OPEN = 5;
const MOST_OPEN = [200, 4096] as const;

const SLASH = Buffer.from('/');

export interface Folder {
  readonly descriptor: number;
  /** Returns the path of a name in it for a call of the disk. */
  at(name: BytePath): SystemPath;
}

interface OpenFolder extends Folder {
  readonly device: bigint;
  readonly inode: bigint;
}

/** Returns the directory and the name of a path. */
export function splitPath(path: BytePath): readonly [parent: BytePath, name: BytePath] {
  const slash = path.lastIndexOf('/');
  return [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1)];
}

export function joinPath(parent: BytePath, name: BytePath): BytePath {
  return parent === '' ? name : `${parent}/${name}`;
}

export class Folders {
  readonly #disk: Disk;
  readonly #root: string;
  /** In the order of their last use. */
  readonly #open = new Map<BytePath, OpenFolder>();
  #byDescriptor: boolean | undefined;
  /** Where the root was when it was opened, where names are resolved from descriptors. */
  #rootPath: Buffer | undefined;
  #mostOpen: number | undefined;
  readonly #spellings = new Spellings();
  /** Directories that were looked at in the present step. */
  #looked: Set<BytePath> | undefined;

  constructor(disk: Disk, root: string) {
    this.#disk = disk;
    this.#root = root;
  }

  /**
   * Runs one step, in which every directory is looked at once. Only where names are resolved from descriptors: elsewhere
   * they are looked at immediately before each call.
   */
  within<T>(step: () => T): T {
    if (this.#byDescriptor !== true || this.#looked !== undefined) return step();
    this.#looked = new Set();
    try {
      return step();
    } finally {
      this.#looked = undefined;
    }
  }

  /** Tells which paths are going to be looked for: where two differ only in case or composition, both are told apart. */
  expect(paths: Iterable<BytePath>): void {
    for (const path of paths) this.#spellings.add(path);
  }

  /** Returns the directory, or undefined where it, or one above it, is missing or no directory. */
  find(path: BytePath): Folder | undefined {
    return this.#stillThere(path) ?? this.#walkTo(path);
  }

  /** The open directory, where the system says that it is still at its path; that is one call instead of one for each name. */
  #stillThere(path: BytePath): OpenFolder | undefined {
    const known = this.#open.get(path);
    if (known === undefined || this.#rootPath === undefined || this.#spellings.isAmbiguous(path)) return undefined;
    if (this.#looked?.has(path) === true) return known;
    const expected = path === '' ? [this.#rootPath] : [this.#rootPath, SLASH, pathBytes(path)];
    if (this.#disk.pathOf(known.descriptor)?.equals(Buffer.concat(expected)) !== true) return undefined;
    this.#open.delete(path);
    this.#open.set(path, known);
    this.#looked?.add(path);
    return known;
  }

  #walkTo(path: BytePath): Folder | undefined {
    const above = this.#openAbove(path);
    const from = above?.folder ?? this.#use('', undefined, this.#root);
    if (path === '' || from === undefined) return from;
    let folder = from;
    for (let end = path.indexOf('/', above?.end); ; end = path.indexOf('/', end + 1)) {
      const reached = end < 0 ? path : path.slice(0, end);
      const next = this.#use(reached, folder, folder.at(splitPath(reached)[1]));
      if (next === undefined || end < 0) return next;
      folder = next;
    }
  }

  /** The nearest directory above that is open and still there, and where the next name ends: there is no need to begin at the root. */
  #openAbove(path: BytePath): { readonly folder: OpenFolder; readonly end: number } | undefined {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = this.#stillThere(path.slice(0, end));
      if (folder !== undefined) return { folder, end: end + 1 };
    }
    return undefined;
  }

  /** Returns the status of a path, or undefined where nothing is, or where its directory cannot be reached. */
  look(path: BytePath): BigIntStats | undefined {
    const [parent, name] = splitPath(path);
    const folder = this.find(parent);
    if (folder === undefined || !this.#isSpelledSo(path, folder)) return undefined;
    return statusIfThere(this.#disk, folder.at(name));
  }

  /** Returns a system's message with the paths that people know. */
  readable(message: string): string {
    return message.replaceAll(/\/proc\/self\/fd\/(\d+)/g, (whole, digits: string) => {
      const found = [...this.#open].find(([, { descriptor }]) => descriptor === Number(digits));
      if (found === undefined) return whole;
      return found[0] === '' ? this.#root : joinPath(this.#root, toRepoPath(found[0]).path);
    });
  }

  /** Closes a directory that is to go: systems remove one faster that nobody has open. */
  forget(path: BytePath): void {
    const known = this.#open.get(path);
    if (known === undefined) return;
    this.#open.delete(path);
    this.#looked?.delete(path);
    this.#disk.close(known.descriptor);
  }

  close(): void {
    for (const { descriptor } of this.#open.values()) this.#disk.close(descriptor);
    this.#open.clear();
  }

  // A file system may find another name for it.
  #isSpelledSo(path: BytePath, parent: Folder): boolean {
    if (!this.#spellings.isAmbiguous(path)) return true;
    return this.#disk.names(parent.at('.')).includes(splitPath(path)[1]);
  }

  // What was opened before counts only while the name still leads to it.
  #use(path: BytePath, parent: OpenFolder | undefined, place: SystemPath): OpenFolder | undefined {
    const known = this.#open.get(path);
    if (known !== undefined && this.#looked?.has(path) === true) return known;
    if (parent !== undefined && !this.#isSpelledSo(path, parent)) return undefined;
    if (known !== undefined) {
      const isSame = parent === undefined || leadsTo(known, statusIfThere(this.#disk, place));
      this.#open.delete(path);
      if (isSame) {
        this.#looked?.add(path);
        this.#open.set(path, known);
        return known;
      }
      this.#disk.close(known.descriptor);
    }
    return this.#enter(path, place);
  }

  #enter(path: BytePath, place: SystemPath): OpenFolder | undefined {
    this.#mostOpen ??= Math.min(MOST_OPEN[1], Math.max(MOST_OPEN[0], this.#disk.mostOpen() / SHARE_OPEN));
    if (this.#open.size >= this.#mostOpen) this.#closeOldest();
    // The root may be named through a link: it is where the user's git says it is.
    const descriptor = this.#openDirectory(
      place,
      path === '' ? OPEN_DIRECTORY & ~constants.O_NOFOLLOW : OPEN_DIRECTORY,
    );
    if (descriptor === undefined) return undefined;
    const { dev, ino } = this.#disk.status(descriptor);
    this.#byDescriptor ??= this.#resolvesDescriptors(descriptor, ino);
    const folder = { descriptor, device: dev, inode: ino, at: this.#naming(path, descriptor) };
    if (path === '' && this.#byDescriptor) this.#rootPath ??= this.#disk.pathOf(descriptor);
    this.#looked?.add(path);
    this.#open.set(path, folder);
    return folder;
  }

  #openDirectory(place: SystemPath, flags: number): number | undefined {
    try {
      return this.#disk.open(place, flags);
    } catch (error) {
      if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK'].includes(errorCode(error))) return undefined;
      throw error;
    }
  }

  #resolvesDescriptors(descriptor: number, inode: bigint): boolean {
    return statusIfThere(this.#disk, `/proc/self/fd/${String(descriptor)}/.`)?.ino === inode;
  }

  #naming(path: BytePath, descriptor: number): Folder['at'] {
    const byDescriptor = this.#byDescriptor === true;
    const base = byDescriptor ? Buffer.from(`/proc/self/fd/${String(descriptor)}/`) : this.#fromRoot(path);
    return (name) => Buffer.concat([base, pathBytes(name)]);
  }

  #fromRoot(path: BytePath): Buffer {
    return Buffer.concat([Buffer.from(`${this.#root}/`), pathBytes(path === '' ? '' : `${path}/`)]);
  }

  // Never the root, and never one of the path that is being walked: those were used last.
  #closeOldest(): void {
    for (const [path, { descriptor }] of this.#open) {
      if (path === '') continue;
      this.#open.delete(path);
      this.#disk.close(descriptor);
      return;
    }
  }
}

function leadsTo({ device, inode }: OpenFolder, status: BigIntStats | undefined): boolean {
  return status?.isDirectory() === true && status.dev === device && status.ino === inode;
}
