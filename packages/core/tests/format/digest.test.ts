import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8 } from '../../src/base/bytes.js';
import { blake3, blake3Hasher } from '../../src/format/digest.js';

// The published test vectors of BLAKE3: bytes 0, 1, … 250, 0, 1, …; the first 32 bytes of the output.
const PUBLISHED: readonly (readonly [number, string])[] = [
  [0, 'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262'],
  [1, '2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213'],
  [1023, '10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11'],
  [1024, '42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7'],
  [1025, 'd00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444'],
  [2048, 'e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a'],
  [2049, '5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b687952256303096'.slice(0, 64)],
  [3072, 'b98cb0ff3623be03326b373de6b9095218513e64f1ee2edd2525c7ad1e5cffd2'],
  [3073, '7124b49501012f81cc7f11ca069ec9226cecb8a2c850cfe644e327d22d3e1cd3'],
  [4096, '015094013f57a5277b59d8475c0501042c0b642e531b0a1c8f58d2163229e969'],
  [4097, '9b4052b38f1c5fc8b1f9ff7ac7b27cd242487b3d890d15c96a1c25b8aa0fb995'],
  [5121, '628bd2cb2004694adaab7bbd778a25df25c47b9d4155a55f8fbd79f2fe154cff'],
  [6145, 'f1323a8631446cc50536a9f705ee5cb619424d46887f3c376c695b70e0f0507f'],
  [7169, 'a003fc7a51754a9b3c7fae0367ab3d782dccf28855a03d435f8cfe74605e7817'],
];
const input = (length: number) => Uint8Array.from({ length }, (_, index) => index % 251);

describe('blake3', () => {
  it.each(PUBLISHED)('gives the published digest of %i bytes', (length, digest) => {
    expect(blake3(input(length))).toBe(digest);
    expect(blake3Hasher().update(input(length)).hex()).toBe(digest);
  });

  it('hashes text', () => {
    expect(blake3(utf8('abc'))).toBe('6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85');
  });

  it('gives the same digest however the bytes are cut, also for megabytes', () => {
    const bytes = input(3_000_001);
    const whole = blake3(bytes);
    for (const step of [1000, 1024, 65_536, 100_003]) {
      const running = blake3Hasher();
      for (let at = 0; at < bytes.length; at += step) running.update(bytes.subarray(at, at + step));
      expect(running.hex()).toBe(whole);
    }
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 3000, size: 'max' }), { maxLength: 6 }), (pieces) => {
        const running = blake3Hasher();
        for (const piece of pieces) running.update(piece);
        expect(running.hex()).toBe(blake3(new Uint8Array(Buffer.concat(pieces))));
      }),
    );
  });

  it('can be asked in between', () => {
    const running = blake3Hasher().update(utf8('a'));
    expect(running.hex()).toBe(blake3(utf8('a')));
    expect(running.hex()).toBe(blake3(utf8('a')));
    expect(running.update(utf8('bc')).hex()).toBe(blake3(utf8('abc')));
  });

  it('does not change digests handed out before', () => {
    const first = blake3(input(70_000));
    const second = blake3(input(70_001));
    expect(first).not.toBe(second);
    expect(blake3(input(70_000))).toBe(first);
  });
});
