/** Makes `filesystem.json` of a scan: modes, empty directories, boundaries, omissions, what was ignored. */
import { toRepoPath, type BytePath } from '../base/path.js';
import type { Boundary, DivertedFile, FilesystemRecord, ModeException, Omission } from '../model/filesystem.js';
import { join } from './directories.js';
import { formatMode, usualDirectoryMode, type ModeTable } from './mode-counts.js';
import { splitNames, type DirectoryMemory, type FileMemory } from './scan-memory.js';

export interface RecordParts {
  readonly directories: ReadonlyMap<BytePath, DirectoryMemory>;
  readonly files: ReadonlyMap<BytePath, FileMemory>;
  readonly modes: ModeTable;
  readonly submodules: readonly BytePath[];
  /** Paths outside the sparse cone, collapsed. */
  readonly sparse: readonly BytePath[];
  readonly forced: ReadonlySet<BytePath>;
}

export function filesystemRecord(parts: RecordParts): FilesystemRecord {
  const { directories, files, modes } = parts;
  const directory = usualDirectoryMode(openDirectories(directories).map(([, { permissions }]) => permissions));
  const exceptions: ModeException[] = [...modes.exceptions].map(([path, bits]) => ({
    ...toRepoPath(path),
    mode: formatMode(bits),
  }));
  const emptyDirectories: BytePath[] = [];
  const holding = new Set([...parts.forced].flatMap(parentsOf));
  for (const [path, { permissions, files: held, directories: below }] of openDirectories(directories)) {
    if (permissions !== directory) exceptions.push({ ...toRepoPath(`${path}/`), mode: formatMode(permissions) });
    if (held === '' && below === '' && !holding.has(path)) emptyDirectories.push(path);
  }
  return {
    modes: {
      file: formatMode(modes.usual.file),
      executable: formatMode(modes.usual.executable),
      directory: formatMode(directory),
    },
    exceptions,
    emptyDirectories: emptyDirectories.map(toRepoPath),
    boundaries: boundaries(parts),
    omitted: omissions(directories, files),
    ignored: [...ignoredNames(directories, parts.forced)].map(toRepoPath),
    diverted: diverted(files),
  };
}

function parentsOf(path: BytePath): BytePath[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
}

function openDirectories(directories: RecordParts['directories']): [BytePath, DirectoryMemory][] {
  return [...directories].filter(([path, { closed }]) => path !== '' && closed === undefined);
}

function boundaries({ directories, submodules, sparse }: RecordParts): Boundary[] {
  const found = new Map<BytePath, Boundary['kind']>();
  for (const [path, { closed, special }] of directories) {
    if (closed === 'repository' || closed === 'submodule') found.set(path, closed);
    for (const name of splitNames(special)) found.set(join(path, name), 'special');
  }
  for (const path of submodules) found.set(path, 'submodule');
  for (const path of sparse) found.set(path, 'sparse');
  return [...found].map(([path, kind]) => ({ ...toRepoPath(path), kind }));
}

function omissions(directories: RecordParts['directories'], files: RecordParts['files']): Omission[] {
  const omitted: Omission[] = [];
  for (const [path, { closed }] of directories) {
    if (closed === 'unreadable') omitted.push({ ...toRepoPath(`${path}/`), reason: 'unreadable' });
  }
  for (const [path, { left, size }] of files) {
    if (left === undefined || left === 'special' || left === 'diverted' || left === 'absent') continue;
    omitted.push({ ...toRepoPath(path), reason: left, ...(size > 0 ? { bytes: size } : {}) });
  }
  return omitted;
}

function* ignoredNames(directories: RecordParts['directories'], forced: ReadonlySet<BytePath>): Iterable<BytePath> {
  for (const [path, { ignoredFiles, ignoredDirectories }] of directories) {
    for (const name of splitNames(ignoredDirectories)) yield `${join(path, name)}/`;
    for (const name of splitNames(ignoredFiles)) if (!forced.has(join(path, name))) yield join(path, name);
  }
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
