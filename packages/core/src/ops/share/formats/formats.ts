/** The formats of files that leave and come in, the usual one first. */
import { contextError } from '../../../base/errors.js';
import type { ImportFormat, PublishFormat } from './format-port.js';
import { importLeanCtx, publishLeanCtx } from './lean-ctx.js';
import { importBundleFormat, publishBundle } from './savepoint-bundle.js';

export const PUBLISH_FORMATS: readonly PublishFormat[] = [publishBundle, publishLeanCtx];
export const IMPORT_FORMATS: readonly ImportFormat[] = [importBundleFormat, importLeanCtx];

const HEAD_BYTES = 512;

export interface RecognisedFile {
  readonly format: ImportFormat;
  /** All of the file, its head included. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Reads the first bytes of a file to tell its format. A file that has none of them is taken for a damaged bundle. */
export async function recognise(chunks: AsyncIterable<Uint8Array>): Promise<RecognisedFile> {
  const iterator = chunks[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const next = await iterator.next();
    if (next.done === true) break;
    read.push(Uint8Array.from(next.value));
    length += next.value.length;
  }
  const head = Buffer.concat(read).subarray(0, HEAD_BYTES);
  const format = IMPORT_FORMATS.find((one) => one.recognises(head)) ?? importBundleFormat;
  return { format, chunks: again(read, iterator) };
}

async function* again(read: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* read;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** @throws argument_malformed */
export function publishFormat(name = publishBundle.name): PublishFormat {
  const found = PUBLISH_FORMATS.find((one) => one.name === name);
  if (found !== undefined) return found;
  const reason = `there is only ${PUBLISH_FORMATS.map((one) => one.name).join(', ')}`;
  throw contextError('argument_malformed', { value: JSON.stringify(name), argument: 'the format', reason });
}
