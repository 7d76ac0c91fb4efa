/**
 * Where the buckets of records lie below `<slice>/<session>/`: the first ones directly, so that most sessions need no folders,
 * later ones below one folder, then below two, so that no folder has more than `FOLDER_LIMIT` entries.
 */
import { contextError } from '../../../base/errors.js';
import { FOLDER_LIMIT } from '../layout.js';

/** So many records stand in a bucket, by sequence. */
export const BUCKET_RECORDS = 32;

interface Range {
  /** Names of the first level: `from` up to `to`, which is not among them. */
  readonly from: number;
  readonly to: number;
  /** Buckets below each of them. */
  readonly below: number;
  /** Of the first bucket. */
  readonly first: number;
}

// Together with `window.json`, `FOLDER_LIMIT` names.
const [FILES, FOLDERS, NAMES] = [32, 48, FOLDER_LIMIT - 1];
const DEEP = FILES + (FOLDERS - FILES) * FOLDER_LIMIT;
const RANGES: readonly Range[] = [
  { from: 0, to: FILES, below: 1, first: 0 },
  { from: FILES, to: FOLDERS, below: FOLDER_LIMIT, first: FILES },
  { from: FOLDERS, to: NAMES, below: FOLDER_LIMIT * FOLDER_LIMIT, first: DEEP },
];

/** A session has at most this many buckets of a kind: 62,496, or 1,999,872 records. */
export const BUCKET_LIMIT = DEEP + (NAMES - FOLDERS) * FOLDER_LIMIT * FOLDER_LIMIT;

const digits = (value: number): string => value.toString(16).padStart(2, '0');

/** Returns the path of bucket `index` (from 0), such as `1f.json` or `20/00.json`. @throws invariant_broken beyond BUCKET_LIMIT */
export function bucketPath(index: number): string {
  const range = RANGES.find(({ from, to, below, first }) => index < first + (to - from) * below);
  if (!Number.isInteger(index) || index < 0 || range === undefined) {
    throw contextError('invariant_broken', { reason: `a session has no place for bucket ${String(index)}` });
  }
  let rest = index - range.first;
  const names: string[] = [];
  for (let below = range.below; below > 1; below /= FOLDER_LIMIT) {
    names.push(digits(Math.floor(rest / below) + (names.length === 0 ? range.from : 0)));
    rest %= below;
  }
  names.push(digits(rest + (names.length === 0 ? range.from : 0)));
  return `${names.join('/')}.json`;
}

/** Returns the index of the bucket at a path, or undefined if no bucket has this path. */
export function bucketIndex(path: string): number | undefined {
  if (!/^[0-9a-f]{2}(?:\/[0-9a-f]{2}){0,2}\.json$/.test(path)) return undefined;
  const [top = 0, ...names] = path
    .slice(0, -'.json'.length)
    .split('/')
    .map((name) => Number.parseInt(name, 16));
  const range = RANGES.find(({ from, to }) => from <= top && top < to);
  if (range?.below !== FOLDER_LIMIT ** names.length || names.some((name) => name >= FOLDER_LIMIT)) return undefined;
  return names.reduce(
    (sum, name, at) => sum + name * FOLDER_LIMIT ** (names.length - 1 - at),
    range.first + (top - range.from) * range.below,
  );
}
