/**
 * Headers of a tar archive (POSIX.1-2017, pax, "ustar Interchange Format") in which path and size are free and every other
 * byte is fixed. A reader makes the header again from the two and demands the same bytes: none of what tar programs read
 * differently (links, modes, extensions, spellings of a number) can stand in it.
 */
import { compareBytes, strictText, utf8 } from '../base/bytes.js';

export const BLOCK_BYTES = 512;

export interface UstarEntry {
  readonly path: string;
  readonly bytes: number;
}

const [NAME, PREFIX] = [
  { at: 0, bytes: 100 },
  { at: 345, bytes: 155 },
] as const;
const SIZE = { at: 124, digits: 11 } as const;
const CHECKSUM = { at: 148, bytes: 8 } as const;
/** Mode 0644, owner and group 0, time 0, a regular file, no device. */
const FIXED: readonly (readonly [at: number, text: string])[] = [
  [100, '0000644\0'],
  [108, '0000000\0'],
  [116, '0000000\0'],
  [136, '00000000000\0'],
  [156, '0'],
  [257, 'ustar\0' + '00'],
  [329, '0000000\0'],
  [337, '0000000\0'],
];

const TEMPLATE = Buffer.alloc(BLOCK_BYTES);
for (const [at, text] of FIXED) TEMPLATE.write(text, at, 'latin1');
TEMPLATE.fill(' ', CHECKSUM.at, CHECKSUM.at + CHECKSUM.bytes);
const FIXED_SUM = sumOf(TEMPLATE);

/** Returns the header of a file, or undefined where its path or size has no place in one. */
export function ustarHeader({ path, bytes }: UstarEntry): Uint8Array | undefined {
  const parts = splitPath(Buffer.from(utf8(path)));
  const size = bytes.toString(8);
  if (parts === undefined || size.length > SIZE.digits) return undefined;
  const header = Buffer.from(TEMPLATE);
  parts.name.copy(header, NAME.at);
  parts.prefix.copy(header, PREFIX.at);
  const digits = Buffer.from(size.padStart(SIZE.digits, '0'), 'latin1');
  digits.copy(header, SIZE.at);
  // A bundle has hundreds of these, and each is made again when it is read: what is the same in all is not added up again.
  const sum = FIXED_SUM + sumOf(parts.name) + sumOf(parts.prefix) + sumOf(digits);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, CHECKSUM.at, 'latin1');
  return new Uint8Array(header);
}

/** Returns what a header says, or undefined where it is not exactly one that `ustarHeader` makes. */
export function readUstarHeader(block: Uint8Array): UstarEntry | undefined {
  const header = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  const [name, prefix] = [textOf(header, NAME), textOf(header, PREFIX)];
  const digits = header.toString('latin1', SIZE.at, SIZE.at + SIZE.digits);
  if (name === undefined || prefix === undefined || !/^[0-7]+$/.test(digits)) return undefined;
  const entry = { path: prefix === '' ? name : `${prefix}/${name}`, bytes: Number.parseInt(digits, 8) };
  const again = ustarHeader(entry);
  return again !== undefined && compareBytes(again, block) === 0 ? entry : undefined;
}

/** Returns how many zero bytes follow content of this size. */
export function paddingBytes(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
}

function sumOf(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 1) sum += bytes[at] ?? 0;
  return sum;
}

// At the first slash behind which the rest fits: one path has one form.
function splitPath(path: Buffer): { readonly prefix: Buffer; readonly name: Buffer } | undefined {
  if (path.length === 0 || path.includes(0)) return undefined;
  if (path.length <= NAME.bytes) return { prefix: Buffer.alloc(0), name: path };
  const slash = path.indexOf(0x2f, Math.max(1, path.length - NAME.bytes - 1));
  if (slash < 0 || slash > PREFIX.bytes || slash === path.length - 1) return undefined;
  return { prefix: path.subarray(0, slash), name: path.subarray(slash + 1) };
}

function textOf(header: Buffer, { at, bytes }: { readonly at: number; readonly bytes: number }): string | undefined {
  const field = header.subarray(at, at + bytes);
  const end = field.indexOf(0);
  return strictText(field.subarray(0, end < 0 ? field.length : end));
}
