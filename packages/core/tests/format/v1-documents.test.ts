/** The laws that every document of the format keeps: what is encoded decodes to the same, and nothing else decodes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContextError } from '../../src/base/errors.js';
import type { JsonValue } from '../../src/base/json.js';
import { canonicalJson, isCanonical } from '../../src/format/canonical-json.js';
import { decodeBody, encodeBody } from '../../src/format/v1/body.js';
import { decodeFact, encodeFact } from '../../src/format/v1/fact.js';
import * as records from '../../src/format/v1/records.js';
import { decodeSignature, encodeSignature } from '../../src/format/v1/signature.js';
import * as generated from './generated.js';
import { failure } from './failure.js';

interface Document {
  readonly name: string;
  readonly value: fc.Arbitrary<object>;
  encode(value: object): Uint8Array;
  decode(bytes: Uint8Array): object;
}

function document<T extends object>(
  name: string,
  value: fc.Arbitrary<T>,
  codec: { readonly encode: (value: T) => Uint8Array; readonly decode: (bytes: Uint8Array) => T },
): Document {
  return { name, value, encode: (one) => codec.encode(one as T), decode: codec.decode };
}

const signature = fc
  .tuple(generated.signer, generated.snapshotId, generated.snapshotId)
  .map(([signer, a, b]) => ({ algorithm: 'ed25519' as const, signer, value: a + b }));

const DOCUMENTS: readonly Document[] = [
  document('snapshot.json', generated.body, { encode: (value) => encodeBody(value).bytes, decode: decodeBody }),
  document('fact.json', generated.fact, { encode: (value) => encodeFact(value).bytes, decode: decodeFact }),
  document('filesystem.json', generated.filesystem, {
    encode: records.encodeFilesystem,
    decode: records.decodeFilesystem,
  }),
  document('index.json', generated.staged, { encode: records.encodeStaged, decode: records.decodeStaged }),
  document('the sidecar of a part', generated.part, { encode: records.encodePart, decode: records.decodePart }),
  document('source.json', generated.source, { encode: records.encodeSource, decode: records.decodeSource }),
  document('signature.json', signature, { encode: encodeSignature, decode: decodeSignature }),
];

// Arrays whose order means something; all others are sets, which the encoder puts in order.
const SEQUENCES = new Set(['parents', 'shrunk']);

/** The value with every set in one order and each element once, by the test's own rule. */
function asSets(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const elements = value.map((one) => asSets(one));
    if (SEQUENCES.has(key) || key.startsWith('x-')) return elements;
    const texts = elements.map((one) => JSON.stringify(one)).sort();
    return key === 'spans' ? texts : [...new Set(texts)];
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, asSets(member, name)] as const);
  // A list keeps `__proto__` apart.
  return members;
}

describe.each(DOCUMENTS)('$name', ({ value, encode, decode }) => {
  it('comes back from its bytes with every field, known and unknown', () => {
    fc.assert(
      fc.property(value, (one) => {
        expect(asSets(decode(encode(one)))).toEqual(asSets(one));
      }),
      { numRuns: 300 },
    );
  });

  it('has exactly one spelling', () => {
    fc.assert(
      fc.property(value, (one) => {
        const bytes = encode(one);
        expect(isCanonical(bytes)).toBe(true);
        expect(encode(decode(bytes))).toEqual(bytes);
        const loose = Buffer.from(JSON.stringify(JSON.parse(Buffer.from(bytes).toString()), undefined, 1));
        expect(failure(() => decode(loose)).data['verdict']).toBe('not_canonical');
        expect(failure(() => decode(Buffer.concat([bytes, Buffer.from('\n')]))).data['verdict']).toBe('not_canonical');
      }),
      { numRuns: 100 },
    );
  });

  it('is not changed by encoding', () => {
    fc.assert(
      fc.property(value, (one) => {
        const before = JSON.stringify(one);
        encode(one);
        expect(JSON.stringify(one)).toBe(before);
      }),
      { numRuns: 50 },
    );
  });

  it('is refused with any field of another type', () => {
    fc.assert(
      fc.property(value, fc.constantFrom<unknown>(true, -1, 'x\0', [], {}), fc.nat(), (one, wrong, pick) => {
        const names = Object.keys(one).filter((name) => !name.startsWith('x-'));
        const name = names[pick % names.length] ?? '';
        const present: unknown = Reflect.get(one, name);
        const kind = (thing: unknown) => (Array.isArray(thing) ? 'array' : typeof thing);
        const changed = { ...one, [name]: wrong };
        // A wrong value of the right type may still be a right one.
        fc.pre(kind(present) !== kind(wrong));
        expect(failure(() => decode(canonicalJson(changed as JsonValue))).kind).toMatch(/^(corrupt|too_new)$/);
        expect(failure(() => encode(changed)).code).toMatch(/^(invariant_broken|format_version_unsupported)$/);
      }),
      { numRuns: 300 },
    );
  });

  it('is refused when it is not such an object at all', () => {
    for (const json of ['', '[]', '1', '"x"', 'true', 'null', '{}', '{"format":null}', '[[[[]]]]']) {
      expect(failure(() => decode(Buffer.from(json))).kind).toBe('corrupt');
    }
  });

  it('answers any damage with a ContextError', () => {
    fc.assert(
      fc.property(value, fc.nat(), fc.integer({ min: 0, max: 255 }), (one, at, byte) => {
        const bytes = Buffer.from(encode(one));
        bytes[at % bytes.length] = byte;
        try {
          expect(Buffer.compare(encode(decode(bytes)), bytes)).toBe(0);
        } catch (error) {
          expect(error).toBeInstanceOf(ContextError);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('refuses hostile sizes and depths quickly', () => {
    const depth = 100_000;
    for (const json of [
      '['.repeat(depth) + ']'.repeat(depth),
      `{"format":${'['.repeat(depth)}${']'.repeat(depth)}}`,
      '{"a":'.repeat(depth) + '1' + '}'.repeat(depth),
      `"${'x'.repeat(10_000_000)}"`,
      `{"format":"${'x'.repeat(10_000_000)}"}`,
      `{"format":"savepoint.snapshot/${'9'.repeat(1_000_000)}"}`,
      `[${'[],'.repeat(1_000_000)}[]]`,
      `{"tags":[${'"a",'.repeat(1_000_000)}"a"]}`,
    ]) {
      expect(failure(() => decode(Buffer.from(json))).kind).toBe('corrupt');
    }
  });
});
