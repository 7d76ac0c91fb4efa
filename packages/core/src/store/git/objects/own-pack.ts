/**
 * A pack that this process wrote, as it lies in the store: whether certain objects can be read from it, which its index
 * says (gitformat-pack(5), version 2). So what is new can be looked up again without starting git for it.
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ObjectFormat } from '../../../model/tree/anchor.js';
import type { ObjectId } from '../../../model/tree/tree.js';

export interface OwnPack {
  /** Absolute path of the pack. */
  readonly file: string;
  readonly size: number;
  readonly inode: number;
}

const MAGIC = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);
const FANOUT_BYTES = 256 * 4;

/** Returns the pack among the files that were moved into a folder; undefined where there is not exactly one. */
export function findOwnPack(folder: string, names: readonly string[]): OwnPack | undefined {
  const [name, ...others] = names.filter((one) => one.endsWith('.pack'));
  if (name === undefined || others.length > 0) return undefined;
  const file = path.join(folder, name);
  const { size, ino } = statSync(file);
  return { file, size, inode: ino };
}

/** Tells whether the pack is where it was, whole, and its index has all these objects. */
export function holdsAll(format: ObjectFormat, pack: OwnPack, ids: Iterable<ObjectId>): boolean {
  const isIn = finderIn(format, pack);
  if (isIn === undefined) return false;
  for (const id of ids) if (!isIn(id)) return false;
  return true;
}

/** Returns those of the objects that the pack does not have, or may not have. */
export function notIn(format: ObjectFormat, pack: OwnPack | undefined, ids: Iterable<ObjectId>): readonly ObjectId[] {
  const isIn = pack === undefined ? undefined : finderIn(format, pack);
  return [...new Set(ids)].filter((id) => isIn?.(id) !== true);
}

function finderIn(format: ObjectFormat, pack: OwnPack): ((id: ObjectId) => boolean) | undefined {
  try {
    const index = readFileSync(pack.file.replace(/\.pack$/, '.idx'));
    const { size, ino } = statSync(pack.file);
    return size === pack.size && ino === pack.inode ? finder(format, index) : undefined;
  } catch {
    return undefined;
  }
}

function finder(format: ObjectFormat, index: Buffer): ((id: ObjectId) => boolean) | undefined {
  const bytes = format === 'sha1' ? 20 : 32;
  const start = MAGIC.length + FANOUT_BYTES;
  if (index.length < start || !index.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const count = index.readUInt32BE(start - 4);
  // Names, checksums, offsets, and the checksums of pack and index: of a shorter one a part is missing.
  if (index.length < start + count * (bytes + 8) + 2 * bytes) return undefined;
  return (id) => {
    const wanted = Buffer.from(id, 'hex');
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = start + middle * bytes;
      const order = index.compare(wanted, 0, bytes, at, at + bytes);
      if (order === 0) return true;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return false;
  };
}
