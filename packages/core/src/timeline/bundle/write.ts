/** Writes a bundle, file after file: the same items give the same bytes, wherever they lie. */
import { contextError } from '../../base/errors.js';
import { BUNDLE_FILE, encodeBundleIndex } from '../../format/v1/bundle.js';
import { BLOCK_BYTES, paddingBytes, ustarHeader } from '../../format/ustar.js';
import { BUNDLE_FORMAT, type BundledSnapshot } from '../../model/bundle.js';
import type { ObjectId } from '../../model/tree/tree.js';
import type { Store } from '../../store/store.js';

/** One file of the archive: bytes at hand, or a blob of the store. */
export interface BundleItem {
  readonly path: string;
  readonly bytes: number;
  readonly content: Uint8Array | { readonly blob: ObjectId };
  /** Of a file of the worktree that can be run; the archive itself does not say it, the trees do. */
  readonly mode?: '100755';
}

/** Returns how many bytes a bundle of these items has. */
export function bundleBytes(snapshots: readonly BundledSnapshot[], items: readonly BundleItem[]): number {
  const all = [indexItem(snapshots), ...items];
  return all.reduce((sum, { bytes }) => sum + BLOCK_BYTES + bytes + paddingBytes(bytes), 2 * BLOCK_BYTES);
}

/** Yields the bundle. @throws object_missing; invariant_broken for an item that has no place in a bundle */
export async function* writeBundle(
  store: Pick<Store, 'stream'>,
  snapshots: readonly BundledSnapshot[],
  items: readonly BundleItem[],
): AsyncGenerator<Uint8Array> {
  for (const item of [indexItem(snapshots), ...items]) {
    const header = ustarHeader(item);
    if (header === undefined)
      throw contextError('invariant_broken', { reason: `${item.path} has no place in a bundle` });
    yield header;
    if (item.content instanceof Uint8Array) yield item.content;
    else yield* exactly(store.stream(item.content.blob), item);
    yield new Uint8Array(paddingBytes(item.bytes));
  }
  yield new Uint8Array(2 * BLOCK_BYTES);
}

function indexItem(snapshots: readonly BundledSnapshot[]): BundleItem {
  const content = encodeBundleIndex({ format: BUNDLE_FORMAT, snapshots });
  return { path: BUNDLE_FILE, bytes: content.length, content };
}

async function* exactly(pieces: AsyncIterable<Uint8Array>, { path, bytes }: BundleItem): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const piece of pieces) {
    left -= piece.length;
    yield piece;
  }
  if (left !== 0) throw contextError('digest_mismatch', { what: `The file ${path}` });
}
