/** The bytes of one file: raw on standard output, or in base64 within one JSON value. */
import type { Outcome } from './command.js';

export async function fileOutcome(path: string, bytes: AsyncIterable<Uint8Array>, json: boolean): Promise<Outcome> {
  if (!json) return { data: undefined, lines: () => [], bytes };
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  const content = Buffer.concat(chunks);
  return { data: { path, bytes: content.length, base64: content.toString('base64') }, lines: () => [] };
}
