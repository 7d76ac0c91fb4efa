/**
 * A digest of what the user's index says, without the file statuses in it: `git status` writes the index anew whenever
 * a status changed, and then nothing needs to be worked out again. It is only compared, never read for its meaning
 * (gitformat-index(5)).
 */
import { createHash } from 'node:crypto';
import type { ObjectFormat } from '../../model/tree/anchor.js';

const HEADER_BYTES = 12;
const MODE_OFFSET = 24;
const MODE_END = 28;
const STATUS_END = 40;
const EXTENDED = 0x4000;
const NAME_LENGTH = 0xfff;

/** Returns the digest, or undefined for an index of a kind that has to be asked of git (split, sparse, unknown). */
export function indexFingerprint(format: ObjectFormat, index: Buffer): string | undefined {
  const idBytes = format === 'sha1' ? 20 : 32;
  if (index.length < HEADER_BYTES + idBytes || index.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const copy = Buffer.from(index);
  const end = copy.length - idBytes;
  let at = HEADER_BYTES;
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    if (at + STATUS_END + idBytes + 2 > end) return undefined;
    copy.fill(0, at, at + MODE_OFFSET).fill(0, at + MODE_END, at + STATUS_END);
    const next = entryEnd(copy, at, { version, idBytes });
    if (next === undefined || next > end) return undefined;
    at = next;
  }
  if (!onlyOptionalExtensions(copy, at, end)) return undefined;
  return createHash('sha1').update(copy.subarray(HEADER_BYTES, at)).digest('hex');
}

interface Encoding {
  readonly version: number;
  readonly idBytes: number;
}

function entryEnd(index: Buffer, at: number, { version, idBytes }: Encoding): number | undefined {
  const flags = index.readUInt16BE(at + STATUS_END + idBytes);
  const name = at + STATUS_END + idBytes + 2 + (version > 2 && (flags & EXTENDED) !== 0 ? 2 : 0);
  // Version 4 has no padding, and before the name how much of the last one to drop; that number may hold a NUL byte.
  const start = version === 4 ? afterNumber(index, name) : name;
  const length = flags & NAME_LENGTH;
  const nul = version === 4 || length === NAME_LENGTH ? index.indexOf(0, start) : start + length;
  if (nul < 0) return undefined;
  return version === 4 ? nul + 1 : at + ((nul - at + 8) & ~7);
}

function afterNumber(index: Buffer, at: number): number {
  let end = at;
  while (((index[end] ?? 0) & 0x80) !== 0) end += 1;
  return end + 1;
}

// An extension whose name begins with a small letter changes what the entries mean (`link`, `sdir`).
function onlyOptionalExtensions(index: Buffer, from: number, end: number): boolean {
  let at = from;
  while (at + 8 <= end) {
    if (!/^[A-Z]/.test(index.toString('latin1', at, at + 1))) return false;
    at += 8 + index.readUInt32BE(at + 4);
  }
  return at === end;
}
