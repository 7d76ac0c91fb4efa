/**
 * BLAKE3-256 of inputs of many chunks, four at a time. For a new process it is the quickest there is: the implementation that
 * is quicker with many megabytes has to be made and compiled first.
 */
import { hex } from '../../base/bytes.js';
import { FLAG } from './module.js';
import { oneByOne, type OneByOne } from './small.js';
import { makeWide, WIDE_PAGES, type Wide } from './wide-module.js';

const CHUNK_BYTES = 1024;
const BLOCK_BYTES = 64;
const CHUNK_BLOCKS = CHUNK_BYTES / BLOCK_BYTES;
const VALUE_BYTES = 32;
const VALUE_WORDS = VALUE_BYTES / 4;
const LANES = 4;
/** So many lanes in use pay for all four; what the others make is written over, or lies behind what counts. */
const LEAST_LANES = 2;

/** In the module's memory: so many chunks of the input, and behind them the chaining values. */
const INPUT_CHUNKS = 64;
const VALUES_AT = INPUT_CHUNKS * CHUNK_BYTES;
/** Longer inputs have more chaining values than there is room for. */
export const WIDE_BYTES = ((WIDE_PAGES * 64 * 1024 - VALUES_AT) / VALUE_BYTES - LANES) * CHUNK_BYTES;
const LEAST_BYTES = CHUNK_BYTES + 1;

interface Machine {
  readonly wide: Wide['wide'];
  readonly one: OneByOne;
  readonly input: Uint8Array;
  readonly values: Uint32Array;
}

let machine: Machine | undefined;
let isImpossible = false;

/** Returns the digest as 64 lower hex digits, or undefined where the length or this process does not allow it. */
export function wideBlake3(bytes: Uint8Array): string | undefined {
  if (isImpossible || bytes.length < LEAST_BYTES || bytes.length > WIDE_BYTES) return undefined;
  machine ??= makeMachine();
  isImpossible = machine === undefined;
  if (machine === undefined) return undefined;
  // Not as a Buffer: parts of those take ten times as long to make.
  let count = compressChunks(machine, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length));
  while (count > 2) count = compressPairs(machine, count);
  const { one, values } = machine;
  const root = one.parent(values.subarray(0, 2 * VALUE_WORDS), true);
  return hex(new Uint8Array(root.buffer, root.byteOffset, VALUE_BYTES));
}

function makeMachine(): Machine | undefined {
  const one = oneByOne();
  const compression = one && makeWide();
  if (one === undefined || compression === undefined) return undefined;
  const { buffer } = compression.memory;
  return {
    wide: compression.wide,
    one,
    input: new Uint8Array(buffer, 0, VALUES_AT),
    values: new Uint32Array(buffer, VALUES_AT),
  };
}

/** Leaves the chaining value of each chunk, and returns how many there are. */
function compressChunks(machine: Machine, bytes: Uint8Array): number {
  const { one, input, values } = machine;
  const whole = Math.floor(bytes.length / CHUNK_BYTES);
  let chunk = 0;
  while (chunk + LEAST_LANES <= whole) {
    const count = Math.min(INPUT_CHUNKS, whole - chunk);
    input.set(bytes.subarray(chunk * CHUNK_BYTES, (chunk + count) * CHUNK_BYTES));
    compressInput(machine, { first: chunk, count });
    chunk += count;
  }
  const count = Math.ceil(bytes.length / CHUNK_BYTES);
  for (; chunk < count; chunk += 1) {
    const last = bytes.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES);
    values.set(one.chunk(last, chunk), chunk * VALUE_WORDS);
  }
  return count;
}

function compressInput({ wide }: Machine, { first, count }: { readonly first: number; readonly count: number }): void {
  for (let at = 0; at < count; at += LANES) {
    const out = VALUES_AT + (first + at) * VALUE_BYTES;
    wide(at * CHUNK_BYTES, CHUNK_BYTES, CHUNK_BLOCKS, first + at, 1, FLAG.chunkStart, FLAG.chunkEnd, out);
  }
}

/**
 * Makes one value of each two, from the left, and returns how many are left; an odd one goes on as it is. So the left subtree is
 * always the largest that is complete (section 2.1 of the paper). A pair is read before anything is written in its
 * place, and lanes without a pair write before the odd one.
 */
function compressPairs({ wide, one, values }: Machine, count: number): number {
  const pairs = Math.floor(count / 2);
  let pair = 0;
  for (; pair + LEAST_LANES <= pairs; pair = Math.min(pair + LANES, pairs)) {
    const [from, to] = [VALUES_AT + 2 * pair * VALUE_BYTES, VALUES_AT + pair * VALUE_BYTES];
    wide(from, BLOCK_BYTES, 1, 0, 0, FLAG.parent, 0, to);
  }
  for (; pair < pairs; pair += 1) {
    const children = values.subarray(2 * pair * VALUE_WORDS, 2 * (pair + 1) * VALUE_WORDS);
    values.set(one.parent(children, false), pair * VALUE_WORDS);
  }
  if (count % 2 === 1) values.copyWithin(pairs * VALUE_WORDS, (count - 1) * VALUE_WORDS, count * VALUE_WORDS);
  return pairs + (count % 2);
}
