/** The two files that every snapshot of a bundle begins with. */
import { contextError } from '../../base/errors.js';
import { shortId } from '../../format/v1/body.js';
import { bundlePath } from '../../format/v1/bundle.js';
import { BODY_FILE, SIGNATURE_FILE } from '../../format/v1/layout.js';
import type { Store } from '../../store/store.js';
import type { BundleItem } from '../bundle/write.js';
import type { LoadedSnapshot } from '../snapshot/load.js';

/** @throws object_missing */
export async function headItems(
  store: Store,
  { id, bytes, entries }: LoadedSnapshot,
): Promise<readonly (BundleItem & { readonly content: Uint8Array })[]> {
  const entry = entries.get(SIGNATURE_FILE);
  const signature = entry && (await store.read(entry.id, 'blob'));
  if (signature === undefined) {
    throw contextError('object_missing', { object: SIGNATURE_FILE, owner: `the snapshot ${shortId(id)}` });
  }
  return [
    { path: bundlePath(id, BODY_FILE), bytes: bytes.length, content: bytes },
    { path: bundlePath(id, SIGNATURE_FILE), bytes: signature.length, content: signature },
  ];
}
