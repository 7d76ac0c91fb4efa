/**
 * The law of the format on generated bodies: what is encoded and signed verifies, and still does after it was stored,
 * loaded by another reader and encoded again. The suite runs it briefly, `npm run slow:format` a million times.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { SnapshotBody } from '../../src/model/snapshot.js';
import { decodeBody, encodeBody, snapshotId } from '../../src/format/v1/body.js';
import { BODY_FILE, commitMessage, SIGNATURE_FILE } from '../../src/format/v1/layout.js';
import { decodeSignature, encodeSignature } from '../../src/format/v1/signature.js';
import { memoryStore, type MemoryStore } from '../../src/store/memory/memory-store.js';
import { signingKeyOf } from '../../src/trust/secret-key.js';
import { signText, verifySignature } from '../../src/trust/signature.js';
import { body } from './generated.js';

const FORMAT = 'savepoint.snapshot/1';
const BATCH = 250;

export interface Campaign {
  readonly count: number;
  readonly seed: number;
  readonly progress?: (done: number) => void;
}

export interface CampaignResult {
  readonly bodies: number;
  readonly bytes: number;
  readonly distinct: number;
}

/** Runs the campaign; throws with the seed at the first body that breaks the law. */
export async function runCampaign({ count, seed, progress }: Campaign): Promise<CampaignResult> {
  let [bodies, bytes, distinct] = [0, 0, 0];
  for (let batch = 0; bodies < count; batch++) {
    const size = Math.min(BATCH, count - bodies);
    const values = fc.sample(body, { numRuns: size, seed: seed + batch });
    const store = memoryStore({ objectFormat: batch % 2 === 0 ? 'sha1' : 'sha256' });
    const key = signingKeyOf((seed + batch).toString(16).padStart(64, '0'));
    const seen = new Set<string>();
    for (const [at, value] of values.entries()) {
      const signed = { ...value, signer: key.signer };
      const { id, bytes: encoded } = encodeBody(signed);
      const signature = signText(key, FORMAT, id);
      demand(
        verifySignature({ signer: key.signer, format: FORMAT, id, signature }),
        'verifies after encode',
        seed + batch,
        at,
      );
      const commit = await put(
        store,
        at,
        new Map([
          [BODY_FILE, encoded],
          [SIGNATURE_FILE, encodeSignature(signature)],
        ]),
      );
      const problem = await readBack(memoryStore({ backing: store.backing }), commit, { signed, encoded, id });
      demand(problem === undefined, problem ?? '', seed + batch, at);
      seen.add(id);
      bytes += encoded.length;
    }
    bodies += size;
    distinct += seen.size;
    progress?.(bodies);
  }
  return { bodies, bytes, distinct };
}

async function put(store: MemoryStore, sequence: number, files: ReadonlyMap<string, Uint8Array>): Promise<string> {
  const ref = 'timelines/00000000000000000000000000000000';
  const [head] = await store.refs(ref);
  const draft = { ref, message: commitMessage(sequence), folders: [], seal: () => files };
  const commit = await store.writer().commit(head === undefined ? draft : { ...draft, expected: head.target });
  return commit.id;
}

interface Expected {
  readonly signed: SnapshotBody;
  readonly encoded: Uint8Array;
  readonly id: string;
}

/** Returns which part of the law is broken, or undefined. */
async function readBack(
  store: MemoryStore,
  commit: string,
  { signed, encoded, id }: Expected,
): Promise<string | undefined> {
  const stored = await store.commit(commit);
  const entries = stored === undefined ? undefined : await store.tree(stored.tree);
  const blob = async (name: string) => {
    const entry = entries?.find((one) => one.name === name);
    return entry === undefined ? undefined : store.read(entry.id, 'blob');
  };
  const [bodyBytes, signatureBytes] = [await blob(BODY_FILE), await blob(SIGNATURE_FILE)];
  if (bodyBytes === undefined || signatureBytes === undefined) return 'is in the store';
  if (snapshotId(bodyBytes) !== id) return 'keeps its id in the store';
  const loaded = decodeBody(bodyBytes);
  const signature = decodeSignature(signatureBytes);
  if (!verifySignature({ signer: loaded.signer, format: FORMAT, id, signature })) return 'verifies after load';
  const again = encodeBody(loaded);
  if (again.id !== id || Buffer.compare(again.bytes, encoded) !== 0) return 'encodes to the same bytes again';
  // Sets may have been put in order; everything else has to be what went in.
  const fields = Object.keys(signed) as (keyof SnapshotBody)[];
  const sets = new Set(['tags', 'slices', 'boundaries', 'omitted', 'seen']);
  const lost = fields.find((name) => !sets.has(name) && !isDeepStrictEqual(plain(signed[name]), plain(loaded[name])));
  return lost === undefined ? undefined : `keeps its field ${lost}`;
}

// Generated dictionaries may have no prototype.
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function demand(...[holds, law, seed, at]: readonly [boolean, string, number, number]): void {
  if (!holds) throw new Error(`Body ${String(at)} of seed ${String(seed)} does not keep the law: it ${law}.`);
}
