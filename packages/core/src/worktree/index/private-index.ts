/**
 * The private index: git's index format version 2 (gitformat-index(5)) with the raw blob of every file of the last
 * snapshot and the status it had, so that `git diff-files` names what may have changed without reading it.
 */
import { createHash } from 'node:crypto';
import type { BytePath } from '../../base/path.js';
import type { ObjectFormat } from '../../model/tree/anchor.js';
import type { ObjectId } from '../../model/tree/tree.js';

export interface PrivateEntry {
  readonly mode: number;
  readonly blob: ObjectId;
  /** A status key, or '' to have git report the file every time. */
  readonly key: string;
  readonly size: number;
}

const HEADER_BYTES = 12;
const FIXED_BYTES = 40;
const SECOND = 1_000_000_000n;
const MODE_OFFSET = 24;
const SIZE_OFFSET = 36;
const NAME_LENGTH_MOST = 0xfff;

/** Writes an index of the given paths; `entryOf` is asked for one after the other, so that not all are held at once. */
export function encodePrivateIndex(
  format: ObjectFormat,
  unsorted: readonly BytePath[],
  entryOf: (path: BytePath) => PrivateEntry | undefined,
): Buffer {
  const paths = [...unsorted].sort();
  const idBytes = ID_BYTES[format];
  const total = paths.reduce((sum, path) => sum + entryBytes(path, idBytes), HEADER_BYTES);
  const index = startIndex(paths.length, total + idBytes);
  let at = HEADER_BYTES;
  for (const path of paths) {
    const entry = entryOf(path);
    const end = at + entryBytes(path, idBytes);
    if (entry !== undefined) writeEntry(index.subarray(at, end), path, entry);
    at = end;
  }
  return finishIndex(format, index);
}

const ID_BYTES: Readonly<Record<ObjectFormat, number>> = { sha1: 20, sha256: 32 };

function startIndex(entries: number, bytes: number): Buffer {
  const index = Buffer.alloc(bytes);
  index.write('DIRC', 0, 'latin1');
  index.writeUInt32BE(2, 4);
  index.writeUInt32BE(entries, 8);
  return index;
}

function finishIndex(format: ObjectFormat, index: Buffer): Buffer {
  const end = index.length - ID_BYTES[format];
  createHash(format).update(index.subarray(0, end)).digest().copy(index, end);
  return index;
}

// One to eight NULs end an entry, so that its length is a multiple of eight.
function entryBytes(path: BytePath, idBytes: number): number {
  const length = FIXED_BYTES + idBytes + 2 + path.length;
  return length + 8 - (length % 8);
}

const SECOND_DIGITS = 9;
/** A number of so many digits is exact as a double. */
const EXACT_DIGITS = 15;

// Text in, words out: big integers for 50,000 files are 20 MB of garbage.
function low32(digits: string): number {
  return digits.length <= EXACT_DIGITS ? (Number(digits) % 2 ** 32) >>> 0 : Number(BigInt.asUintN(32, BigInt(digits)));
}

function writeTime(bytes: Buffer, at: number, nanoseconds: string): void {
  const isPlain = nanoseconds.length > SECOND_DIGITS && !nanoseconds.startsWith('-');
  const time = isPlain ? 0n : BigInt(nanoseconds);
  const seconds = isPlain ? low32(nanoseconds.slice(0, -SECOND_DIGITS)) : low32(String(time / SECOND));
  bytes.writeUInt32BE(seconds, at);
  bytes.writeUInt32BE(isPlain ? Number(nanoseconds.slice(-SECOND_DIGITS)) : low32(String(time % SECOND)), at + 4);
}

function writeEntry(bytes: Buffer, path: BytePath, { mode, blob, key, size }: PrivateEntry): void {
  const idBytes = blob.length / 2;
  if (key !== '') {
    const [mtime = '', ctime = '', , ino = '', , uid = '', gid = '', dev = ''] = key.split(' ');
    writeTime(bytes, 0, ctime);
    writeTime(bytes, 8, mtime);
    [dev, ino].forEach((word, at) => bytes.writeUInt32BE(low32(word), 16 + at * 4));
    [uid, gid].forEach((word, at) => bytes.writeUInt32BE(low32(word), 28 + at * 4));
  }
  bytes.writeUInt32BE(mode, MODE_OFFSET);
  bytes.writeUInt32BE(size % 2 ** 32, SIZE_OFFSET);
  bytes.write(blob, FIXED_BYTES, 'hex');
  bytes.writeUInt16BE(Math.min(path.length, NAME_LENGTH_MOST), FIXED_BYTES + idBytes);
  bytes.write(path, FIXED_BYTES + idBytes + 2, 'latin1');
}

