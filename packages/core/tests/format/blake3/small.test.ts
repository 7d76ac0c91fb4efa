import { hash } from 'blake3-jit';
import fc from 'fast-check';
import { blake3 as plain } from '@savepoint/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hex } from '../../../src/base/bytes.js';
import { MODULE } from '../../../src/format/blake3/module.js';
import { SMALL_BYTES, smallBlake3 } from '../../../src/format/blake3/small.js';
import { writeModule } from './module-source.js';

afterEach(() => {
  vi.unstubAllGlobals();
  // What was loaded without WebAssembly is nobody else's.
  vi.resetModules();
});

const input = (length: number) => Uint8Array.from({ length }, (_, index) => index % 251);

describe('blake3 of small inputs', () => {
  it('runs the module that its source writes', () => {
    expect(MODULE).toBe(Buffer.from(writeModule()).toString('base64'));
  });

  it('is that of the plain implementation at each edge of a block, a chunk and a tree', () => {
    const edges = [0, 64, 1024, 2048, 3072, 4096, 5120, 7168, 8192, 16_384, 17_408];
    for (const edge of edges)
      for (const length of [edge - 1, edge, edge + 1].filter((one) => one >= 0))
        expect([length, smallBlake3(input(length))]).toEqual([length, plain(input(length))]);
  });

  it('is that of the quick implementation for bytes of any kind and length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: SMALL_BYTES, size: 'max' }), (bytes) => {
        expect(smallBlake3(bytes)).toBe(hex(hash(bytes)));
      }),
      { numRuns: 60 },
    );
    for (let length = 0; length <= SMALL_BYTES; length += 509)
      expect(smallBlake3(input(length))).toBe(hex(hash(input(length))));
  });

  it('is not disturbed by what was hashed before', () => {
    const first = smallBlake3(input(70));
    smallBlake3(new Uint8Array(1024).fill(255));
    expect(smallBlake3(input(70))).toBe(first);
  });

  it('is left to the other implementation where WebAssembly is not allowed', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    vi.resetModules();
    const { smallBlake3: without } = await import('../../../src/format/blake3/small.js');
    const { blake3 } = await import('../../../src/format/digest.js');
    expect(without(input(70))).toBeUndefined();
    expect(blake3(input(70))).toBe(plain(input(70)));
  });
});
