/** Ed25519 signatures over the id of a snapshot or a fact. */
import { verify, type KeyObject } from 'node:crypto';
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
export function verifySignature(claim: SignatureClaim): boolean {
  const message = messageOf(claim);
  return message !== undefined && verifyMessage(message);
}

/** The same on a thread of Node's own, while this one goes on: for many at once. */
export function verifySignatureApart(claim: SignatureClaim): Promise<boolean> {
  const message = messageOf(claim);
  const question = message === undefined ? undefined : questionOf(message);
  if (question === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    try {
      verify(null, question.message, question.key, question.value, (error, holds) => {
        resolve(error === null && holds);
      });
    } catch {
      resolve(false);
    }
  });
}

export interface MessageClaim {
  readonly signer: Signer;
  /** The exact bytes that were signed. */
  readonly message: Uint8Array;
  /** 128 lower hex digits. */
  readonly value: string;
}

/** Tells whether a signature over bytes of any kind holds. Never throws, whatever an attacker wrote into it. */
export function verifyMessage(claim: MessageClaim): boolean {
  const question = questionOf(claim);
  if (question === undefined) return false;
  try {
    return verify(null, question.message, question.key, question.value);
  } catch {
    return false;
  }
}

function messageOf({ signer, format, id, signature }: SignatureClaim): MessageClaim | undefined {
  // The type says so already, but these fields may come from outside.
  const algorithm: string = signature.algorithm;
  if (algorithm !== 'ed25519' || signature.signer !== signer) return undefined;
  return { signer, message: signedMessage(format, id), value: signature.value };
}

interface Question {
  readonly key: KeyObject;
  readonly message: Uint8Array;
  readonly value: Uint8Array;
}

// What must not even be asked is answered here: undefined stands for a signature that does not hold.
function questionOf({ signer, message, value }: MessageClaim): Question | undefined {
  const key = publicKey(signer);
  const bytes = /^[0-9a-f]{128}$/.test(value) ? fromHex(value) : undefined;
  if (key === undefined || bytes === undefined || !hasCanonicalScalar(bytes)) return undefined;
  return { key, message, value: bytes };
}

/** 2^252 + 27742317777372353535851937790883648493, the order of the group (RFC 8032 §5.1). */
const GROUP_ORDER = (1n << 252n) + 27742317777372353535851937790883648493n;

// RFC 8032 §5.1.7 step 1: without this, S + L would be a second signature of the same message.
function hasCanonicalScalar(value: Uint8Array): boolean {
  // Nearly all are below 2^252, which the uppermost byte alone tells.
  if ((value[63] ?? 255) < 0x10) return true;
  return BigInt(`0x${hex(value.subarray(32).toReversed())}`) < GROUP_ORDER;
}
