/** Makes `filesystem.json` of a scan: modes, empty directories, boundaries, omissions, what was ignored. */
import { fromRepoPath, toRepoPath, type BytePath, type RepoPath } from '../../base/path.js';
import type { Boundary, DivertedFile, FilesystemRecord, ModeException, Omission } from '../../model/tree/filesystem.js';
import { join, splitNames } from '../listing/directory.js';
import type { Directories } from '../listing/known-directories.js';
import { formatMode, usualDirectoryMode, type ModeTable } from '../file/mode-counts.js';
import type { FileMemory, ListedRecord } from './scan-memory.js';

export interface RecordParts {
  readonly files: ReadonlyMap<BytePath, FileMemory>;
  readonly modes: ModeTable;
  readonly listed: ListedRecord;
}

export interface ListedParts {
  readonly directories: Directories;
  readonly submodules: readonly BytePath[];
  /** Paths outside the sparse cone, collapsed. */
  readonly sparse: readonly BytePath[];
  readonly forced: ReadonlySet<BytePath>;
}

export function filesystemRecord({ files, modes, listed }: RecordParts): FilesystemRecord {
  const exceptions = [...modes.exceptions].map(([path, bits]) => ({ ...toRepoPath(path), mode: formatMode(bits) }));
  return {
    modes: {
      file: formatMode(modes.usual.file),
      executable: formatMode(modes.usual.executable),
      directory: listed.directoryMode,
    },
    exceptions: [...exceptions, ...listed.exceptions],
    emptyDirectories: listed.emptyDirectories,
    boundaries: listed.boundaries,
    omitted: [...listed.unreadable, ...omittedFiles(files)].sort(byPath),
    ignored: listed.ignored,
    diverted: diverted(files),
  };
}

/** Looks through all directories; most have nothing to say. */
export function listedRecord(parts: ListedParts): ListedRecord {
  const open = [...parts.directories].filter(([path, { closed }]) => path !== '' && closed === undefined);
  const directory = usualDirectoryMode(open.map(([, { permissions }]) => permissions));
  const exceptions: ModeException[] = [];
  const emptyDirectories: BytePath[] = [];
  const holding = new Set([...parts.forced].flatMap(parentsOf));
  for (const [path, { permissions, files: held, directories: below }] of open) {
    if (permissions !== directory) exceptions.push({ ...toRepoPath(`${path}/`), mode: formatMode(permissions) });
    if (held === '' && below === '' && !holding.has(path)) emptyDirectories.push(path);
  }
  const { boundaries, unreadable, ignored } = leftOut(parts);
  return {
    directoryMode: formatMode(directory),
    exceptions,
    emptyDirectories: emptyDirectories.map(toRepoPath),
    boundaries,
    unreadable,
    ignored: ignored.map(toRepoPath),
  };
}

function parentsOf(path: BytePath): BytePath[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
}

// The body lists them as they are here, and its arrays are in the byte order of the path.
function byPath(a: RepoPath, b: RepoPath): number {
  return fromRepoPath(a) < fromRepoPath(b) ? -1 : 1;
}

interface LeftOut {
  readonly boundaries: Boundary[];
  readonly unreadable: Omission[];
  readonly ignored: BytePath[];
}

/** What the listing keeps out of the tree. */
function leftOut({ directories, submodules, sparse, forced }: ListedParts): LeftOut {
  const boundaries = new Map<BytePath, Boundary['kind']>();
  const unreadable: Omission[] = [];
  const ignored: BytePath[] = [];
  for (const [path, { closed, special, ignoredFiles, ignoredDirectories }] of directories) {
    if (closed === 'repository' || closed === 'submodule') boundaries.set(path, closed);
    else if (closed === 'unreadable') unreadable.push({ ...toRepoPath(`${path}/`), reason: 'unreadable' });
    if (special === '' && ignoredFiles === '' && ignoredDirectories === '') continue;
    for (const name of splitNames(special))
      boundaries.set(join(path, name), name === '.git' ? 'repository' : 'special');
    for (const name of splitNames(ignoredDirectories)) ignored.push(`${join(path, name)}/`);
    for (const name of splitNames(ignoredFiles)) if (!forced.has(join(path, name))) ignored.push(join(path, name));
  }
  for (const path of submodules) boundaries.set(path, 'submodule');
  for (const path of sparse) boundaries.set(path, 'sparse');
  const inOrder = [...boundaries].sort(([a], [b]) => (a < b ? -1 : 1));
  return { boundaries: inOrder.map(([path, kind]) => ({ ...toRepoPath(path), kind })), unreadable, ignored };
}

function omittedFiles(files: RecordParts['files']): Omission[] {
  const omitted: Omission[] = [];
  for (const [path, { left, size }] of files) {
    if (left === undefined || left === 'special' || left === 'diverted' || left === 'absent') continue;
    omitted.push({ ...toRepoPath(path), reason: left, ...(size > 0 ? { bytes: size } : {}) });
  }
  return omitted;
}

function diverted(files: RecordParts['files']): DivertedFile[] {
  return [...files]
    .filter(([, { left }]) => left === 'diverted')
    .map(([path, { mode, blob }]) => ({
      ...toRepoPath(path),
      type: mode === '120000' ? 'link' : 'file',
      mode: mode === '100755' ? '0755' : '0644',
      blob,
    }));
}
