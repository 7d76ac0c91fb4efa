/** Ed25519 signatures over the id of a snapshot or a fact. */
import { verify } from 'node:crypto';
import { fromHex, hex } from '../base/bytes.js';
import { signedMessage, type SignedFormat } from '../model/signed.js';
import type { SignatureFile, Signer } from '../model/snapshot.js';
import type { SigningKey } from './key-ring.js';
import { publicKey } from './public-key.js';

/** Signs the id of a document of that format. */
export function signText(key: SigningKey, format: SignedFormat, id: string): SignatureFile {
  return { algorithm: 'ed25519', signer: key.signer, value: hex(key.sign(signedMessage(format, id))) };
}

export interface SignatureClaim {
  /** The signer that the signed body names: the signature file must name the same one. */
  readonly signer: Signer;
  readonly format: SignedFormat;
  readonly id: string;
  readonly signature: SignatureFile;
}

/** Tells whether the signature holds. Never throws, whatever an attacker wrote into it. */
export function verifySignature({ signer, format, id, signature }: SignatureClaim): boolean {
  // The type says so already, but these fields may come from outside.
  const algorithm: string = signature.algorithm;
  if (algorithm !== 'ed25519' || signature.signer !== signer) return false;
  return verifyMessage({ signer, message: signedMessage(format, id), value: signature.value });
}

export interface MessageClaim {
  readonly signer: Signer;
  /** The exact bytes that were signed. */
  readonly message: Uint8Array;
  /** 128 lower hex digits. */
  readonly value: string;
}

/** Tells whether a signature over bytes of any kind holds. Never throws, whatever an attacker wrote into it. */
export function verifyMessage({ signer, message, value }: MessageClaim): boolean {
  const key = publicKey(signer);
  const bytes = /^[0-9a-f]{128}$/.test(value) ? fromHex(value) : undefined;
  if (key === undefined || bytes === undefined || !hasCanonicalScalar(bytes)) return false;
  try {
    return verify(null, message, key, bytes);
  } catch {
    return false;
  }
}

/** 2^252 + 27742317777372353535851937790883648493, the order of the group (RFC 8032 §5.1). */
const GROUP_ORDER = (1n << 252n) + 27742317777372353535851937790883648493n;

// RFC 8032 §5.1.7 step 1: without this, S + L would be a second signature of the same message.
function hasCanonicalScalar(value: Uint8Array): boolean {
  return BigInt(`0x${hex(value.subarray(32).toReversed())}`) < GROUP_ORDER;
}
