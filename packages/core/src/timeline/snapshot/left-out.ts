/** Why a snapshot does not hold a path, in words: nobody should take what was left out for what was not there. */
import { contextError, type ContextError } from '../../base/errors.js';
import { bytePath, fromRepoPath, toRepoPath, type BytePath, type RepoPath } from '../../base/path.js';
import { shortId } from '../../format/v1/body.js';
import type { BoundaryKind, FilesystemRecord, OmissionReason } from '../../model/tree/filesystem.js';
import type { Store } from '../../store/store.js';
import type { LoadedSnapshot } from './load.js';
import { readFilesystem } from './slices.js';

const OMITTED: Readonly<Record<Exclude<OmissionReason, 'over_limit'>, string>> = {
  unreadable: 'could not be read',
  changing: 'kept changing while it was read',
  too_large: 'was larger than `capture.maxFileBytes`',
};
const BOUNDARIES: Readonly<Record<BoundaryKind, string>> = {
  submodule: 'is a submodule',
  repository: 'is a repository of its own',
  special: 'is neither a file nor a link nor a directory',
  sparse: 'lies outside the sparse checkout',
};

/** Returns what to say of a file that a snapshot has not: `path_left_out` with the reason, or `path_not_found`. */
export async function noSuchFile(store: Store, snapshot: LoadedSnapshot, path: string): Promise<ContextError> {
  const filesystem = await readFilesystem(store, snapshot);
  const reason = filesystem && leftOutReason(filesystem, bytePath(path));
  const named = { snapshot: shortId(snapshot.id), path };
  return reason === undefined
    ? contextError('path_not_found', named)
    : contextError('path_left_out', { ...named, reason });
}

function leftOutReason(record: FilesystemRecord, path: BytePath): string | undefined {
  const { omitted, boundaries, ignored } = record;
  const above = <T extends RepoPath>(entries: readonly T[]): T | undefined =>
    entries.find((entry) => path === plain(entry) || path.startsWith(`${plain(entry)}/`));
  const [omission, boundary, rule] = [above(omitted), above(boundaries), above(ignored)];
  const found = omission ?? boundary ?? rule;
  if (found === undefined) return undefined;
  if (omission?.reason === 'over_limit') return '`capture.maxNewBytes` was reached before it';
  const name = path === plain(found) ? 'it' : toRepoPath(plain(found)).path;
  return `${name} ${omission ? OMITTED[omission.reason] : boundary ? BOUNDARIES[boundary.kind] : 'was ignored'}`;
}

function plain(entry: RepoPath): BytePath {
  return fromRepoPath(entry).replace(/\/$/, '');
}
