/**
 * Reads a bundle in one pass. Everything is known before it comes: the index names the snapshots, the signed body names
 * the digest and size of each slice, a manifest those of each file. What does not fit is refused before its bytes are read.
 */
import { ContextError } from '../../base/errors.js';
import { BODY_BYTES, decodeBody, snapshotId } from '../../format/v1/body.js';
import { BUNDLE_FILE, bundlePath, decodeBundleIndex } from '../../format/v1/bundle.js';
import { BODY_FILE, INDEX_FOLDER, SIGNATURE_FILE, WORKTREE_FOLDER } from '../../format/v1/layout.js';
import { decodeSignature } from '../../format/v1/signature.js';
import { BUNDLE_LIMITS, type BundledSnapshot, type BundleLimits } from '../../model/bundle.js';
import { SNAPSHOT_FORMAT, type Slice, type SnapshotBody } from '../../model/snapshot.js';
import { verifySignature } from '../../trust/signature.js';
import { Archive } from './archive.js';
import { readProven } from './read-proven.js';
import { readSlice } from './read-slice.js';
import type { BundleTaker, Reading, ReadSnapshot } from './reading.js';
import { refusal, shown } from './refusal.js';

/**
 * Reads and verifies a bundle to its last byte; all of it holds when this returns.
 * @throws bundle_refused (`data.verdict` says as what, `data.snapshot` in which); format_version_unsupported
 */
export async function readBundle(
  chunks: AsyncIterable<Uint8Array>,
  taker: BundleTaker,
  limits: BundleLimits = BUNDLE_LIMITS,
): Promise<readonly ReadSnapshot[]> {
  const archive = new Archive(chunks, limits);
  let reached: string | undefined;
  try {
    const index = decodeBundleIndex(await archive.whole(BUNDLE_FILE, limits.indexBytes));
    const read: ReadSnapshot[] = [];
    for (const wanted of index.snapshots) {
      reached = wanted.id;
      const snapshot = await readHead(archive, wanted);
      if (snapshot.body.signer !== (read[0] ?? snapshot).body.signer) {
        throw refusal('unexpected_entry', 'its snapshots have several signers');
      }
      await taker.snapshot(snapshot);
      await readFiles({ archive, taker, limits, snapshot });
      read.push(snapshot);
    }
    const more = await archive.peek();
    if (more !== undefined) throw refusal('unexpected_entry', `it has ${shown(more.path)}, which it does not name`);
    return read;
  } catch (error) {
    throw asRefusal(error, reached);
  } finally {
    await archive.close();
  }
}

async function readHead(archive: Archive, index: BundledSnapshot): Promise<ReadSnapshot> {
  const { id } = index;
  const bytes = await archive.whole(bundlePath(id, BODY_FILE), BODY_BYTES);
  if (snapshotId(bytes) !== id) throw refusal('digest_mismatch', `${BODY_FILE} does not have the id ${id}`);
  const body = decodeBody(bytes);
  if (body.signer === '') throw refusal('unsigned', 'its snapshot is not signed');
  const signatureBytes = await archive.whole(bundlePath(id, SIGNATURE_FILE), 1024);
  const signature = decodeSignature(signatureBytes);
  if (!verifySignature({ signer: body.signer, format: SNAPSHOT_FORMAT, id, signature })) {
    throw refusal('bad_signature', 'the signature is not that of the signer whom the snapshot names');
  }
  return { id, body, bytes, signatureBytes, signature, index };
}

async function readFiles(reading: Reading): Promise<void> {
  const { body, index } = reading.snapshot;
  const left = new Set(index.withheld);
  const seen = { files: 0 };
  for (const name of index.slices) {
    await readSlice(reading, { slice: sliceOf(body, name), left, seen });
  }
  const [unknown] = left;
  if (unknown !== undefined) throw refusal('unexpected_entry', `it withholds ${shown(unknown)}, which nothing names`);
  await readProven(reading);
}

function sliceOf(body: SnapshotBody, name: string): Slice {
  const slice = body.slices.find((one) => one.name === name);
  const may = slice?.algorithm === 'blake3' && name !== INDEX_FOLDER && name !== WORKTREE_FOLDER;
  if (slice === undefined || !may)
    throw refusal('unexpected_entry', `it has the slice ${shown(name)}, which cannot be in it`);
  return slice;
}

function asRefusal(error: unknown, snapshot: string | undefined): unknown {
  if (!(error instanceof ContextError)) return error;
  const place = snapshot === undefined ? {} : { snapshot };
  if (error.code === 'bundle_refused')
    return new ContextError('bundle_refused', { ...error.data, ...place }, error.cause);
  if (error.code !== 'format_unreadable') return error;
  const reason = `${String(error.data['what'])} cannot be read: ${String(error.data['reason'])}`;
  return new ContextError('bundle_refused', { verdict: 'not_canonical', ...error.data, ...place, reason }, error);
}
