/** Where the parts of a transcript lie below `transcript/<session>/`, so that no folder has more than `FOLDER_LIMIT` entries. */
import { contextError } from '../../base/errors.js';
import { FOLDER_LIMIT } from './layout.js';

// Each part is two files: the bytes and their sidecar.
const PER_LEAF = FOLDER_LIMIT / 2;
const LEAVES = FOLDER_LIMIT;
// `source.json` stands beside the uppermost folders.
const TOPS = FOLDER_LIMIT - 1;

/** A transcript has at most this many parts: 129,024, or 7.9 GiB of full ones. */
export const PART_LIMIT = TOPS * LEAVES * PER_LEAF;

const digits = (value: number): string => value.toString(16).padStart(2, '0');

/**
 * Returns the path of part `index` (from 0) without its ending, such as `00/3f/1f`; `.jsonl` and `.json` follow.
 * @throws invariant_broken beyond PART_LIMIT
 */
export function partPath(index: number): string {
  if (!Number.isInteger(index) || index < 0 || index >= PART_LIMIT) {
    throw contextError('invariant_broken', { reason: `a transcript has no place for part ${String(index)}` });
  }
  const leaf = Math.floor(index / PER_LEAF);
  return [Math.floor(leaf / LEAVES), leaf % LEAVES, index % PER_LEAF].map(digits).join('/');
}

/** Returns the index of the part at a path, with or without its ending, or undefined if no part has this path. */
export function partIndex(path: string): number | undefined {
  const found = /^([0-9a-f]{2})\/([0-9a-f]{2})\/([0-9a-f]{2})(?:\.jsonl?)?$/.exec(path);
  if (found === null) return undefined;
  const [top = 0, leaf = 0, part = 0] = found.slice(1).map((pair) => Number.parseInt(pair, 16));
  return top < TOPS && leaf < LEAVES && part < PER_LEAF ? (top * LEAVES + leaf) * PER_LEAF + part : undefined;
}
