/**
 * Writes the WebAssembly module of `src/format/blake3/wide-module.ts` instruction by instruction: the compression of four
 * blocks at once, a word of each in the four lanes of a vector.
 */
import { IV } from '../../../src/format/blake3/module.js';
import { WIDE_PAGES } from '../../../src/format/blake3/wide-module.js';
import {
  constant,
  MIXED,
  named,
  PERMUTATION,
  ROUNDS,
  section,
  takes,
  unsigned,
  words,
  type Code,
} from './module-source.js';

// WebAssembly core specification, section 5.4; what begins with 0xfd is about vectors.
const [LOOP, IF, END, JUMP_IF, GET, SET, TEE] = [0x03, 0x04, 0x0b, 0x0d, 0x20, 0x21, 0x22] as const;
const [EQUAL, BELOW, ADD, MULTIPLY, OR, NO_RESULT] = [0x46, 0x49, 0x6a, 0x6c, 0x72, 0x40] as const;
const [I32, V128] = [0x7f, 0x7b] as const;
const [LANES_OR, LANES_XOR, SPLAT] = [
  [0xfd, 0x50],
  [0xfd, 0x51],
  [0xfd, 0x11],
] as const;
const [LEFT, RIGHT, LANES_ADD] = [
  [0xfd, 0xab, 0x01],
  [0xfd, 0xad, 0x01],
  [0xfd, 0xae, 0x01],
] as const;
const BLOCK_BYTES = 64;
const WORD_BYTES = 4;

const load = (offset: number): Code => [0xfd, 0x00, 0, ...unsigned(offset)];
const store = (offset: number): Code => [0xfd, 0x0b, 0, ...unsigned(offset)];
const shuffle = (bytes: Code): Code => [0xfd, 0x0d, ...bytes];
const splat = (number: number): Code => [...constant(number), ...SPLAT];

/** Returns the bytes of words of a vector and, from `count` on, of a second one. */
const wordsOf = (picked: Code): Code => picked.flatMap((word) => words(WORD_BYTES).map((at) => word * WORD_BYTES + at));

/** `wide(input, stride, blocks, counter, step, start, end, out)`; see `Wide`. */
export function writeWideModule(): Uint8Array {
  const body = wideBody();
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, ...takes(8)]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, WIDE_PAGES]),
    ...section(7, [2, ...named('memory', 2, 0), ...named('wide', 0, 0)]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]);
}

const [input, stride, blocks, counter, step, start, end, out, at, round] = words(10) as [
  ...(readonly [number, number, number, number, number, number, number, number, number, number]),
];
/** The first of 16 words of the message, of 16 of the state, of 8 of the chaining value, of 5 for what is on the way. */
const [message, state, chaining, way] = [10, 26, 42, 50] as const;
const LAST = way + 4;

function wideBody(): Code {
  return [
    ...[2, 2, I32, LAST - message + 1, V128],
    ...words(8).flatMap((word) => [...splat(IV[word] ?? 0), SET, chaining + word]),
    ...[LOOP, NO_RESULT],
    ...words(4).flatMap(readFourWords),
    ...beginState(),
    ...[...constant(0), SET, round],
    ...[LOOP, NO_RESULT, ...mixAll()],
    ...PERMUTATION.flatMap((from) => [GET, message + from]),
    ...words(16).flatMap((word) => [SET, message + 15 - word]),
    ...[GET, round, ...constant(1), ADD, TEE, round, ...constant(ROUNDS), BELOW, JUMP_IF, 0, END],
    ...words(8).flatMap((word) => [GET, state + word, GET, state + 8 + word, ...LANES_XOR, SET, chaining + word]),
    ...[GET, input, ...constant(BLOCK_BYTES), ADD, SET, input],
    ...[GET, at, ...constant(1), ADD, TEE, at, GET, blocks, BELOW, JUMP_IF, 0, END],
    ...words(2).flatMap(writeFourWords),
    END,
  ];
}

/** Four words of each of the four blocks, which become four words of the message. */
function readFourWords(group: number): Code {
  const place = (block: number): Code => [GET, input, GET, stride, ...constant(block), MULTIPLY, ADD];
  return [
    ...words(4).flatMap((block) => [...place(block), ...load(16 * group), SET, way + block]),
    ...transpose(way, message + 4 * group),
  ];
}

