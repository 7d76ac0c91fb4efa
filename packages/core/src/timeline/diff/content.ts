/** Reads both sides of changed files for their line counts and patches, within bounds on memory. */
import { strictText } from '../../base/bytes.js';
import type { ObjectId } from '../../model/tree/tree.js';
import { textChange, type TextChange } from './patch.js';

export interface ContentSource {
  /** Returns the size of a blob, or undefined if its content is not at hand. */
  size(blob: ObjectId): Promise<number | undefined>;
  read(blob: ObjectId): Promise<Uint8Array | undefined>;
}

export interface ContentChange {
  /** True for bytes that are not text, and for files above TEXT_LIMIT. */
  readonly binary: boolean;
  readonly change?: TextChange;
}

/** Larger files are compared by their digests alone. */
export const TEXT_LIMIT = 4 * 1024 * 1024;
// As many bytes as git looks at.
const HEAD_BYTES = 8000;

/** Compares two contents by lines; absent is empty. Binary or very large content has no lines. */
export async function contentChange(
  source: ContentSource,
  before: ObjectId | undefined,
  after: ObjectId | undefined,
): Promise<ContentChange> {
  const [a, b] = await Promise.all([textOf(source, before), textOf(source, after)]);
  if (a.text === undefined || b.text === undefined) return { binary: a.binary || b.binary };
  return { binary: false, change: textChange(a.text, b.text) };
}

interface Content {
  readonly binary: boolean;
  readonly text?: string;
}

// Content that is not at hand may be text; what is too large to be compared by lines is treated as binary.
/** Returns a blob's text, empty for none; `binary` where it is no text or above TEXT_LIMIT. */
export async function textOf(source: ContentSource, blob: ObjectId | undefined): Promise<Content> {
  if (blob === undefined) return { binary: false, text: '' };
  const size = await source.size(blob);
  if (size !== undefined && size > TEXT_LIMIT) return { binary: true };
  const bytes = size === undefined ? undefined : await source.read(blob);
  if (bytes === undefined) return { binary: false };
  const text = bytes.subarray(0, HEAD_BYTES).includes(0) ? undefined : strictText(bytes);
  return text === undefined ? { binary: true } : { binary: false, text };
}
