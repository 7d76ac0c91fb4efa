/** Git's object encodings (git's `Documentation/gitformat-*`): ids, trees and commits, for both object formats. */
import { contextError } from '../base/errors.js';
import type { ObjectFormat } from '../model/tree/anchor.js';
import type { ObjectId, TreeEntry, TreeMode } from '../model/tree/tree.js';

/** Name and mail that commits of Savepoint carry; the time is in the body (format section "Timelines"). */
export const COMMIT_IDENTITY = 'savepoint <savepoint@localhost> 0 +0000';

const MODES: ReadonlyMap<string, TreeMode> = new Map([
  ['100644', '100644'],
  ['100664', '100644'],
  ['100755', '100755'],
  ['120000', '120000'],
  ['40000', '040000'],
  ['160000', '160000'],
]);

/** Reads a tree object. @throws format_unreadable */
export function parseTree(format: ObjectFormat, bytes: Uint8Array, id: ObjectId): readonly TreeEntry[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const idLength = format === 'sha1' ? 20 : 32;
  const entries: TreeEntry[] = [];
  for (let at = 0; at < buffer.length;) {
    const space = buffer.indexOf(0x20, at);
    const nul = space < 0 ? -1 : buffer.indexOf(0, space);
    const end = nul + 1 + idLength;
    const mode = nul < 0 ? undefined : MODES.get(buffer.toString('latin1', at, space));
    if (mode === undefined || end > buffer.length) {
      throw contextError('format_unreadable', { what: `The tree ${id}`, reason: 'it is not a git tree object' });
    }
    entries.push({ mode, name: buffer.toString('latin1', space + 1, nul), id: buffer.toString('hex', nul + 1, end) });
    at = end;
  }
  return entries;
}

/** Writes a tree object; entries may come in any order. */
export function encodeTree(entries: readonly TreeEntry[]): Uint8Array {
  const sorted = [...entries].sort((a, b) => compareTreeNames(a, b));
  const pieces = sorted.flatMap(({ mode, name, id }) => [
    Buffer.from(`${mode === '040000' ? '40000' : mode} ${name}\0`, 'latin1'),
    Buffer.from(id, 'hex'),
  ]);
  return new Uint8Array(Buffer.concat(pieces));
}

// Git sorts a directory as if its name ended in `/`.
function compareTreeNames(a: TreeEntry, b: TreeEntry): number {
  const [left, right] = [a, b].map(({ mode, name }) => (mode === '040000' ? `${name}/` : name)) as [string, string];
  return left < right ? -1 : left > right ? 1 : 0;
}

export interface CommitContent {
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  readonly message: string;
}

/** Writes a commit object of Savepoint. */
export function encodeCommit({ tree, parents, message }: CommitContent): Uint8Array {
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)];
  lines.push(`author ${COMMIT_IDENTITY}`, `committer ${COMMIT_IDENTITY}`, '', message);
  return new Uint8Array(Buffer.from(lines.join('\n'), 'utf8'));
}

/** Reads the tree and the parents of any commit object. @throws format_unreadable */
export function parseCommit(bytes: Uint8Array, id: ObjectId): { tree: ObjectId; parents: readonly ObjectId[] } {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const header = text.slice(0, Math.max(0, text.indexOf('\n\n')));
  const tree = /^tree ([0-9a-f]{40}(?:[0-9a-f]{24})?)$/m.exec(header)?.[1];
  if (tree === undefined || !header.startsWith('tree ')) {
    throw contextError('format_unreadable', { what: `The commit ${id}`, reason: 'it names no tree' });
  }
  return { tree, parents: [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map((match) => match[1] ?? '') };
}
