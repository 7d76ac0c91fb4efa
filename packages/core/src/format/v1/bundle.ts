/** Bundles, version 1: `bundle.json`, the paths in the archive, and which names may stand there. */
import { bytePath } from '../../base/path.js';
import { BUNDLE_FORMAT, BUNDLE_LIMITS, type BundleIndex } from '../../model/bundle.js';
import { pathHazard } from '../../model/tree/path-hazard.js';
import type { SnapshotId } from '../../model/snapshot.js';
import { makeCodec } from '../codec.js';
import { fieldKey, list, oneOf, record, type Check } from '../shape.js';
import * as fields from './fields.js';

/** The first file of a bundle. */
export const BUNDLE_FILE = 'bundle.json';
/** The manifest of a folder stands in it under a name that no file of a slice can have. */
export const MANIFEST_FILE = '.manifest';
/** Git trees that prove where files of the worktree stand, by their ids. */
export const PROOF_FOLDER = 'proof';
/** Beside a published snapshot: which files of its slices are not there. */
export const WITHHELD_FILE = 'withheld.json';

const SNAPSHOTS = 64;
const NAME_FORM = /^[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9_-])?$/;

/** Returns where a file of a snapshot lies in the archive. */
export function bundlePath(id: SnapshotId, path: string): string {
  return `${id.slice(0, 16)}/${path}`;
}

/** Returns why a name cannot stand in a folder of a bundled slice, or undefined if it can. */
export function sliceNameHazard(name: string): string | undefined {
  if (!NAME_FORM.test(name)) return 'it has other characters than letters, digits, `.`, `_` and `-`, or is too long';
  return pathHazard(name, true);
}

/** Returns why a file of the worktree cannot be in a bundle, or undefined if it can. */
export function worktreePathHazard(path: string): string | undefined {
  // Cf: characters without a form of their own, with which one name passes for another.
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(path)) return 'it holds a character that cannot be seen';
  return pathHazard(bytePath(path), true);
}

/** Returns what two paths have in common that some file system cannot tell apart. */
export function foldedPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

const path =
  (hazard: (path: string) => string | undefined): Check =>
  (value, at = 'it') => {
    if (typeof value !== 'string') return `${at} is not a string`;
    const reason = value.length > 255 ? 'it is too long' : hazard(value);
    return reason === undefined ? undefined : `${at} is no path of a bundle: ${reason}`;
  };

const withheld = path((value) => {
  const names = value.split('/');
  return names.map(sliceNameHazard).find((reason) => reason !== undefined);
});

const snapshot = record(
  {
    id: fields.snapshotId,
    slices: list(fields.token, 1024, String),
    withheld: list(withheld, BUNDLE_LIMITS.files, String),
    files: list(path(worktreePathHazard), BUNDLE_LIMITS.files, (value) => foldedPath(value as string)),
  },
  {},
  (value) => {
    // Nothing covers this file but itself: what is not understood cannot be passed on.
    if (Object.keys(value).length !== 4) return 'it has a field that is not covered by anything';
    return spelledTwice(value['files'] as readonly string[]) ? 'files has one folder in two spellings' : undefined;
  },
);

/** Tells whether two of the paths have a folder in common for some file systems and not for others. */
export function spelledTwice(paths: readonly string[]): boolean {
  const spellings = new Map<string, string>();
  for (const one of paths) {
    for (let at = one.indexOf('/'); at > 0; at = one.indexOf('/', at + 1)) {
      const folder = one.slice(0, at);
      const known = spellings.get(foldedPath(folder));
      if (known !== undefined && known !== folder) return true;
      spellings.set(foldedPath(folder), folder);
    }
  }
  return false;
}

const codec = makeCodec<BundleIndex>({
  what: 'The file bundle.json',
  maxBytes: BUNDLE_LIMITS.indexBytes,
  family: 'savepoint.bundle',
  check: record(
    {
      format: oneOf(BUNDLE_FORMAT),
      snapshots: list(snapshot, SNAPSHOTS, (value) => fieldKey(value, 'id').slice(0, 16)),
    },
    {},
    ({ snapshots, ...rest }) => {
      if (Object.keys(rest).length > 1) return 'it has a field that is not covered by anything';
      return (snapshots as readonly unknown[]).length === 0 ? 'it names no snapshot' : undefined;
    },
  ),
  order: (value) => ({
    ...value,
    snapshots: value.snapshots.map((one) => ({
      ...one,
      slices: fields.byBytes(one.slices),
      withheld: fields.byBytes(one.withheld),
      files: fields.byBytes(one.files),
    })),
  }),
});

/** Returns the canonical bytes of `bundle.json`. @throws invariant_broken if it is malformed */
export function encodeBundleIndex(value: BundleIndex): Uint8Array {
  return codec.encode(value);
}

/** Reads `bundle.json`. @throws format_unreadable; format_version_unsupported */
export function decodeBundleIndex(bytes: Uint8Array): BundleIndex {
  return codec.decode(bytes);
}
