/** What a signature is made over (format section "Signatures"): the kind of document and its id. */
import { utf8 } from '../base/bytes.js';
import type { FACT_FORMAT } from './fact.js';
import type { OPERATION_FORMAT } from './operation.js';
import type { SNAPSHOT_FORMAT } from './snapshot.js';

export type SignedFormat = typeof SNAPSHOT_FORMAT | typeof FACT_FORMAT | typeof OPERATION_FORMAT;

/** Returns the bytes that are signed: the format, a newline, the id. The format keeps one kind's signature from serving another. */
export function signedMessage(format: SignedFormat, id: string): Uint8Array {
  return utf8(`${format}\n${id}`);
}
