import { hash } from 'blake3-jit';
import fc from 'fast-check';
import { blake3 as plain } from '@savepoint/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hex } from '../../../src/base/bytes.js';
import { WIDE_MODULE } from '../../../src/format/blake3/wide-module.js';
import { WIDE_BYTES, wideBlake3 } from '../../../src/format/blake3/wide.js';
import { writeWideModule } from './wide-module-source.js';

afterEach(() => {
  vi.unstubAllGlobals();
  // What was loaded without WebAssembly is nobody else's.
  vi.resetModules();
});

const CHUNK = 1024;
const period = Buffer.from(Array.from({ length: 251 }, (_, index) => index));
const source = new Uint8Array(Buffer.alloc(140 * CHUNK, period));
const input = (length: number) => source.subarray(0, length);

describe('blake3 of four chunks at a time', () => {
  it('runs the module that its source writes', () => {
    expect(WIDE_MODULE).toBe(Buffer.from(writeWideModule()).toString('base64'));
  });

  it('is that of the plain implementation for each number of chunks, at each edge', () => {
    for (let chunks = 2; chunks <= 12; chunks += 1)
      for (const length of [-1, 0, 1].map((more) => chunks * CHUNK + more))
        expect([length, wideBlake3(input(length))]).toEqual([length, plain(input(length))]);
  });

  it('is that of the other quick implementation for trees of every shape', () => {
    for (let chunks = 13; chunks <= 140; chunks += 1) {
      const bytes = input(chunks * CHUNK - (chunks % 3));
      expect([chunks, wideBlake3(bytes)]).toEqual([chunks, hex(hash(bytes))]);
    }
    for (const length of [WIDE_BYTES - 1, WIDE_BYTES]) {
      const bytes = new Uint8Array(length).fill(length % 256);
      expect(wideBlake3(bytes)).toBe(hex(hash(bytes)));
    }
  });

  it('is the same for bytes of any kind, wherever they lie, whatever was hashed before', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: CHUNK + 1, maxLength: 12 * CHUNK, size: 'max' }),
        fc.nat(70),
        (bytes, at) => {
          const moved = new Uint8Array(bytes.length + at);
          moved.set(bytes, at);
          expect(wideBlake3(moved.subarray(at))).toBe(hex(hash(bytes)));
        },
      ),
      { numRuns: 20 },
    );
  });

  it('is left to others for what is too short or too long, and where WebAssembly is not allowed', async () => {
    expect(wideBlake3(input(CHUNK))).toBeUndefined();
    expect(wideBlake3(new Uint8Array(WIDE_BYTES + 1))).toBeUndefined();
    vi.stubGlobal('WebAssembly', undefined);
    vi.resetModules();
    const { wideBlake3: without } = await import('../../../src/format/blake3/wide.js');
    const { blake3 } = await import('../../../src/format/digest.js');
    expect(without(input(5000))).toBeUndefined();
    expect(blake3(input(70_000))).toBe(plain(input(70_000)));
  });
});
