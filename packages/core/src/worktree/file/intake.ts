/** Reads files exactly: what is stored is what was on disk at one moment, or the file is named as left out. */
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, type BigIntStats } from 'node:fs';
import { contextError } from '../../base/errors.js';
import type { BytePath } from '../../base/path.js';
import type { ObjectFormat } from '../../model/tree/anchor.js';
import type { OmissionReason } from '../../model/tree/filesystem.js';
import { objectHash, objectId } from '../../model/tree/object-id.js';
import type { BlobSink, ObjectId, ObjectSource, TreeMode } from '../../model/tree/tree.js';
import { isRacy, lookAt, statKey, systemPath } from '../place/file-stat.js';
import { mayBeRefused } from '../place/refused-names.js';

export interface IntakeRequest {
  readonly root: string;
  readonly objectFormat: ObjectFormat;
  readonly sink: BlobSink;
  readonly objects: ObjectSource;
  readonly maxFileBytes: number;
  readonly maxNewBytes: number;
  /** Content that is known to be in the store. */
  readonly stored: readonly ObjectId[];
  /** When the scan began, milliseconds. */
  readonly began: number;
  /** Told the result of each file. */
  enter(path: BytePath, taken: Taken): void;
}

export type Taken =
  | {
      readonly kind: 'content';
      readonly mode: TreeMode;
      readonly blob: ObjectId;
      readonly size: number;
      readonly key: string;
      readonly permissions: number;
      /** The content itself, where the name or what it says may keep it out of a tree. */
      readonly bytes?: Uint8Array;
    }
  | {
      readonly kind: 'omitted';
      readonly reason: OmissionReason;
      readonly size: number;
      readonly key: string;
      readonly blob: ObjectId;
      readonly permissions: number;
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'special'; readonly key: string };

/** Larger files are read in pieces, twice: once for the id, once more where the store does not have them. */
const WHOLE_BYTES = 1024 * 1024;
const PIECE_BYTES = 256 * 1024;
/** Content that waits for the answer whether the store has it. */
const WAITING_BYTES = 2 * 1024 * 1024;
const WAITING_FILES = 2048;
const ATTEMPTS = 3;

interface Reading {
  readonly stat: BigIntStats;
  readonly blob: ObjectId;
  /** Absent for a large file. */
  readonly bytes?: Buffer;
}

/** Takes in many files; asks the store in groups which content it has. */
export class Intake {
  readonly #request: IntakeRequest;
  #newBytes = 0;
  readonly #waiting: { readonly path: BytePath; readonly reading: Reading }[] = [];
  #waitingBytes = 0;
  readonly #stored: Set<ObjectId>;

  constructor(request: IntakeRequest) {
    this.#request = request;
    this.#stored = new Set(request.stored);
  }

