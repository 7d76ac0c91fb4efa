/**
 * Writes the WebAssembly module of `src/format/blake3/module.ts` instruction by instruction, so that a reader can see what
 * the program runs. It is written ahead because a start has no time for it.
 */
import { CHAINING_AT, FLAG, INPUT_AT, IV } from '../../../src/format/blake3/module.js';

export const PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8] as const;
export const ROUNDS = 7;
const BLOCK_BYTES = 64;

/** The state's words that a round mixes: its columns, then its diagonals. */
export const MIXED = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

// WebAssembly core specification, section 5.4.
const [BLOCK, LOOP, END, JUMP, JUMP_IF, CALL] = [0x02, 0x03, 0x0b, 0x0c, 0x0d, 0x10] as const;
const [GET, SET, TEE, LOAD, STORE, CONSTANT] = [0x20, 0x21, 0x22, 0x28, 0x36, 0x41] as const;
const [BELOW, AT_MOST, ADD, SUBTRACT, OR, XOR, ROTATE] = [0x49, 0x4d, 0x6a, 0x6b, 0x72, 0x73, 0x78] as const;
const I32 = 0x7f;
const NO_RESULT = 0x40;
const ALIGNED = 2;

export type Code = readonly number[];

/** A memory of one page, `chunk(length, counter, flags)` and `parent(flags)`, which share a function. */
export function writeModule(): Uint8Array {
  const bodies = [compressBody(), chunkBody(), parentBody()].map((body) => [...unsigned(body.length), ...body]);
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [3, ...takes(4), ...takes(3), ...takes(1)]),
    ...section(3, [3, 0, 1, 2]),
    ...section(5, [1, 0, 1]),
    ...section(7, [3, ...named('memory', 2, 0), ...named('chunk', 0, 1), ...named('parent', 0, 2)]),
    ...section(10, [3, ...bodies.flat()]),
  ]);
}

export function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content];
}

/** The type of a function of so many parameters, which returns nothing. */
export function takes(count: number): Code {
  return [0x60, count, ...words(count).map(() => I32), 0];
}

export function named(name: string, kind: number, index: number): Code {
  return [name.length, ...Buffer.from(name, 'latin1'), kind, index];
}

/** LEB128 without a sign. */
export function unsigned(number: number): Code {
  return number < 0x80 ? [number] : [(number & 0x7f) | 0x80, ...unsigned(number >>> 7)];
}

/** The instruction for a constant of 32 bits: its LEB128 has a sign. */
export function constant(number: number): Code {
  const bytes: number[] = [CONSTANT];
  for (let rest = number | 0; ;) {
    const low = rest & 0x7f;
    rest >>= 7;
    if ((rest === 0 && low < 0x40) || (rest === -1 && low >= 0x40)) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}

export const words = (count: number) => Array.from({ length: count }, (_, at) => at);
const load = (offset: number): Code => [LOAD, ALIGNED, offset];
const store = (offset: number): Code => [STORE, ALIGNED, offset];

/** `compress(block, counter, length, flags)`: compresses the 64 bytes at `block` into the chaining value. */
function compressBody(): Code {
  const [block, counter, length, flags, round, state] = [0, 1, 2, 3, 4, 5] as const;
  return [
    ...[1, 17, I32],
    ...words(8).flatMap((word) => [...constant(CHAINING_AT), ...load(4 * word), SET, state + word]),
    ...words(4).flatMap((word) => [...constant(IV[word] ?? 0), SET, state + 8 + word]),
    // Nothing that is hashed here has so many chunks that the upper half of the counter is not 0.
    ...[GET, counter, SET, state + 12, ...constant(0), SET, state + 13],
    ...[GET, length, SET, state + 14, GET, flags, SET, state + 15],
    ...[LOOP, NO_RESULT],
    ...MIXED.flatMap(([a, b, c, d], at) => {
      const mixed = [state + a, state + b, state + c, state + d] as const;
      return [
        ...mixHalf(mixed, [16, 12], [GET, block, ...load(8 * at)]),
        ...mixHalf(mixed, [8, 7], [GET, block, ...load(8 * at + 4)]),
      ];
    }),
    // The words of the message change places: all are read before the first is written.
    ...PERMUTATION.flatMap((from) => [GET, block, GET, block, ...load(4 * from)]),
    ...words(16).flatMap((word) => store(4 * (15 - word))),
    ...[GET, round, ...constant(1), ADD, TEE, round, ...constant(ROUNDS), BELOW, JUMP_IF, 0],
    END,
    ...words(8).flatMap((word) => [
      ...[...constant(CHAINING_AT), GET, state + word, GET, state + 8 + word, XOR],
      ...store(4 * word),
    ]),
    END,
  ];
}

/** Half of the function G: mixes one word of the message into four of the state. */
function mixHalf(
  [a, b, c, d]: readonly [number, number, number, number],
  [toD, toB]: readonly [number, number],
  word: Code,
): Code {
  return [
    ...[GET, a, GET, b, ADD, ...word, ADD, TEE, a],
    ...[GET, d, XOR, ...constant(toD), ROTATE, TEE, d],
    ...[GET, c, ADD, TEE, c, GET, b, XOR, ...constant(toB), ROTATE, SET, b],
  ];
}

/** Compresses the input block by block; what is shorter than a block is padded with zeros already. */
function chunkBody(): Code {
  const [length, counter, flags, block, start] = [0, 1, 2, 3, 4] as const;
  return [
    ...[1, 2, I32],
    ...[...constant(INPUT_AT), SET, block, ...constant(FLAG.chunkStart), SET, start],
    ...[BLOCK, NO_RESULT, LOOP, NO_RESULT],
    ...[GET, length, ...constant(BLOCK_BYTES), AT_MOST, JUMP_IF, 1],
    ...[GET, block, GET, counter, ...constant(BLOCK_BYTES), GET, start, CALL, 0],
    ...[GET, block, ...constant(BLOCK_BYTES), ADD, SET, block],
    ...[GET, length, ...constant(BLOCK_BYTES), SUBTRACT, SET, length],
    ...[...constant(0), SET, start, JUMP, 0, END, END],
    ...[GET, block, GET, counter, GET, length],
    ...[GET, start, ...constant(FLAG.chunkEnd), OR, GET, flags, OR, CALL, 0],
    END,
  ];
}

/** Compresses the first block of the input, which is two chaining values. */
function parentBody(): Code {
  const flags = 0;
  return [
    ...[0, ...constant(INPUT_AT), ...constant(0), ...constant(BLOCK_BYTES)],
    ...[GET, flags, ...constant(FLAG.parent), OR, CALL, 0],
    END,
  ];
}
