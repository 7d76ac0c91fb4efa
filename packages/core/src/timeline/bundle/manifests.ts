/** Puts the files of a slice in the order of a bundle, each folder's manifest before what is in it. */
import { utf8 } from '../../base/bytes.js';
import { folderDigest, folderManifest, type FolderDigest, type ManifestEntry } from '../../format/manifest.js';
import { bundlePath, MANIFEST_FILE } from '../../format/v1/bundle.js';
import type { SnapshotId } from '../../model/snapshot.js';
import type { ObjectId } from '../../model/tree/tree.js';
import { groupByFirst } from './path-groups.js';
import type { BundleItem } from './write.js';

/** A file of a slice. */
export interface Leaf {
  /** Below the snapshot, such as `transcript/<session>/00/00/00.jsonl`. */
  readonly path: string;
  readonly bytes: number;
  readonly digest: string;
  /** Absent where it is withheld. */
  readonly blob?: ObjectId;
}

export interface OrderedFolder extends FolderDigest {
  readonly items: readonly BundleItem[];
}

/** Returns the items of a folder slice, and the digest that the body has to name for it. @throws format_unreadable */
export function orderFolder(id: SnapshotId, name: string, leaves: readonly Leaf[]): OrderedFolder {
  const known = new Map(leaves.map((leaf) => [leaf.path, leaf]));
  const below = leaves.map(({ path }) => path.slice(name.length + 1)).sort(compareText);
  return order({ id, known }, name, below);
}

interface Ordering {
  readonly id: SnapshotId;
  readonly known: ReadonlyMap<string, Leaf>;
}

function order(ordering: Ordering, folder: string, below: readonly string[]): OrderedFolder {
  const { id, known } = ordering;
  const parts = groupByFirst(below)
    .map(({ name, isFile, below: inner }) => {
      const path = `${folder}/${name}`;
      const leaf = isFile ? known.get(path) : undefined;
      if (leaf === undefined) return { name, ...order(ordering, path, inner) };
      return { name, digest: leaf.digest, bytes: leaf.bytes, parts: 1, items: itemOf(id, leaf) };
    })
    .sort((a, b) => compareText(a.name, b.name));
  const entries: ManifestEntry[] = parts.map(({ name, digest, bytes, parts: count }) => ({
    name: Buffer.from(utf8(name)).toString('latin1'),
    digest,
    bytes,
    parts: count,
  }));
  const content = folderManifest(entries);
  const manifest = { path: bundlePath(id, `${folder}/${MANIFEST_FILE}`), bytes: content.length, content };
  return { ...folderDigest(entries), items: [manifest, ...parts.flatMap(({ items }) => items)] };
}

function itemOf(id: SnapshotId, { path, bytes, blob }: Leaf): readonly BundleItem[] {
  return blob === undefined ? [] : [{ path: bundlePath(id, path), bytes, content: { blob } }];
}

function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}
