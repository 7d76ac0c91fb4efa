/** What a comparison cannot tell, since a side left it out: its content is in no store, so it may have changed unseen. */
import { fromRepoPath, type BytePath } from '../../base/path.js';
import type { FilesystemRecord } from '../../model/tree/filesystem.js';
import type { UnknownDifference } from './compare.js';

type Unknown = Omit<UnknownDifference, 'state'>;

/** Returns the omitted paths of both sides that `found` does not speak of yet, joined with it, in byte order. */
export function withOmissions(
  found: readonly UnknownDifference[],
  before: FilesystemRecord | undefined,
  after: FilesystemRecord | undefined,
): readonly Unknown[] {
  const own = [...missing('from', before, found), ...missing('to', after, found)];
  return own.length === 0 ? found : [...found, ...own].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function missing(
  side: Unknown['side'],
  filesystem: FilesystemRecord | undefined,
  found: readonly Unknown[],
): readonly Unknown[] {
  const omitted = (filesystem?.omitted ?? []).map((entry) => fromRepoPath(entry).replace(/\/$/, ''));
  if (omitted.length === 0) return [];
  const told = found.filter((one) => one.side === side).map(({ path }) => path);
  const isTold = (path: BytePath) => told.some((one) => one === path || one.startsWith(`${path}/`));
  return omitted.filter((path) => !isTold(path)).map((path) => ({ path, side, reason: 'omitted' }));
}