  /** Reads one file; its result is handed out at the latest by `flush`. */
  async take(path: BytePath): Promise<void> {
    const reading = this.#read(path);
    if ('kind' in reading) {
      this.#request.enter(path, reading);
      return;
    }
    this.#waiting.push({ path, reading });
    this.#waitingBytes += reading.bytes?.length ?? 0;
    if (this.#waitingBytes > WAITING_BYTES || this.#waiting.length >= WAITING_FILES) await this.flush();
  }

  async flush(): Promise<void> {
    const group = this.#waiting.splice(0);
    this.#waitingBytes = 0;
    const unknown = [...new Set(group.map(({ reading }) => reading.blob))].filter((blob) => !this.#stored.has(blob));
    // A few small files are stored without asking: that is quicker, and git keeps one copy in the end.
    const asks = unknown.length > 32 || this.#mayExceed(group.map(({ reading }) => reading));
    const answers = asks ? await this.#request.objects.info(unknown) : [];
    unknown.forEach((blob, at) => {
      if (answers[at] !== undefined) this.#stored.add(blob);
    });
    for (const { path, reading } of group) this.#request.enter(path, await this.#store(path, reading));
  }

  // Content that is in the store already counts for no limit, so before one is reached, the store is asked.
  #mayExceed(group: readonly Reading[]): boolean {
    const { maxFileBytes, maxNewBytes } = this.#request;
    const isLarge = ({ stat, bytes }: Reading): boolean => bytes === undefined || stat.size > BigInt(maxFileBytes);
    const total = group.reduce((sum, { stat }) => sum + Number(stat.size), this.#newBytes);
    return total > maxNewBytes || group.some(isLarge);
  }

  async #store(path: BytePath, reading: Reading): Promise<Taken> {
    const { stat, blob, bytes } = reading;
    const size = Number(stat.size);
    if (!this.#stored.has(blob)) {
      const { maxFileBytes, maxNewBytes, sink } = this.#request;
      const reason = size > maxFileBytes ? 'too_large' : this.#newBytes + size > maxNewBytes ? 'over_limit' : undefined;
      if (reason !== undefined)
        return { kind: 'omitted', reason, size, key: this.#key(stat), blob, permissions: permissionsOf(stat) };
      this.#newBytes += size;
      if (bytes !== undefined) await sink.blob(bytes);
      else if ((await sink.blobFrom(size, pieces(systemPath(this.#request.root, path), size))) !== blob)
        return omitted('changing', stat);
      this.#stored.add(blob);
    }
    const kept = bytes !== undefined && mayBeRefused(path) ? { bytes } : {};
    const taken = {
      mode: treeMode(stat),
      blob,
      size: bytes?.length ?? size,
      key: this.#key(stat),
      permissions: permissionsOf(stat),
    };
    return { kind: 'content', ...taken, ...kept };
  }

  #key(stat: BigIntStats): string {
    return isRacy(stat, this.#request.began) ? '' : statKey(stat);
  }

  #read(path: BytePath): Reading | Taken {
    for (let attempt = 1; ; attempt += 1) {
      let stat: BigIntStats | undefined;
      try {
        stat = lookAt(this.#request.root, path);
        if (stat === undefined || stat.isDirectory()) return { kind: 'absent' };
        if (!stat.isFile() && !stat.isSymbolicLink()) return { kind: 'special', key: this.#key(stat) };
        const reading = stat.isSymbolicLink() ? this.#readLink(path, stat) : this.#readFile(path, stat);
        if (reading !== undefined) return reading;
        if (attempt === ATTEMPTS) return omitted('changing', stat);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        // It went or became something else while we looked: look again.
        if ((code === 'ENOENT' || code === 'ELOOP' || code === 'EINVAL' || code === 'ENOTDIR') && attempt < ATTEMPTS)
          continue;
        return omitted('unreadable', stat);
      }
    }
  }

  #readLink(path: BytePath, stat: BigIntStats): Reading {
    const bytes = readlinkSync(systemPath(this.#request.root, path), { encoding: 'buffer' });
    return { stat, bytes, blob: objectId(this.#request.objectFormat, 'blob', bytes) };
  }

  /** Returns undefined if the file changed while it was read. */
  #readFile(path: BytePath, looked: BigIntStats): Reading | undefined {
    // Not following a link and not waiting for a FIFO that took the file's place since.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const descriptor = openSync(systemPath(this.#request.root, path), flags);
    try {
      const before = fstatSync(descriptor, { bigint: true });
      if (!before.isFile() || statKey(before) !== statKey(looked)) return undefined;
      const content =
        before.size > WHOLE_BYTES ? this.#hashLarge(descriptor, before) : readWhole(descriptor, Number(before.size));
      if (content === undefined || statKey(fstatSync(descriptor, { bigint: true })) !== statKey(before))
        return undefined;
      if (typeof content === 'string') return { stat: before, blob: content };
      return { stat: before, bytes: content, blob: objectId(this.#request.objectFormat, 'blob', content) };
    } finally {
      closeSync(descriptor);
    }
  }

  #hashLarge(descriptor: number, stat: BigIntStats): ObjectId | undefined {
    const hash = objectHash(this.#request.objectFormat, 'blob', Number(stat.size));
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    let total = 0;
    for (let count = 1; count > 0; total += count) {
      count = readSync(descriptor, piece, 0, PIECE_BYTES, null);
      hash.update(piece.subarray(0, count));
    }
    return total === Number(stat.size) ? hash.digest('hex') : undefined;
  }
}

function omitted(reason: OmissionReason, stat: BigIntStats | undefined): Taken {
  const permissions = stat === undefined ? 0 : permissionsOf(stat);
  return { kind: 'omitted', reason, size: Number(stat?.size ?? 0n), key: '', blob: '', permissions };
}

// One byte more than the size is asked for, so that growth shows.
function readWhole(descriptor: number, size: number): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(size + 1);
  let total = 0;
  for (let count = 1; count > 0 && total <= size; total += count) {
    count = readSync(descriptor, buffer, total, size + 1 - total, null);
  }
  return total === size ? buffer.subarray(0, size) : undefined;
}

/** Hands out the first `size` bytes; what was appended since is not part of what was hashed. */
async function* pieces(file: string | Buffer, size: number): AsyncIterable<Uint8Array> {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw contextError('worktree_changing', { reason: 'a file went away while it was read' }, error);
  }
  try {
    for (let missing = size; missing > 0;) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, missing));
      const count = readSync(descriptor, piece, 0, piece.length, null);
      if (count === 0) return;
      missing -= count;
      yield await Promise.resolve(piece.subarray(0, count));
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Permission bits, with set-id and sticky bits. */
export function permissionsOf(stat: BigIntStats): number {
  return Number(stat.mode & 0o7777n);
}

export function treeMode(stat: BigIntStats): TreeMode {
  if (stat.isSymbolicLink()) return '120000';
  return (stat.mode & 0o100n) === 0n ? '100644' : '100755';
}
