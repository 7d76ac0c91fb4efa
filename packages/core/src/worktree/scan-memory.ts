/**
 * What a scan remembers for the next one. It is a cache: losing it costs time, not exactness, and a damaged one is not
 * read. Maps are kept as lists, because a file may be called `__proto__`.
 */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BytePath } from '../base/path.js';
import type { OmissionReason } from '../model/filesystem.js';
import type { ObjectId, TreeMode } from '../model/tree.js';
import type { IndexFacts } from './index/user-index.js';
import type { DirectoryMemory } from './listing/directory.js';

const VERSION = 13;
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

export interface ScanMemory {
  /** Folder `worktree/` of the snapshot that this memory belongs to. */
  readonly tree: ObjectId | undefined;
  /** File name of the private index, and its status: another file is not ours. */
  readonly index: { readonly name: string; readonly key: string };
  readonly directories: ReadonlyMap<BytePath, DirectoryMemory>;
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
  readonly userIndex?: IndexFacts;
  /** Why the worktree was dirty against the user's index, or `clean`; it holds while the index is the same. */
  readonly dirt?: Dirt;
}

/** One path that shows that the worktree differs from the user's index. */
export type Dirt =
  | { readonly kind: 'clean' }
  | { readonly kind: 'untracked'; readonly path: BytePath }
  | { readonly kind: 'deleted'; readonly path: BytePath }
  | { readonly kind: 'modified'; readonly path: BytePath; readonly blob: ObjectId; readonly mode: string };

// Which fields are maps; JSON has them as lists of pairs.
const MAPS = ['directories', 'files', 'rules', 'exceptions'] as const;

/** Returns what the last scan remembered, or undefined where there is nothing or it is damaged. */
export function loadMemory(directory: string): ScanMemory | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path.join(directory, FILE));
  } catch {
    return undefined;
  }
  const end = bytes.indexOf(0x0a);
  const content = bytes.subarray(end + 1);
  if (bytes.toString('latin1', 0, Math.max(end, 0)) !== checksum(content)) return undefined;
  const plain = JSON.parse(content.toString('utf8')) as Record<string, unknown>;
  for (const name of MAPS) plain[name] = new Map(plain[name] as [string, unknown][]);
  const counts = plain['counts'] as { file: [number, number][]; executable: [number, number][] };
  plain['counts'] = { file: new Map(counts.file), executable: new Map(counts.executable) };
  return plain as unknown as ScanMemory;
}

export function saveMemory(directory: string, memory: ScanMemory): void {
  const plain: Record<string, unknown> = { ...memory };
  for (const name of MAPS) plain[name] = [...memory[name]];
  plain['counts'] = { file: [...memory.counts.file], executable: [...memory.counts.executable] };
  const content = Buffer.from(JSON.stringify(plain), 'utf8');
  const temporary = path.join(directory, `${FILE}.tmp`);
  writeFileSync(temporary, Buffer.concat([Buffer.from(`${checksum(content)}\n`, 'latin1'), content]));
  renameSync(temporary, path.join(directory, FILE));
}

function checksum(content: Buffer): string {
  return `${String(VERSION)} ${createHash('sha1').update(content).digest('hex')}`;
}
