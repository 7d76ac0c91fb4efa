import { describe, expect, it } from 'vitest';
import { text, utf8 } from '../../src/base/bytes.js';
import { canonicalJson } from '../../src/format/canonical-json.js';
import { decodeSignature, encodeSignature, signedMessage } from '../../src/format/v1/signature.js';
import { failure } from './failure.js';

const FILE = { algorithm: 'ed25519', signer: `ed25519:${'a'.repeat(64)}`, value: 'b'.repeat(128) } as const;

describe('signedMessage', () => {
  it('is the format, a newline and the id', () => {
    expect(text(signedMessage('savepoint.snapshot/1', 'ab'))).toBe('savepoint.snapshot/1\nab');
    expect(text(signedMessage('savepoint.fact/1', 'ab'))).toBe('savepoint.fact/1\nab');
  });
});

describe('signature.json', () => {
  it('comes back from its bytes', () => {
    expect(decodeSignature(encodeSignature(FILE))).toEqual(FILE);
  });

  it.each<[string, object]>([
    ['another algorithm', { algorithm: 'ed448' }],
    ['no signer', { signer: '' }],
    ['upper hex', { value: 'B'.repeat(128) }],
    ['a short value', { value: 'b'.repeat(126) }],
    ['a field that nothing covers', { note: 'x' }],
    ['no value', { value: undefined }],
  ])('is refused with %s, as a bad signature', (_, changes) => {
    const error = failure(() => decodeSignature(canonicalJson({ ...FILE, ...changes })));
    expect([error.code, error.data['verdict']]).toEqual(['format_unreadable', 'bad_signature']);
  });

  it('is a bad signature when it is no JSON at all', () => {
    expect(failure(() => decodeSignature(utf8('{'))).data['verdict']).toBe('bad_signature');
  });

  it('has one spelling', () => {
    const loose = utf8(JSON.stringify(FILE, undefined, 1));
    expect(failure(() => decodeSignature(loose)).data['verdict']).toBe('not_canonical');
  });
});