/** Reads back what `encodePrivateIndex` wrote, entry bytes untouched. Returns undefined if the bytes are damaged. */
export function decodePrivateIndex(format: ObjectFormat, bytes: Buffer): Map<BytePath, Buffer> | undefined {
  const idBytes = format === 'sha1' ? 20 : 32;
  const end = bytes.length - idBytes;
  if (end < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== 'DIRC' || bytes.readUInt32BE(4) !== 2) return undefined;
  if (!createHash(format).update(bytes.subarray(0, end)).digest().equals(bytes.subarray(end))) return undefined;
  const entries = new Map<BytePath, Buffer>();
  for (let at = HEADER_BYTES; at < end;) {
    const name = at + FIXED_BYTES + idBytes + 2;
    const nul = bytes.indexOf(0, name);
    if (nul < 0 || nul >= end) return undefined;
    const length = nul - at;
    const next = at + length + 8 - (length % 8);
    entries.set(bytes.toString('latin1', name, nul), bytes.subarray(at, next));
    at = next;
  }
  return entries.size === bytes.readUInt32BE(8) ? entries : undefined;
}

/** Writes an index from entries read by `decodePrivateIndex`, some replaced (by new ones) or removed (undefined). */
export function patchPrivateIndex(
  format: ObjectFormat,
  old: ReadonlyMap<BytePath, Buffer>,
  changes: ReadonlyMap<BytePath, PrivateEntry | undefined>,
): Buffer {
  const encoded = new Map(old);
  const idBytes = ID_BYTES[format];
  for (const [path, entry] of changes) {
    if (entry === undefined) {
      encoded.delete(path);
      continue;
    }
    const bytes = Buffer.alloc(entryBytes(path, idBytes));
    writeEntry(bytes, path, entry);
    encoded.set(path, bytes);
  }
  const pieces = [...encoded].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bytes]) => bytes);
  const total = pieces.reduce((sum, { length }) => sum + length, HEADER_BYTES);
  const index = startIndex(pieces.length, total + idBytes);
  let at = HEADER_BYTES;
  for (const piece of pieces) at += piece.copy(index, at);
  return finishIndex(format, index);
}

export interface IndexedFile {
  readonly mode: number;
  readonly blob: ObjectId;
  /** Modulo 2^32, as git keeps it. */
  readonly size: number;
}

/** Finds single entries in an encoded index, which has them in the order of their paths, without reading the others. */
export class IndexedFiles {
  readonly #format: ObjectFormat;
  readonly #index: Buffer;
  /** Where the entries begin. */
  readonly #offsets: Uint32Array;

  constructor(format: ObjectFormat, index: Buffer) {
    this.#format = format;
    this.#index = index;
    this.#offsets = entryOffsets(format, index);
  }

  find(path: BytePath): IndexedFile | undefined {
    const name = Buffer.from(path, 'latin1');
    let [low, high] = [0, this.#offsets.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = this.#offsets[middle] ?? 0;
      const order = this.#index.compare(name, 0, name.length, this.#nameAt(at), this.#nameEnd(at));
      if (order === 0) return this.#fileAt(at);
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  #nameAt(at: number): number {
    return at + FIXED_BYTES + ID_BYTES[this.#format] + 2;
  }

  #nameEnd(at: number): number {
    return nameEnd(this.#index, this.#nameAt(at));
  }

  #fileAt(at: number): IndexedFile {
    const index = this.#index;
    const blob = index.toString('hex', at + FIXED_BYTES, at + FIXED_BYTES + ID_BYTES[this.#format]);
    return { mode: index.readUInt32BE(at + MODE_OFFSET), blob, size: index.readUInt32BE(at + SIZE_OFFSET) };
  }
}

function entryOffsets(format: ObjectFormat, index: Buffer): Uint32Array {
  const offsets = new Uint32Array(index.readUInt32BE(8));
  const nameOffset = FIXED_BYTES + ID_BYTES[format] + 2;
  let at = HEADER_BYTES;
  for (let entry = 0; entry < offsets.length; entry += 1) {
    offsets[entry] = at;
    const length = nameEnd(index, at + nameOffset) - at;
    at += length + 8 - (length % 8);
  }
  return offsets;
}

// The flags before a name hold its length, unless it is too long for them.
function nameEnd(index: Buffer, from: number): number {
  const length = index.readUInt16BE(from - 2) & NAME_LENGTH_MOST;
  return length < NAME_LENGTH_MOST ? from + length : index.indexOf(0, from);
}
