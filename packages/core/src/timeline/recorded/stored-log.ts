/** One stored log, read by the offsets of its lines: only the parts that hold what is asked for. */
import { contextError } from '../../base/errors.js';
import { partPath } from '../../format/v1/parts.js';
import type { LogValue } from '../../model/context/log-value.js';
import type { ObjectId } from '../../model/tree/tree.js';
import type { Store } from '../../store/store.js';
import type { StoredTranscript } from '../snapshot/slices.js';

export interface StoredLog {
  /** Returns the parsed line that begins at an offset. @throws object_missing; format_unreadable */
  line(offset: number): Promise<LogValue>;
}

/** Parts that are kept in memory; most lines are asked for in their order. */
const KEPT = 4;
/** As long as a line may be that a record was made of. */
const LONGEST_LINE = 16 * 1024 * 1024;

export function storedLog(store: Store, transcript: StoredTranscript): StoredLog {
  const blobs = partBlobs(transcript);
  let sizes: Promise<readonly number[]> | undefined;
  const parts = new Map<ObjectId, Uint8Array>();
  let last: { readonly offset: number; readonly value: LogValue } | undefined;

  async function part(index: number): Promise<Uint8Array> {
    const id = blobs[index] ?? '';
    const bytes = parts.get(id) ?? (await store.read(id, 'blob'));
    if (bytes === undefined) throw contextError('object_missing', { object: id, owner: 'the transcript' });
    parts.delete(id);
    parts.set(id, bytes);
    for (const old of [...parts.keys()].slice(0, -KEPT)) parts.delete(old);
    return bytes;
  }

  async function lineBytes(offset: number): Promise<Uint8Array> {
    sizes ??= store.info(blobs).then((infos) => infos.map((info) => info?.size ?? 0));
    let index = 0;
    let start = 0;
    const all = await sizes;
    for (; index < all.length && start + (all[index] ?? 0) <= offset; index += 1) start += all[index] ?? 0;
    const pieces: Uint8Array[] = [];
    let length = 0;
    for (let from = offset - start; index < all.length; index += 1, from = 0) {
      const bytes = (await part(index)).subarray(from);
      const end = bytes.indexOf(0x0a);
      const piece = end < 0 ? bytes : bytes.subarray(0, end);
      pieces.push(piece);
      length += piece.length;
      if (end >= 0 || length > LONGEST_LINE) break;
    }
    return Buffer.concat(pieces);
  }

  return {
    line: async (offset) => {
      if (last?.offset === offset) return last.value;
      const bytes = await lineBytes(offset);
      last = { offset, value: parse(bytes, offset) };
      return last.value;
    },
  };
}

function partBlobs({ source, files }: StoredTranscript): readonly ObjectId[] {
  const blobs: ObjectId[] = [];
  for (let index = 0; index < source.parts; index += 1) {
    const blob = files.get(`${partPath(index)}.jsonl`);
    if (blob === undefined) break;
    blobs.push(blob);
  }
  return blobs;
}

function parse(bytes: Uint8Array, offset: number): LogValue {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as LogValue;
  } catch {
    const what = `The line at byte ${String(offset)} of the transcript`;
    throw contextError('format_unreadable', { what, reason: 'it is not JSON' });
  }
}
