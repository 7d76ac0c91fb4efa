/** Where the buckets of records lie below `<slice>/<session>/`, so that no folder has more than `FOLDER_LIMIT` entries. */
import { contextError } from '../../../base/errors.js';
import { FOLDER_LIMIT } from '../layout.js';

/** So many records stand in a bucket, by sequence. */
export const BUCKET_RECORDS = 16;
// `window.json` stands beside the uppermost folders.
const TOPS = FOLDER_LIMIT - 1;

/** A session has at most this many buckets of a kind: 258,048, or 4,128,768 records. */
export const BUCKET_LIMIT = TOPS * FOLDER_LIMIT * FOLDER_LIMIT;

const digits = (value: number): string => value.toString(16).padStart(2, '0');

/** Returns the path of bucket `index` (from 0), such as `00/00/1f.json`. @throws invariant_broken beyond BUCKET_LIMIT */
export function bucketPath(index: number): string {
  if (!Number.isInteger(index) || index < 0 || index >= BUCKET_LIMIT) {
    throw contextError('invariant_broken', { reason: `a session has no place for bucket ${String(index)}` });
  }
  const leaf = Math.floor(index / FOLDER_LIMIT);
  return `${[Math.floor(leaf / FOLDER_LIMIT), leaf % FOLDER_LIMIT, index % FOLDER_LIMIT].map(digits).join('/')}.json`;
}

/** Returns the index of the bucket at a path, or undefined if no bucket has this path. */
export function bucketIndex(path: string): number | undefined {
  const found = /^([0-9a-f]{2})\/([0-9a-f]{2})\/([0-9a-f]{2})\.json$/.exec(path);
  if (found === null) return undefined;
  const [top = 0, leaf = 0, bucket = 0] = found.slice(1).map((pair) => Number.parseInt(pair, 16));
  return top < TOPS && leaf < FOLDER_LIMIT && bucket < FOLDER_LIMIT
    ? (top * FOLDER_LIMIT + leaf) * FOLDER_LIMIT + bucket
    : undefined;
}
