/** Raw Ed25519 public keys: their text form, and which of them must never be believed. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { fromHex, hex } from '../base/bytes.js';
import type { Signer } from '../model/snapshot.js';

// RFC 8410 §4: a SubjectPublicKeyInfo of Ed25519 is this and the 32 bytes of the key.
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** 2^255 - 19 */
const FIELD_PRIME = (1n << 255n) - 19n;

// The y of the eight points whose order divides 8. Anybody can make signatures that such a key accepts for any message.
const ORDER_8_Y = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
const SMALL_ORDER_Y: ReadonlySet<bigint> = new Set([0n, 1n, FIELD_PRIME - 1n, ORDER_8_Y, FIELD_PRIME - ORDER_8_Y]);

const SIGNER = /^ed25519:([0-9a-f]{64})$/;

export function signerOf(rawKey: Uint8Array): Signer {
  return `ed25519:${hex(rawKey)}`;
}

/** Returns the 12 digits by which refs name a key (`facts/<key12>/…`). */
export function keyDigits(signer: Signer): string {
  return signer.slice('ed25519:'.length, 'ed25519:'.length + 12);
}

/** Returns why a signer must be refused, or undefined if it is a usable public key. */
export function signerProblem(signer: Signer): string | undefined {
  const raw = fromHex(SIGNER.exec(signer)?.[1] ?? '-');
  if (raw === undefined) return 'it is not `ed25519:` and 64 lower hex digits';
  // The uppermost bit is the sign of x (RFC 8032 §5.1.2), the rest is y, little-endian.
  const y = BigInt(`0x${hex(raw.toReversed())}`) & ((1n << 255n) - 1n);
  if (y >= FIELD_PRIME) return 'it is not in canonical form';
  return SMALL_ORDER_Y.has(y) ? 'it is a point of small order' : undefined;
}

const CACHE_LIMIT = 1024;
const cache = new Map<Signer, KeyObject | undefined>();

/** Returns the key of a signer for node's crypto, or undefined if it must be refused. */
export function publicKey(signer: Signer): KeyObject | undefined {
  if (cache.has(signer)) return cache.get(signer);
  // Signers come from outside: the cache must not grow with them.
  if (cache.size >= CACHE_LIMIT) cache.clear();
  const key = signerProblem(signer) === undefined ? importKey(signer) : undefined;
  cache.set(signer, key);
  return key;
}

function importKey(signer: Signer): KeyObject | undefined {
  try {
    const der = Buffer.concat([SPKI_PREFIX, Buffer.from(signer.slice('ed25519:'.length), 'hex')]);
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}
