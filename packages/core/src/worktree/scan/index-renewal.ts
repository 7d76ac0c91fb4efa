/** The private index is written again once enough files differ from it, with those that have settled since. */
import type { BytePath } from '../../base/path.js';
import { writeNewIndex, type IndexFile, type IndexFileName } from '../index/index-file.js';
import type { PrivateEntry } from '../index/private-index.js';
import type { CapturedFiles } from '../listing/captured-files.js';
import { isRacyForGit } from '../place/file-stat.js';
import type { WorktreePlace } from '../place/place.js';
import { inTree, type FileLedger } from './file-changes.js';
import type { FileMemory } from './scan-memory.js';

/** So many files may differ from the private index before it is written again, plus one in fifty. */
const STALE_FILES = 64;
const STALE_SHARE = 50;

export interface RenewedIndex {
  readonly index: IndexFileName;
  /** Files that differ from it. */
  readonly files: ReadonlyMap<BytePath, FileMemory>;
}

export interface Renewal {
  readonly place: WorktreePlace;
  /** When the scan began, milliseconds. */
  readonly began: number;
  /** The present one; absent where there is none yet. */
  readonly index: IndexFile | undefined;
  readonly files: CapturedFiles;
  readonly ledger: FileLedger;
}

/** Moves files into the private index once enough of them differ from it. */
export function renewIndex({ place, began, index, files, ledger }: Renewal): RenewedIndex {
  const rest = new Map<BytePath, FileMemory>();
  for (const [file, memory] of ledger.files) {
    if (memory.left !== 'absent' && !isWatchable(memory, began)) rest.set(file, memory);
  }
  const entry = (file: BytePath): PrivateEntry | undefined => entryOf(ledger.files.get(file), began);
  if (index === undefined) {
    const paths = [...inTree(ledger)].map(([file]) => file);
    return { index: writeNewIndex(place, paths, entry), files: rest };
  }
  const stale = ledger.files.size - rest.size + ledger.remove.length;
  const unchanged = { index: index.name, files: ledger.files };
  if (stale <= STALE_FILES + ledger.totals.files / STALE_SHARE) return unchanged;
  const renewed = index.patch(ledger.files.keys(), { entry, keep: (file) => files.has(file) });
  return renewed === undefined ? unchanged : { index: renewed, files: rest };
}

/** True for a file that git can watch from now on. */
function isWatchable({ left, key, size }: FileMemory, began: number): boolean {
  // An index has sizes modulo 2^32.
  return left === undefined && key !== '' && size < 2 ** 32 && !isRacyForGit(key, began);
}

function entryOf(memory: FileMemory | undefined, began: number): PrivateEntry | undefined {
  if (memory === undefined || memory.left !== undefined) return undefined;
  const { mode, blob, size, key } = memory;
  return { mode: parseInt(mode, 8), blob, size, key: isWatchable(memory, began) ? key : '' };
}
