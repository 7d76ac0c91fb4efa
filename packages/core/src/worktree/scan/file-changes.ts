/** Turns what was read into the edits of folder `worktree/`, and keeps the memory of files, totals and modes in step. */
import type { BytePath } from '../../base/path.js';
import type { FileSet, ObjectId, TreeMode } from '../../model/tree/tree.js';
import type { IndexedFile } from '../index/private-index.js';
import type { Taken } from '../file/intake.js';
import { executableBit, forgetMode, rememberMode, type ModeTable } from '../file/mode-counts.js';
import { isRefusedFile, isRefusedName } from '../place/refused-names.js';
import type { FileMemory } from './scan-memory.js';

export interface FileLedger {
  readonly files: Map<BytePath, FileMemory>;
  readonly modes: ModeTable;
  readonly totals: { files: number; bytes: number };
  readonly set: FileSet[];
  readonly remove: BytePath[];
  /** Bytes of new files that no tree may hold. */
  readonly content: Map<ObjectId, Uint8Array>;
  /** What the private index says of a path. */
  indexed(path: BytePath): IndexedFile | undefined;
}

interface Held {
  readonly mode: TreeMode;
  readonly blob: ObjectId;
  readonly size: number;
}

/** Returns what the last snapshot's tree holds at a path. */
function heldBefore(ledger: FileLedger, path: BytePath): Held | undefined {
  const memory = ledger.files.get(path);
  if (memory !== undefined) return memory.left === undefined ? memory : undefined;
  const indexed = ledger.indexed(path);
  return indexed === undefined ? undefined : { ...indexed, mode: indexed.mode.toString(8) as TreeMode };
}

/** Takes a path out of the snapshot, because it is gone, ignored now, or cannot be kept. */
export function dropFile(ledger: FileLedger, path: BytePath): void {
  const before = heldBefore(ledger, path);
  if (ledger.indexed(path) === undefined) ledger.files.delete(path);
  else ledger.files.set(path, { key: '', mode: '100644', blob: '', size: 0, left: 'absent' });
  if (before === undefined) return;
  ledger.remove.push(path);
  ledger.totals.files -= 1;
  ledger.totals.bytes -= before.size;
  const bit = executableBit(before.mode);
  if (bit !== undefined) forgetMode(ledger.modes, path, bit);
}

/** Enters what was read at a path. */
export function enterFile(ledger: FileLedger, path: BytePath, taken: Taken): void {
  switch (taken.kind) {
    case 'absent':
      dropFile(ledger, path);
      return;
    case 'special':
      dropFile(ledger, path);
      ledger.files.set(path, { key: taken.key, mode: '100644', blob: '', size: 0, left: 'special' });
      return;
    case 'omitted':
      dropFile(ledger, path);
      ledger.files.set(path, {
        key: taken.key,
        mode: '100644',
        blob: taken.blob,
        size: taken.size,
        left: taken.reason,
      });
      return;
    case 'content':
      enterContent(ledger, path, taken);
  }
}

function enterContent(ledger: FileLedger, path: BytePath, taken: Extract<Taken, { kind: 'content' }>): void {
  const { key, mode, blob, size, permissions, bytes } = taken;
  if (isRefusedName(path) || isRefusedFile(path, mode, bytes)) {
    dropFile(ledger, path);
    if (bytes !== undefined) ledger.content.set(blob, bytes);
    ledger.files.set(path, { key, mode, blob, size, left: bytes === undefined ? 'too_large' : 'diverted' });
    return;
  }
  const before = heldBefore(ledger, path);
  const beforeBit = before === undefined ? undefined : executableBit(before.mode);
  if (beforeBit !== undefined) forgetMode(ledger.modes, path, beforeBit);
  const bit = executableBit(mode);
  if (bit !== undefined) rememberMode(ledger.modes, { path, permissions, bit });
  ledger.totals.files += before === undefined ? 1 : 0;
  ledger.totals.bytes += size - (before?.size ?? 0);
  ledger.files.set(path, { key, mode, blob, size });
  if (before?.blob !== blob || before.mode !== mode) ledger.set.push({ path, mode, id: blob });
}

/** The files that the snapshot's tree holds, of those that the ledger knows. */
export function* inTree({ files }: FileLedger): Iterable<readonly [BytePath, TreeMode]> {
  for (const [file, { mode, left }] of files) if (left === undefined) yield [file, mode];
}

/** Returns what the worktree holds at a path, as far as it can be in a tree. */
export function contentOf(
  ledger: FileLedger,
  file: BytePath,
): { readonly blob: ObjectId; readonly mode: string } | undefined {
  const memory = ledger.files.get(file);
  if (memory !== undefined) return memory.left === 'absent' ? undefined : memory;
  const indexed = ledger.indexed(file);
  return indexed === undefined ? undefined : { blob: indexed.blob, mode: indexed.mode.toString(8) };
}
