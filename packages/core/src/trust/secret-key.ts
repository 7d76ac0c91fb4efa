/** The file form of a private key: one JSON object with the 32 bytes that RFC 8032 calls the secret key. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { SigningKey } from './key-ring.js';
import { signerOf } from './public-key.js';

export interface Secret {
  /** 64 lower hex digits. */
  readonly seed: string;
}

// RFC 8410 §7: a PKCS#8 private key of Ed25519 is this and the 32 bytes of the seed.
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

export function encodeSecret({ seed }: Secret): string {
  const { signer } = signingKeyOf({ seed });
  return `${JSON.stringify({ algorithm: 'ed25519', seed, signer }, undefined, 2)}\n`;
}

/** Returns the key in a file's content, or undefined if it holds none or its halves do not fit. */
export function decodeSecret(content: string): Secret | undefined {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { algorithm, seed, signer } = value as Readonly<Record<string, unknown>>;
  if (algorithm !== 'ed25519' || typeof seed !== 'string' || !/^[0-9a-f]{64}$/.test(seed)) return undefined;
  // A damaged seed would sign under a key that nobody trusts, without anybody noticing.
  return signingKeyOf({ seed }).signer === signer ? { seed } : undefined;
}

export function signingKeyOf({ seed }: Secret): SigningKey {
  const der = Buffer.concat([PKCS8_PREFIX, Buffer.from(seed, 'hex')]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const raw = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return { signer: signerOf(raw), sign: (message) => new Uint8Array(sign(null, message, key)) };
}
