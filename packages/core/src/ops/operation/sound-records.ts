/** Demands that the records of a snapshot, and the log that they name, are those of its signed body, before any is added elsewhere. */
import { contextError } from '../../base/errors.js';
import type { BytePath } from '../../base/path.js';
import { blake3 } from '../../format/digest.js';
import { CONTEXT_FOLDER, SESSION_FILE, TRANSCRIPT_FOLDER } from '../../format/v1/layout.js';
import { shortId } from '../../format/v1/body.js';
import type { Store } from '../../store/store.js';
import { listFolder } from '../../timeline/snapshot/folders.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import { digestOfFiles, type KnownFile } from '../../timeline/save/folder-files.js';
import { folderTree, rootFile, withheldSlices } from '../../timeline/snapshot/slices.js';

/** @throws digest_mismatch; object_missing */
export async function demandRecords(
  store: Store,
  snapshot: LoadedSnapshot,
  folders: readonly string[] = [CONTEXT_FOLDER, TRANSCRIPT_FOLDER],
): Promise<void> {
  const session = await rootFile(store, snapshot, SESSION_FILE);
  demand(snapshot, SESSION_FILE.replace('.json', ''), session && blake3(session));
  for (const folder of folders)
    if (!isWithheld(snapshot, folder)) demand(snapshot, folder, await folderDigestOf(store, snapshot, folder));
}

/** The log need not come with what others publish; its items cannot be read then. */
function isWithheld(snapshot: LoadedSnapshot, folder: string): boolean {
  return folder === TRANSCRIPT_FOLDER && withheldSlices(snapshot).includes(folder);
}

/** So many files are in memory at once. */
const AT_ONCE = 16;

async function folderDigestOf(store: Store, snapshot: LoadedSnapshot, folder: string): Promise<string | undefined> {
  const files = await listFolder((id) => store.tree(id), folderTree(snapshot, folder));
  if (files.length === 0) return undefined;
  const known = new Map<BytePath, KnownFile>();
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const read = files.slice(at, at + AT_ONCE).map(async ({ path, id }) => {
      const bytes = await store.read(id, 'blob');
      if (bytes === undefined) throw missing(snapshot, `${folder}/${path}`);
      known.set(path, { bytes: bytes.length, digest: blake3(bytes) });
    });
    await Promise.all(read);
  }
  return digestOfFiles(known).digest;
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
