/** Reads the files of one slice once: their sizes and digests, and through the gate. */
import { contextError } from '../../base/errors.js';
import { text } from '../../base/bytes.js';
import { blake3Hasher } from '../../format/digest.js';
import { shortId } from '../../format/v1/body.js';
import type { ObjectId, TreeEntry } from '../../model/tree/tree.js';
import type { Store } from '../../store/store.js';
import type { Leaf } from '../bundle/manifests.js';
import { listFolder } from '../snapshot/folders.js';
import type { SliceGate } from './gate.js';

export interface StoredFile {
  /** Below the snapshot. */
  readonly path: string;
  readonly blob: ObjectId;
}

/** The snapshot of which files are read; only its id and what stands at its root are looked at. */
export interface FolderOwner {
  readonly id: string;
  readonly entries: ReadonlyMap<string, TreeEntry>;
}

/** Returns the files of a slice: that of its name, or all in its folder. @throws object_missing */
export async function sliceFiles(store: Store, owner: FolderOwner, name: string): Promise<readonly StoredFile[]> {
  const file = owner.entries.get(`${name}.json`);
  if (file !== undefined) return [{ path: `${name}.json`, blob: file.id }];
  const folder = owner.entries.get(name);
  const found = await listFolder((id) => store.tree(id), folder?.mode === '040000' ? folder.id : undefined);
  return found.map(({ path, id }) => ({ path: `${name}/${text(Buffer.from(path, 'latin1'))}`, blob: id }));
}

/** Reads files to their ends. @throws object_missing; gate_failed */
export async function readLeaves(
  store: Store,
  files: readonly StoredFile[],
  gate?: SliceGate,
): Promise<readonly Required<Leaf>[]> {
  const leaves: Required<Leaf>[] = [];
  for (const { path, blob } of inGateOrder(files)) {
    const digest = blake3Hasher();
    let bytes = 0;
    gate?.begin(path);
    for await (const piece of store.stream(blob)) {
      digest.update(piece);
      gate?.push(piece);
      bytes += piece.length;
    }
    leaves.push({ path, blob, bytes, digest: digest.hex() });
  }
  return leaves;
}

// The parts of a log first, without their sidecars between them.
function inGateOrder(files: readonly StoredFile[]): readonly StoredFile[] {
  const isPart = ({ path }: StoredFile): boolean => path.endsWith('.jsonl');
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  return [...sorted.filter(isPart), ...sorted.filter((file) => !isPart(file))];
}

/** The error for a slice that is not what the signed body says. */
export function sliceMismatch(owner: FolderOwner, name: string): Error {
  return contextError('digest_mismatch', { what: `The slice ${name} of the snapshot ${shortId(owner.id)}` });
}
