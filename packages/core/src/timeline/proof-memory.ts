/**
 * Remembers of which snapshots the files were read strictly and the signature held, so that a look need not prove it again.
 *
 * It holds no answers: a mark says that these very bytes were proven by somebody who has the secret, wherever they lie. The
 * bytes are read from the store each time, their id is their digest, and who is believed is judged afresh. The file can be
 * written by anybody who can write the repository; without the secret no mark can be made.
 */
import { text, utf8 } from '../base/bytes.js';
import { ContextError } from '../base/errors.js';
import { blake3 } from '../format/digest.js';
import { snapshotId } from '../format/v1/body.js';
import type { SnapshotId } from '../model/snapshot.js';
import type { LocalState } from '../store/local-state.js';
import type { KeyRing } from '../trust/key-ring.js';
import { checkSignature, type SignatureState } from './judge.js';
import { decodeSnapshot, rereadSnapshot, type LoadedSnapshot, type SnapshotFiles } from './snapshot/load.js';

export const PROOFS = 'cache/proofs';

/**
 * What a mark says; with another number all is proven anew. To be raised by hand, together with a change by which something
 * that was proven is refused from now on: of what `decodeSnapshot` refuses (the canonical form, the shape of a body or a
 * signature), or of what `checkSignature` does (which keys and signatures hold). Else `list` calls it valid as long as its
 * mark lives. Not to be raised where more is accepted than before: what was refused has no mark.
 */
const STATEMENT = 'savepoint.proof/1';
const MARK_DIGITS = 32;
const LINE_BYTES = MARK_DIGITS + 1;
/** So many marks are read, the newest. */
const MOST_MARKS = 2000;
/** A signature file is no longer; anything else is read strictly each time. */
const SIGNATURE_BYTES = 1024;

export interface ProofMemory {
  /** Reads into the files of a snapshot. @throws format_unreadable; format_version_unsupported */
  readonly decode: (files: SnapshotFiles) => LoadedSnapshot;
  /** Looks at the signature alone, of any snapshot. */
  readonly signature: (snapshot: LoadedSnapshot) => Promise<SignatureState>;
  /** Remembers what was proven since. A failure is harmless and is not reported. */
  readonly keep: () => Promise<void>;
}

/** What one mark stands for. */
interface Proof {
  readonly id: SnapshotId;
  readonly signature: Uint8Array;
}

export async function openProofMemory(local: LocalState, keys: KeyRing): Promise<ProofMemory> {
  const [file, secret] = await Promise.all([
    quietly(() => local.readEnd(PROOFS, MOST_MARKS * LINE_BYTES)),
    keys.memorySecret(),
  ]);
  const marks = new Set(secret === undefined || file === undefined ? [] : text(file).split('\n'));
  // By the very objects: what is made of a proven snapshot is not proven.
  const proven = new WeakSet<LoadedSnapshot>();
  const provable = new WeakMap<LoadedSnapshot, Proof>();
  const fresh: Proof[] = [];
  return {
    decode: (files) => {
      const { signature } = files;
      if (signature === undefined || signature.length > SIGNATURE_BYTES) return decodeSnapshot(files);
      const proof: Proof = { id: snapshotId(files.body), signature };
      const isProven = secret !== undefined && marks.size > 0 && marks.has(markOf(secret, proof));
      const snapshot = isProven ? rereadSnapshot(files, proof.id) : decodeSnapshot(files);
      if (isProven) proven.add(snapshot);
      else provable.set(snapshot, proof);
      return snapshot;
    },
    signature: async (snapshot) => {
      if (proven.has(snapshot)) return 'good';
      const state = await checkSignature(snapshot);
      const proof = provable.get(snapshot);
      if (state === 'good' && proof !== undefined) fresh.push(proof);
      return state;
    },
    keep: () => quietly(() => keep({ local, keys, marks: file, fresh: fresh.splice(0, MOST_MARKS / 2) })),
  };
}

function markOf(secret: Uint8Array, { id, signature }: Proof): string {
  // BLAKE3 needs no HMAC: nobody can go on from a digest. All before the signature has a fixed length.
  return blake3(Buffer.concat([secret, utf8(`${STATEMENT}\n${id}\n`), signature])).slice(0, MARK_DIGITS);
}

interface Keeping {
  readonly local: LocalState;
  readonly keys: KeyRing;
  /** What the file held, as far as it was read. */
  readonly marks: Uint8Array | undefined;
  readonly fresh: readonly Proof[];
}

async function keep({ local, keys, marks, fresh }: Keeping): Promise<void> {
  if (fresh.length === 0) return;
  const secret = await keys.memorySecret({ make: true });
  if (secret === undefined) return;
  // The oldest come first in the file, as they do in the store.
  const added = utf8(
    fresh
      .map((proof) => `${markOf(secret, proof)}\n`)
      .reverse()
      .join(''),
  );
  if ((marks?.length ?? 0) < MOST_MARKS * LINE_BYTES) await local.append(PROOFS, added);
  else
    await local.write(PROOFS, Buffer.concat([(marks ?? added).subarray(-(MOST_MARKS / 2) * LINE_BYTES), added]), {
      cache: true,
    });
}

// Reading works where nothing can be remembered, too.
async function quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ContextError)) throw error;
    return undefined;
  }
}
