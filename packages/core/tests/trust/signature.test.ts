import { generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hex, utf8 } from '../../src/base/bytes.js';
import type { SignatureFile } from '../../src/model/snapshot.js';
import { signedMessage } from '../../src/format/v1/signature.js';
import { decodeBody, encodeBody, snapshotId } from '../../src/format/v1/body.js';
import { decodeSignature, encodeSignature } from '../../src/format/v1/signature.js';
import { keyDigits, publicKey, signerProblem } from '../../src/trust/public-key.js';
import { signingKeyOf } from '../../src/trust/secret-key.js';
import { signText, verifySignature, verifySignatureApart } from '../../src/trust/signature.js';
import { body } from '../format/generated.js';
import { keyOf } from './keys.js';

const FORMAT = 'savepoint.snapshot/1';
const id = 'a'.repeat(64);
const key = keyOf('1');
const signature = signText(key, FORMAT, id);
const claim = { signer: key.signer, format: FORMAT, id, signature } as const;
const check = (changes: object) => verifySignature({ ...claim, ...changes });
const checkApart = (changes: object) => verifySignatureApart({ ...claim, ...changes });

// RFC 8032 §7.1, tests 1 to 3: secret key, public key, message, signature.
const RFC8032: readonly (readonly [string, string, string, string])[] = [
  [
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
];

describe('signing', () => {
  it.each(RFC8032)('gives the signatures of RFC 8032 (%#)', (...[seed, raw, message, value]) => {
    const rfc = signingKeyOf(seed);
    expect(rfc.signer).toBe(`ed25519:${raw}`);
    expect(hex(rfc.sign(Buffer.from(message, 'hex')))).toBe(value);
  });

  it('signs the format, a newline and the id', () => {
    expect(signature).toEqual({
      algorithm: 'ed25519',
      signer: key.signer,
      value: hex(key.sign(utf8(`${FORMAT}\n${id}`))),
    });
    expect(hex(key.sign(signedMessage(FORMAT, id)))).toBe(signature.value);
    expect(check({})).toBe(true);
  });

  it('makes keys that other programs can use', () => {
    const other = publicKey(key.signer) as KeyObject;
    expect(verify(null, utf8(`${FORMAT}\n${id}`), other, Buffer.from(signature.value, 'hex'))).toBe(true);
    const { publicKey: theirs, privateKey } = generateKeyPairSync('ed25519');
    const signer = `ed25519:${theirs.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')}`;
    const value = hex(new Uint8Array(sign(null, utf8(`${FORMAT}\n${id}`), privateKey)));
    expect(check({ signer, signature: { algorithm: 'ed25519', signer, value } })).toBe(true);
  });
});

describe('verifySignature', () => {
  it.each<[string, object]>([
    ['another id', { id: `b${id.slice(1)}` }],
    ['a fact with the id of a snapshot', { format: 'savepoint.fact/1' }],
    ['another signer in the body', { signer: keyOf('2').signer }],
    ['another signer in the file', { signature: { ...signature, signer: keyOf('2').signer } }],
    ['another algorithm', { signature: { ...signature, algorithm: 'none' } }],
    ['an empty value', { signature: { ...signature, value: '' } }],
    ['a value in upper hex', { signature: { ...signature, value: signature.value.toUpperCase() } }],
    ['a longer value', { signature: { ...signature, value: `${signature.value}00` } }],
    ['a value of zeros', { signature: { ...signature, value: '0'.repeat(128) } }],
    ['no signer', { signer: '', signature: { ...signature, signer: '' } }],
    [
      'a signer that is no hex',
      { signer: `ed25519:${'x'.repeat(64)}`, signature: { ...signature, signer: `ed25519:${'x'.repeat(64)}` } },
    ],
    [
      'a signer off the curve',
      { signer: `ed25519:02${'0'.repeat(62)}`, signature: { ...signature, signer: `ed25519:02${'0'.repeat(62)}` } },
    ],
    [
      'a signer in upper hex',
      { signer: key.signer.toUpperCase(), signature: { ...signature, signer: key.signer.toUpperCase() } },
    ],
  ])('refuses %s', async (_, changes) => {
    expect(check(changes)).toBe(false);
    expect(await checkApart(changes)).toBe(false);
  });

  it('says the same of many at once on other threads', async () => {
    const ids = Array.from({ length: 40 }, (_, at) => at.toString(16).padStart(64, '0'));
    const good = ids.map((one) => ({ id: one, signature: signText(key, FORMAT, one) }));
    expect(await Promise.all(good.map(checkApart))).toEqual(ids.map(() => true));
    const swapped = good.map((one, at) => ({ ...one, id: at % 2 === 0 ? one.id : id }));
    expect(await Promise.all(swapped.map(checkApart))).toEqual(swapped.map((_, at) => at % 2 === 0));
  });

  it('refuses every change of one bit of the signature', () => {
    const raw = Buffer.from(signature.value, 'hex');
    for (let bit = 0; bit < raw.length * 8; bit++) {
      const flipped = Buffer.from(raw);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(check({ signature: { ...signature, value: flipped.toString('hex') } })).toBe(false);
    }
  });

  it('refuses the second form of a signature, S + L', () => {
    const order = (1n << 252n) + 27742317777372353535851937790883648493n;
    const raw = Buffer.from(signature.value, 'hex');
    const s = BigInt(`0x${Buffer.from(raw.subarray(32)).reverse().toString('hex')}`);
    const grown = Buffer.from((s + order).toString(16).padStart(64, '0'), 'hex').reverse();
    const value = Buffer.concat([raw.subarray(0, 32), grown]).toString('hex');
    expect(value).toHaveLength(128);
    expect(check({ signature: { ...signature, value } })).toBe(false);
  });

  it('does not grow without bound with the signers that it meets', () => {
    for (let n = 0; n < 3000; n++) {
      const signer = `ed25519:${n.toString(16).padStart(64, '0')}`;
      expect(check({ signer, signature: { ...signature, signer } })).toBe(false);
    }
    expect(check({})).toBe(true);
  });
});

const PRIME = (1n << 255n) - 19n;
const littleEndian = (value: bigint) =>
  Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex');
const SIGN_BIT = 1n << 255n;
// y of the points of order 1, 2, 4, 8, and the second spellings of 0 and 1.
const Y8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
const SMALL_ORDER_Y = [1n, PRIME - 1n, 0n, Y8, PRIME - Y8, PRIME, PRIME + 1n];

describe('keys of small order', () => {
  it('are these: eight times such a point is the neutral one', () => {
    // The doubling law of RFC 8032 §5.1.4 on y alone: y(2P) follows from y(P), since x² does.
    const d = mod(-121665n * inverse(121666n));
    const doubled = (y: bigint) => {
      const xx = mod((y * y - 1n) * inverse(mod(d * y * y + 1n)));
      const product = mod(d * xx * y * y);
      return mod((y * y + xx) * inverse(mod(1n - product)));
    };
    for (const y of SMALL_ORDER_Y) expect(doubled(doubled(doubled(mod(y))))).toBe(1n);
    expect(doubled(Y8)).toBe(0n);
    expect(doubled(0n)).toBe(PRIME - 1n);
  });

  it.each(SMALL_ORDER_Y.flatMap((y) => [y, y | SIGN_BIT]).map(littleEndian))('%s is refused', (raw) => {
    const signer = `ed25519:${raw}`;
    expect(signerProblem(signer)).toMatch(/small order|canonical/);
    expect(publicKey(signer)).toBeUndefined();
    for (const value of [`${raw}${'0'.repeat(64)}`, `${littleEndian(1n)}${'0'.repeat(64)}`]) {
      expect(check({ signer, signature: { algorithm: 'ed25519', signer, value } })).toBe(false);
    }
  });

  it('would accept one signature for every message, if they were not refused', () => {
    const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(littleEndian(1n), 'hex')]);
    const forged = Buffer.from(`${littleEndian(1n)}${'0'.repeat(64)}`, 'hex');
    const accepted = ['one', 'two'].map((message) =>
      verify(null, utf8(message), { key: der, format: 'der', type: 'spki' }, forged),
    );
    // Node 24 refuses such a key by itself; Node 20 and 22 do not.
    const refuses = Number(process.versions.node.split('.')[0]) >= 24;
    expect(accepted).toEqual(refuses ? [false, false] : [true, true]);
  });

  it('are not the only keys that are refused: every second spelling is', () => {
    for (let y = PRIME; y < SIGN_BIT; y++) {
      for (const form of [y, y | SIGN_BIT])
        expect(signerProblem(`ed25519:${littleEndian(form)}`)).toContain('canonical');
    }
  });

  it('do not include honest keys', () => {
    for (const [, raw] of RFC8032) expect(signerProblem(`ed25519:${raw}`)).toBeUndefined();
    expect(keyDigits(key.signer)).toBe(key.signer.slice(8, 20));
  });
});

