/**
 * What a scan remembers for the next one. It is a cache: losing it costs time, not exactness, and a damaged one is not
 * read. Maps are kept as lists, because a file may be called `__proto__`.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { BytePath } from '../../base/path.js';
import type { FilesystemRecord, ModeException, Omission, OmissionReason } from '../../model/tree/filesystem.js';
import type { ObjectId, TreeMode } from '../../model/tree/tree.js';
import { isOtherIndex } from '../index/index-file.js';
import type { IndexFacts } from '../index/user-index.js';
import { isOtherDirectoryFile, loadDirectories, saveDirectories } from '../listing/directory-file.js';
import type { Directories } from '../listing/known-directories.js';
import type { Head } from '../place/place.js';
import { writeWhole } from '../place/whole-file.js';

const VERSION = 17;
const FILE = 'memory';

/** A file that differs from the private index. */
export interface FileMemory {
  /** Status key of the moment it was read; '' where it must be read again. */
  readonly key: string;
  readonly mode: TreeMode;
  readonly blob: ObjectId;
  readonly size: number;
  /** Where its content is not in the snapshot's tree; `absent` where the private index has a path that is gone. */
  readonly left?: OmissionReason | 'special' | 'diverted' | 'absent';
}

/** What the listing of directories alone decides. */
export interface ListedRecord extends Pick<FilesystemRecord, 'emptyDirectories' | 'boundaries' | 'ignored'> {
  readonly directoryMode: string;
  /** Directories that have another mode. */
  readonly exceptions: readonly ModeException[];
  readonly unreadable: readonly Omission[];
}

export interface ScanMemory {
  /** Folder `worktree/` of the snapshot that this memory belongs to. */
  readonly tree: ObjectId | undefined;
  /** File name of the private index, and its status: another file is not ours. */
  readonly index: { readonly name: string; readonly key: string };
  readonly directories: Directories;
  /** What `filesystem.json` says of them. */
  readonly listed: ListedRecord;
  readonly files: ReadonlyMap<BytePath, FileMemory>;
  /** Status keys of the files that ignore rules come from. */
  readonly rules: ReadonlyMap<string, string>;
  /** Tracked although ignored. */
  readonly forced: readonly BytePath[];
  /** Permission bits of files that differ from the usual. */
  readonly exceptions: ReadonlyMap<BytePath, number>;
  readonly usual: { readonly file: number; readonly executable: number };
  /** How many files have which permission bits, by executable bit. */
  readonly counts: { readonly file: ReadonlyMap<number, number>; readonly executable: ReadonlyMap<number, number> };
  readonly totals: { readonly files: number; readonly bytes: number };
  /** The user's HEAD. */
  readonly head: Head;
  readonly userIndex?: IndexFacts;
  /** Why the worktree was dirty against the user's index, or `clean`; it holds while the index is the same. */
  readonly dirt?: Dirt;
  /** There is no GNU stat to look at directories: asking for it at each scan would be in vain. */
  readonly noGnuStat?: boolean;
}

/** One path that shows that the worktree differs from the user's index. */
export type Dirt =
  | { readonly kind: 'clean' }
  | { readonly kind: 'untracked'; readonly path: BytePath }
  | { readonly kind: 'deleted'; readonly path: BytePath }
  | { readonly kind: 'modified'; readonly path: BytePath; readonly blob: ObjectId; readonly mode: string };

// Which fields are maps; JSON has them as lists of pairs.
const MAPS = ['files', 'rules', 'exceptions'] as const;

/** Returns what the last scan remembered, or undefined where there is nothing or it is damaged. */
export function loadMemory(folder: string): ScanMemory | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path.join(folder, FILE));
  } catch {
    return undefined;
  }
  const start = bytes.indexOf(0x0a) + 1;
  const content = bytes.subarray(start);
  const [, , digest = ''] = bytes.toString('latin1', 0, Math.max(start - 1, 0)).split(' ');
  if (bytes.toString('latin1', 0, start) !== header(content, digest)) return undefined;
  const directories = loadDirectories(folder, digest);
  if (directories === undefined) return undefined;
  const plain = JSON.parse(content.toString('utf8')) as Record<string, unknown>;
  for (const name of MAPS) plain[name] = new Map(plain[name] as [string, unknown][]);
  const counts = plain['counts'] as { file: [number, number][]; executable: [number, number][] };
  plain['counts'] = { file: new Map(counts.file), executable: new Map(counts.executable) };
  return { ...plain, directories } as unknown as ScanMemory;
}

export function saveMemory(folder: string, memory: ScanMemory): void {
  const { directories, ...rest } = memory;
  const plain: Record<string, unknown> = rest;
  for (const name of MAPS) plain[name] = [...memory[name]];
  plain['counts'] = { file: [...memory.counts.file], executable: [...memory.counts.executable] };
  const content = Buffer.from(JSON.stringify(plain), 'utf8');
  // Before what names it.
  const digest = saveDirectories(folder, directories);
  writeWhole(path.join(folder, FILE), [Buffer.from(header(content, digest), 'latin1'), content]);
  removeOthers(folder, { index: memory.index.name, directories: digest });
}

/** Removes what earlier scans left, also those that never came to their end. */
function removeOthers(folder: string, kept: { readonly index: string; readonly directories: string }): void {
  for (const name of readdirSync(folder)) {
    if (isOtherIndex(name, kept.index) || isOtherDirectoryFile(name, kept.directories))
      rmSync(path.join(folder, name), { force: true });
  }
}

// The file is not synced: whoever reads it must see that it was torn.
function header(content: Buffer, directories: string): string {
  const digest = createHash('sha1').update(content).update(directories).digest('hex');
  return `${String(VERSION)} ${digest} ${directories}\n`;
}
