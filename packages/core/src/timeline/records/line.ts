/** A line of the stored log while it is folded: contents are taken from it by their place. */
import { createHash } from 'node:crypto';
import type { ObjectFormat } from '../../model/tree/anchor.js';
import type { ContentReference } from '../../model/context/item.js';
import type { LineContent } from '../../model/context/log-event.js';
import { bytesAt, type LogObject } from '../../model/context/log-value.js';

export interface FoldedLine {
  readonly offset: number;
  readonly value: LogObject;
  readonly format: ObjectFormat;
}

/** Returns the reference of content in this line and its bytes; what is not there has none. */
export function contentIn(line: FoldedLine, content: LineContent): FoundContent | undefined {
  const bytes = bytesAt(line.value, content);
  if (bytes === undefined) return undefined;
  const { pointers, base64 } = content;
  const place = { in: 'transcript' as const, offset: line.offset, pointers, ...(base64 === true && { base64 }) };
  return { bytes, reference: { bytes: bytes.length, place } };
}

/** Returns a short name of bytes, by which the same bytes are known again. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

export interface FoundContent {
  readonly bytes: Uint8Array;
  readonly reference: ContentReference;
}