function mod(value: bigint): bigint {
  return ((value % PRIME) + PRIME) % PRIME;
}

function inverse(value: bigint): bigint {
  let [result, base] = [1n, mod(value)];
  for (let exponent = PRIME - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = mod(result * base);
    base = mod(base * base);
  }
  return result;
}

describe('a signed body', () => {
  const sealed = fc.sample(body, { numRuns: 1, seed: 5 }).map((value) => encodeBody({ ...value, signer: key.signer }));
  const { bytes, id: snapshot } = sealed[0] as { bytes: Uint8Array; id: string };
  const file = encodeSignature(signText(key, FORMAT, snapshot));

  const holds = (bodyBytes: Uint8Array, signatureBytes: Uint8Array): boolean => {
    let [read, claim]: [ReturnType<typeof decodeBody> | undefined, SignatureFile | undefined] = [undefined, undefined];
    try {
      read = decodeBody(bodyBytes);
      claim = decodeSignature(signatureBytes);
    } catch {
      return false;
    }
    return verifySignature({ signer: read.signer, format: FORMAT, id: snapshotId(bodyBytes), signature: claim });
  };

  it('holds as it was signed', () => {
    expect(holds(bytes, file)).toBe(true);
  });

  it('shows the change of any single byte, in the body and in the signature', () => {
    const flips = [0x01, 0x20, 0x80, 0xff];
    for (let at = 0; at < Math.max(bytes.length, file.length); at++) {
      for (const flip of flips) {
        if (at < bytes.length) expect(holds(flipped(bytes, at, flip), file)).toBe(false);
        if (at < file.length) expect(holds(bytes, flipped(file, at, flip))).toBe(false);
      }
    }
  });

  it('shows missing and added bytes', () => {
    for (const cut of [1, 2, 10]) {
      expect(holds(bytes.subarray(0, -cut), file)).toBe(false);
      expect(holds(bytes, file.subarray(0, -cut))).toBe(false);
    }
    expect(holds(Buffer.concat([bytes, utf8(' ')]), file)).toBe(false);
    expect(holds(bytes, Buffer.concat([file, utf8('\n')]))).toBe(false);
  });

  it('cannot be signed again by somebody else under the same id', () => {
    expect(holds(bytes, encodeSignature(signText(keyOf('2'), FORMAT, snapshot)))).toBe(false);
  });
});

function flipped(bytes: Uint8Array, at: number, flip: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ flip;
  return copy;
}
