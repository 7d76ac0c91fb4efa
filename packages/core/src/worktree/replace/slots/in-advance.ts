/** The content of many blobs in their order, each asked for before the one before it was used: nobody waits for each answer. */
import type { ObjectId } from '../../../model/tree/tree.js';
import type { ContentSource } from '../replacement.js';

export interface WantedBlob {
  readonly id: ObjectId;
  readonly size: number;
}

export interface ComingBlob extends WantedBlob {
  /** To be read to its end before the next blob. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** So much may be on its way: answers wait in memory. */
const MOST_BYTES = 1024 * 1024;
const MOST_BLOBS = 128;

interface Asked extends WantedBlob {
  readonly iterator: AsyncIterator<Uint8Array>;
  readonly first: Promise<IteratorResult<Uint8Array>>;
}

/**
 * Yields the blobs. Until the last one, nothing else may be read from the content: a store answers in the order in which it
 * was asked. @throws object_missing, at the blob that is gone
 */
export async function* inAdvance(content: ContentSource, wanted: readonly WantedBlob[]): AsyncGenerator<ComingBlob> {
  const waiting = [...wanted].reverse();
  let asked: Asked[] = [];
  try {
    while (asked.length + waiting.length > 0) {
      if (asked.length === 0) asked = askNext(content, waiting);
      const next = asked.shift();
      if (next === undefined) return;
      const { id, size, iterator } = next;
      try {
        yield { id, size, pieces: piecesOf(next) };
      } finally {
        // Also where its reader failed half-way: those after it are answered when it is at its end.
        await iterator.return?.();
      }
      if (asked.length < MOST_BLOBS / 2) asked.push(...askNext(content, waiting, asked));
    }
  } finally {
    // In this order, in which they are answered.
    for (const { iterator } of asked) await iterator.return?.();
  }
}

/** Asks for the next few, at least for one where nothing is on its way. */
function askNext(content: ContentSource, waiting: WantedBlob[], asked: readonly WantedBlob[] = []): Asked[] {
  const more: Asked[] = [];
  let bytes = asked.reduce((sum, { size }) => sum + size, 0);
  for (let next = waiting.at(-1); next !== undefined; next = waiting.at(-1)) {
    const count = asked.length + more.length;
    if (count > 0 && (count >= MOST_BLOBS || bytes + next.size > MOST_BYTES)) break;
    waiting.pop();
    bytes += next.size;
    const iterator = content.stream(next.id)[Symbol.asyncIterator]();
    const first = iterator.next();
    // Whoever reads it hears of it then.
    first.catch(() => undefined);
    more.push({ ...next, iterator, first });
  }
  return more;
}

async function* piecesOf({ iterator, first }: Asked): AsyncGenerator<Uint8Array> {
  for (let piece = await first; piece.done !== true; piece = await iterator.next()) yield piece.value;
}
