/** How many files have which permission bits: the most frequent ones are the rule, the others exceptions. */
import type { BytePath } from '../../base/path.js';
import type { Mode } from '../../model/tree/filesystem.js';
import type { TreeMode } from '../../model/tree/tree.js';

export type ExecutableBit = 'file' | 'executable';

export interface ModeTable {
  readonly counts: { readonly file: Map<number, number>; readonly executable: Map<number, number> };
  readonly usual: { file: number; executable: number };
  /** Of files whose bits are not the usual ones. */
  readonly exceptions: Map<BytePath, number>;
}

const USUAL = { file: 0o644, executable: 0o755, directory: 0o755 };

export function formatMode(permissions: number): Mode {
  return permissions.toString(8).padStart(4, '0');
}

/** Returns the most frequent bits, the lowest of equals, so that the same tree always gives the same rule. */
export function mostFrequent(counts: ReadonlyMap<number, number>, otherwise: number): number {
  let best = otherwise;
  let most = 0;
  for (const [permissions, count] of counts) {
    if (count > most || (count === most && count > 0 && permissions < best)) [best, most] = [permissions, count];
  }
  return best;
}

export function newModeTable(): ModeTable {
  return {
    counts: { file: new Map(), executable: new Map() },
    usual: { file: USUAL.file, executable: USUAL.executable },
    exceptions: new Map(),
  };
}

/** Makes the most frequent bits the rule, given every file of the table. */
export function settle(table: ModeTable, files: Iterable<readonly [BytePath, TreeMode]>): void {
  if (isSettled(table)) return;
  const { counts, usual, exceptions } = table;
  const next = {
    file: mostFrequent(counts.file, USUAL.file),
    executable: mostFrequent(counts.executable, USUAL.executable),
  };
  for (const [path, mode] of files) {
    const bit = executableBit(mode);
    if (bit === undefined) continue;
    const permissions = exceptions.get(path) ?? usual[bit];
    if (permissions === next[bit]) exceptions.delete(path);
    else exceptions.set(path, permissions);
  }
  Object.assign(usual, next);
}

/** Returns which rule a mode is under, or undefined for what has no permission bits of its own. */
export function executableBit(mode: TreeMode): ExecutableBit | undefined {
  return mode === '100644' ? 'file' : mode === '100755' ? 'executable' : undefined;
}

export function forgetMode(table: ModeTable, path: BytePath, bit: ExecutableBit): void {
  add(table.counts[bit], table.exceptions.get(path) ?? table.usual[bit], -1);
  table.exceptions.delete(path);
}

export function rememberMode(
  table: ModeTable,
  { path, permissions, bit }: { path: BytePath; permissions: number; bit: ExecutableBit },
): void {
  add(table.counts[bit], permissions, 1);
  if (permissions !== table.usual[bit]) table.exceptions.set(path, permissions);
}

/** Tells whether the usual bits are still the most frequent ones; if not, every file has to be looked at again. */
export function isSettled({ counts, usual }: ModeTable): boolean {
  return (
    usual.file === mostFrequent(counts.file, USUAL.file) &&
    usual.executable === mostFrequent(counts.executable, USUAL.executable)
  );
}

function add(counts: Map<number, number>, permissions: number, count: number): void {
  const sum = (counts.get(permissions) ?? 0) + count;
  if (sum > 0) counts.set(permissions, sum);
  else counts.delete(permissions);
}

/** The usual bits of directories. */
export function usualDirectoryMode(permissions: Iterable<number>): number {
  const counts = new Map<number, number>();
  for (const one of permissions) add(counts, one, 1);
  return mostFrequent(counts, USUAL.directory);
}