/** Half of each chaining value. */
function writeFourWords(half: number): Code {
  return [
    ...transpose(chaining + 4 * half, message),
    ...words(4).flatMap((lane) => [GET, out, GET, message + lane, ...store(32 * lane + 16 * half)]),
  ];
}

/** Rows become columns: `from` and `to` are the first of four locals each. */
function transpose(from: number, to: number): Code {
  const pick = (a: number, b: number, picked: Code): Code => [GET, a, GET, b, ...shuffle(wordsOf(picked))];
  const [low, high] = [
    [0, 4, 1, 5],
    [2, 6, 3, 7],
  ] as const;
  return [
    ...[...pick(from, from + 1, low), SET, state, ...pick(from, from + 1, high), SET, state + 1],
    ...[...pick(from + 2, from + 3, low), SET, state + 2, ...pick(from + 2, from + 3, high), SET, state + 3],
    ...[...pick(state, state + 2, [0, 1, 4, 5]), SET, to, ...pick(state, state + 2, [2, 3, 6, 7]), SET, to + 1],
    ...[...pick(state + 1, state + 3, [0, 1, 4, 5]), SET, to + 2],
    ...[...pick(state + 1, state + 3, [2, 3, 6, 7]), SET, to + 3],
  ];
}

function beginState(): Code {
  // The lanes of the counter differ by `step`: lane 1 has it once, lane 2 twice, lane 3 three times.
  const lanes = words(4).flatMap((lane) => [lane, 0, 0, 0]);
  const multiply: Code = [0xfd, 0xb5, 0x01];
  return [
    ...words(8).flatMap((word) => [GET, chaining + word, SET, state + word]),
    ...words(4).flatMap((word) => [...splat(IV[word] ?? 0), SET, state + 8 + word]),
    ...[GET, counter, ...SPLAT, GET, step, ...SPLAT, 0xfd, 0x0c, ...lanes, ...multiply, ...LANES_ADD, SET, state + 12],
    ...[...splat(0), SET, state + 13, ...splat(BLOCK_BYTES), SET, state + 14],
    // The flags of the first block, of the last one, or of one that is both.
    ...[...constant(0), SET, round],
    ...[GET, at, ...constant(0), EQUAL, IF, NO_RESULT, GET, start, SET, round, END],
    ...[GET, at, ...constant(1), ADD, GET, blocks, EQUAL, IF, NO_RESULT, GET, round, GET, end, OR, SET, round, END],
    ...[GET, round, ...SPLAT, SET, state + 15],
  ];
}

function mixAll(): Code {
  return MIXED.flatMap(([a, b, c, d], pair) => {
    const mixed = [state + a, state + b, state + c, state + d] as const;
    return [...mixHalf(mixed, [16, 12], message + 2 * pair), ...mixHalf(mixed, [8, 7], message + 2 * pair + 1)];
  });
}

/** Half of the function G, as in `module-source.ts`, on four states. */
function mixHalf(
  [a, b, c, d]: readonly [number, number, number, number],
  [toD, toB]: readonly [number, number],
  word: number,
): Code {
  return [
    ...[GET, a, GET, b, ...LANES_ADD, GET, word, ...LANES_ADD, TEE, a],
    ...[GET, d, ...LANES_XOR, ...rotateBytes(toD / 8), TEE, d],
    ...[GET, c, ...LANES_ADD, TEE, c, GET, b, ...LANES_XOR, ...rotate(toB), SET, b],
  ];
}

/** Rotates what is on the stack to the right. */
function rotate(bits: number): Code {
  const right: Code = [TEE, way + 4, ...constant(bits), ...RIGHT];
  return [...right, GET, way + 4, ...constant(32 - bits), ...LEFT, ...LANES_OR];
}

function rotateBytes(count: number): Code {
  const bytes = words(16).map((byte) => (byte & ~3) | ((byte + count) & 3));
  return [TEE, way + 4, GET, way + 4, ...shuffle(bytes)];
}
