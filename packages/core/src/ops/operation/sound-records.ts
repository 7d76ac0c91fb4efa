/** Demands that the records of a snapshot are those that its signed body names, before any of them is added elsewhere. */
import { contextError } from '../../base/errors.js';
import { blake3 } from '../../format/digest.js';
import { CONTEXT_FOLDER, SESSION_FILE } from '../../format/v1/layout.js';
import { shortId } from '../../format/v1/body.js';
import type { Store } from '../../store/store.js';
import { listFolder } from '../../timeline/folders.js';
import type { LoadedSnapshot } from '../../timeline/load.js';
import { digestOfFiles } from '../../timeline/save/folder-files.js';
import { folderTree, rootFile } from '../../timeline/slices.js';

/** @throws digest_mismatch; object_missing */
export async function demandRecords(store: Store, snapshot: LoadedSnapshot): Promise<void> {
  const session = await rootFile(store, snapshot, SESSION_FILE);
  demand(snapshot, SESSION_FILE.replace('.json', ''), session && blake3(session));
  demand(snapshot, CONTEXT_FOLDER, await folderDigestOf(store, snapshot));
}

async function folderDigestOf(store: Store, snapshot: LoadedSnapshot): Promise<string | undefined> {
  const files = await listFolder((id) => store.tree(id), folderTree(snapshot, CONTEXT_FOLDER));
  if (files.length === 0) return undefined;
  const known = await Promise.all(
    files.map(async ({ path, id }) => {
      const bytes = await store.read(id, 'blob');
      if (bytes === undefined) throw missing(snapshot, `${CONTEXT_FOLDER}/${path}`);
      return [path, { bytes: bytes.length, digest: blake3(bytes) }] as const;
    }),
  );
  return digestOfFiles(new Map(known)).digest;
}

function demand(snapshot: LoadedSnapshot, name: string, found: string | undefined): void {
  const named = snapshot.body.slices.find((slice) => slice.name === name)?.digest;
  if (named === found) return;
  if (found === undefined) throw missing(snapshot, name);
  throw contextError('digest_mismatch', { what: `The slice ${name} of the snapshot ${shortId(snapshot.id)}` });
}

function missing({ id }: LoadedSnapshot, object: string): Error {
  return contextError('object_missing', { object, owner: `the snapshot ${shortId(id)}` });
}
