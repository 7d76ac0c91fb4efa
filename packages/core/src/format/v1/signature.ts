/** `signature.json`: exactly three fields, since nothing covers this file but itself. */
import type { SignatureFile } from '../../model/snapshot.js';
import { makeCodec } from '../codec.js';
import { hexDigits, oneOf, record } from '../shape.js';
import { signer } from './fields.js';

export { signedMessage, type SignedFormat } from '../../model/signed.js';

const codec = makeCodec<SignatureFile>({
  what: 'The signature',
  maxBytes: 1024,
  check: record({ algorithm: oneOf('ed25519'), signer, value: hexDigits(128) }, {}, (value) =>
    Object.keys(value).length === 3 ? undefined : 'it has a field that is not covered by anything',
  ),
  order: (value) => value,
  data: { verdict: 'bad_signature' },
});

export function encodeSignature(signature: SignatureFile): Uint8Array {
  return codec.encode(signature);
}

/** Reads `signature.json`; whether it holds, only `verifySignature` says. @throws format_unreadable */
export function decodeSignature(bytes: Uint8Array): SignatureFile {
  return codec.decode(bytes);
}
