/** Everything that is on the disk below a worktree, ignored or not, by plain system calls. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, type BigIntStats } from 'node:fs';

export interface RawEntry {
  readonly type: 'file' | 'link' | 'directory' | 'special';
  /** Permission bits as four octal digits; empty for links. */
  readonly mode: string;
  /** SHA-256 of the bytes or of the link's target; empty for others. */
  readonly content: string;
  readonly modified: bigint;
}

/** By path: relative, one character per byte. The git directory of the worktree itself is left out. */
export type RawTree = ReadonlyMap<string, RawEntry>;

export function rawTree(root: string): RawTree {
  const found = new Map<string, RawEntry>();
  visit(found, Buffer.from(root), '');
  return found;
}

function visit(found: Map<string, RawEntry>, directory: Buffer, above: string): void {
  for (const name of readdirSync(directory, { encoding: 'buffer' })) {
    const path = above + name.toString('latin1');
    if (path === '.git') continue;
    const absolute = Buffer.concat([directory, Buffer.from('/'), name]);
    const stats = lstatSync(absolute, { bigint: true });
    found.set(path, entryOf(absolute, stats));
    if (stats.isDirectory()) visit(found, absolute, `${path}/`);
  }
}

function entryOf(absolute: Buffer, stats: BigIntStats): RawEntry {
  const mode = (stats.mode & 0o7777n).toString(8).padStart(4, '0');
  const modified = stats.mtimeNs;
  if (stats.isSymbolicLink())
    return { type: 'link', mode: '', content: sha256(readlinkSync(absolute, 'buffer')), modified };
  if (stats.isFile()) return { type: 'file', mode, content: sha256(readFileSync(absolute)), modified };
  return { type: stats.isDirectory() ? 'directory' : 'special', mode, content: '', modified };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Tells whether two states of a path are the same, whatever their times. */
export function isSame(a: RawEntry | undefined, b: RawEntry | undefined): boolean {
  return a?.type === b?.type && a?.mode === b?.mode && a?.content === b?.content;
}

/** Returns the paths in which two trees differ. */
export function changedPaths(before: RawTree, after: RawTree): readonly string[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((path) => !isSame(before.get(path), after.get(path)));
}
