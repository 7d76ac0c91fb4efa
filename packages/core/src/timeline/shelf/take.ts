/** Takes a bundle into the store: everything waits aside, in the writer, until the last byte of it was verified. */
import { keyDigits } from '../../trust/public-key.js';
import type { WithheldFile } from '../../model/bundle.js';
import type { FileSet } from '../../model/tree/tree.js';
import type { Store, StoreWriter } from '../../store/store.js';
import { readBundle } from '../bundle/read.js';
import type { BundleTaker, ReadSnapshot } from '../bundle/reading.js';
import { BODY_FILE, SIGNATURE_FILE } from '../../format/v1/layout.js';
import { addToShelf } from './add.js';
import { importedRef } from './shelf.js';

/** Reads a bundle and keeps nothing of it. @throws bundle_refused; format_version_unsupported */
export function inspectBundle(
  chunks: AsyncIterable<Uint8Array>,
  snapshot: BundleTaker['snapshot'] = () => Promise.resolve(),
): Promise<readonly ReadSnapshot[]> {
  const taker: BundleTaker = {
    snapshot,
    file: async ({ content }) => {
      for await (const piece of content) void piece;
    },
    withheld: () => Promise.resolve(),
  };
  return readBundle(chunks, taker);
}

export interface TakePlace {
  readonly store: Store;
  /** Asked for when all of the bundle was verified. */
  readonly replica: () => Promise<string>;
}

/** Says of a snapshot whether it is to be kept, or throws where it must not be. */
export type Demand = (read: ReadSnapshot) => Promise<boolean>;

export interface Taken {
  readonly snapshot: ReadSnapshot;
  readonly files: number;
  readonly withheld: readonly WithheldFile[];
  /** How many files were not here yet. */
  readonly added: number;
}

/** @throws bundle_refused; format_version_unsupported; head_moved; disk_full; store_unwritable */
export async function takeBundle(
  { store, replica }: TakePlace,
  chunks: AsyncIterable<Uint8Array>,
  demand: Demand,
): Promise<readonly Taken[]> {
  const writer = store.writer();
  try {
    const drafts = new Map<string, Draft>();
    const read = await readBundle(chunks, draftTaker(writer, drafts, demand));
    const [first] = read;
    if (first === undefined) return [];
    const kept = read.filter(({ id }) => drafts.has(id));
    if (kept.length === 0) return read.map((snapshot) => ({ snapshot, files: 0, withheld: [], added: 0 }));
    const ref = importedRef(first.body.signer, await replica());
    const all = read.map((snapshot) => ({ snapshot, ...(drafts.get(snapshot.id) ?? { files: [], withheld: [] }) }));
    const additions = all
      .filter(({ snapshot }) => drafts.has(snapshot.id))
      .map(({ snapshot: { id }, files, withheld }) => ({ id, files, withheld }));
    const message = `savepoint import of ${keyDigits(first.body.signer)}\n`;
    const counts = await addToShelf({ store, writer, ref, message, additions });
    const added = new Map(additions.map(({ id }, at) => [id, counts[at] ?? 0]));
    return all.map(({ snapshot, files, withheld }) => ({
      snapshot,
      files: files.length,
      withheld,
      added: added.get(snapshot.id) ?? 0,
    }));
  } finally {
    await writer.discard();
  }
}

interface Draft {
  readonly files: FileSet[];
  readonly withheld: WithheldFile[];
}

function draftTaker(writer: StoreWriter, drafts: Map<string, Draft>, demand: Demand): BundleTaker {
  return {
    snapshot: async (snapshot) => {
      if (!(await demand(snapshot))) return;
      const blob = async (path: string, bytes: Uint8Array): Promise<FileSet> => ({
        path,
        mode: '100644',
        id: await writer.blob(bytes),
      });
      const files = [await blob(BODY_FILE, snapshot.bytes), await blob(SIGNATURE_FILE, snapshot.signatureBytes)];
      drafts.set(snapshot.id, { files, withheld: [] });
    },
    file: async ({ snapshot, path, bytes, mode, content }) => {
      if (!drafts.has(snapshot.id)) {
        for await (const piece of content) void piece;
        return;
      }
      drafts.get(snapshot.id)?.files.push({
        path: Buffer.from(path, 'utf8').toString('latin1'),
        mode,
        id: await writer.blobFrom(bytes, content),
      });
    },
    withheld: (snapshot, file) => Promise.resolve(void drafts.get(snapshot.id)?.withheld.push(file)),
  };
}
