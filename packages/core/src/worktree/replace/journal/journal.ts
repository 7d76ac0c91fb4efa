/**
 * The journal of the open replacement: what each path was and is to become, in one file that is written whole and synced
 * before anything else happens. Its name tells how far the replacement came, so moving on is one rename. Where a path
 * stands is read from the disk itself, not from here.
 */
import { constants } from 'node:fs';
import path from 'node:path';
import { contextError } from '../../../base/errors.js';
import type { JsonObject } from '../../../base/json.js';
import type { BytePath } from '../../../base/path.js';
import type { FileState } from '../../../model/tree/tree-change.js';
import { errorCode, removeIfThere, type Disk } from '../disk/disk.js';

/**
 * `open`: on its way; `applied`: all is as asked; `returning`: it was so, and is being taken back; `taken_back`: all is as it
 * was, nothing but sweeping is left.
 */
export type Stage = 'open' | 'applied' | 'returning' | 'taken_back';

export interface JournalItem {
  readonly path: BytePath;
  readonly before: FileState;
  readonly after: FileState;
  /** The directory in whose replacement folder this item's files lie; it is there before and after. */
  readonly home: BytePath;
  /** No change of the caller's: it follows from another. */
  readonly implied?: true;
}

export interface JournalHead {
  readonly format: typeof FORMAT;
  readonly id: string;
  readonly createdAt: string;
  readonly conflicts: 'skip' | 'refuse';
  readonly note: JsonObject;
}

export interface Journal {
  readonly stage: Stage;
  readonly head: JournalHead;
  readonly items: readonly JournalItem[];
}

export const FORMAT = 'savepoint.replacement/1';

const FILES: Readonly<Record<Stage, string>> = {
  open: 'journal',
  applied: 'journal-applied',
  returning: 'journal-returning',
  taken_back: 'journal-taken-back',
};
const STAGES = Object.keys(FILES) as Stage[];
const PIECE_BYTES = 64 * 1024;
const HEAD_ONLY = 1;

export class JournalFiles {
  readonly #disk: Disk;
  readonly #directory: string;

  constructor(disk: Disk, directory: string) {
    this.#disk = disk;
    this.#directory = directory;
  }

  write(head: JournalHead, items: readonly JournalItem[]): void {
    const temporary = path.join(this.#directory, 'journal.tmp');
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;
    const descriptor = this.#disk.open(temporary, flags, 0o600);
    try {
      for (const piece of pieces(head, items)) writeAll(this.#disk, descriptor, piece);
      this.#disk.sync(descriptor);
    } finally {
      this.#disk.close(descriptor);
    }
    this.#disk.rename(temporary, this.#place('open'));
    this.sync();
  }

  /** Durable only after `sync`. */
  move(from: Stage, to: Stage): void {
    this.#disk.rename(this.#place(from), this.#place(to));
  }

  remove(stage: Stage): void {
    removeIfThere(this.#disk, this.#place(stage));
  }

  /** Returns the stage and the head, or undefined if no replacement is open. */
  readHead(): Omit<Journal, 'items'> | undefined {
    const found = this.#read(HEAD_ONLY);
    return found === undefined ? undefined : { stage: found.stage, head: this.#parse(found.lines[0]) as JournalHead };
  }

  read(): Journal | undefined {
    const found = this.#read();
    if (found === undefined) return undefined;
    const { stage, lines } = found;
    const [head, ...items] = lines.map((line) => this.#parse(line));
    return { stage, head: head as JournalHead, items: items as JournalItem[] };
  }

  #place(stage: Stage): string {
    return path.join(this.#directory, FILES[stage]);
  }

  // Only this room writes the file, whole and synced; what cannot be parsed is damage.
  #parse(line: string | undefined): unknown {
    try {
      const value = JSON.parse(line ?? '') as Partial<JournalHead>;
      if (value.format === undefined || value.format === FORMAT) return value;
    } catch {
      // Said below.
    }
    const what = `The journal of a restore in ${this.#directory}`;
    throw contextError('format_unreadable', { what, reason: 'a line of it is damaged or of another version' });
  }

  #read(most?: number): { readonly stage: Stage; readonly lines: string[] } | undefined {
    for (const stage of STAGES) {
      const bytes = this.#readFile(this.#place(stage), most);
      if (bytes !== undefined) return { stage, lines: bytes.toString('utf8').split('\n', most).filter(Boolean) };
    }
    return undefined;
  }

  #readFile(file: string, lines: number | undefined): Buffer | undefined {
    let descriptor: number;
    try {
      descriptor = this.#disk.open(file, constants.O_RDONLY);
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return undefined;
      throw error;
    }
    try {
      const read: Buffer[] = [];
      for (;;) {
        const piece = Buffer.allocUnsafe(PIECE_BYTES);
        const count = this.#disk.read(descriptor, piece);
        read.push(piece.subarray(0, count));
        if (count === 0 || (lines === HEAD_ONLY && piece.subarray(0, count).includes(10))) return Buffer.concat(read);
      }
    } finally {
      this.#disk.close(descriptor);
    }
  }

  sync(): void {
    const descriptor = this.#disk.open(this.#directory, constants.O_RDONLY);
    try {
      syncDirectory(this.#disk, descriptor);
    } finally {
      this.#disk.close(descriptor);
    }
  }
}

/** Syncs an open directory; file systems that cannot do that are left alone. */
export function syncDirectory(disk: Disk, descriptor: number): void {
  try {
    disk.sync(descriptor);
  } catch (error) {
    if (!isUnsyncable(error)) throw error;
  }
}

export function isUnsyncable(error: unknown): boolean {
  return ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EPERM', 'EBADF'].includes(errorCode(error));
}

export function writeAll(disk: Disk, descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += disk.write(descriptor, bytes.subarray(at));
}

function* pieces(head: JournalHead, items: readonly JournalItem[]): Iterable<Buffer> {
  let lines = `${JSON.stringify(head)}\n`;
  for (const item of items) {
    lines += `${JSON.stringify(item)}\n`;
    if (lines.length < PIECE_BYTES) continue;
    yield Buffer.from(lines);
    lines = '';
  }
  yield Buffer.from(lines);
}
