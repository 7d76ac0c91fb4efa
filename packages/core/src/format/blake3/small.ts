/**
 * BLAKE3-256 of inputs of a few kB, as bodies, facts and manifests are. The implementation that is quick with megabytes
 * takes ten milliseconds of a new process for the bodies of fifty snapshots.
 */
import { hex } from '../../base/bytes.js';
import { CHAINING_AT, FLAG, INPUT_AT, IV, makeCompression, type Compression } from './module.js';

/** Up to so many bytes this one is the quicker one in a new process. */
export const SMALL_BYTES = 32 * 1024;

const CHUNK_BYTES = 1024;
const BLOCK_BYTES = 64;
const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

interface Machine extends Compression {
  readonly chaining: Uint32Array;
  /** The bytes of the chaining value. */
  readonly digest: Uint8Array;
  readonly input: Uint8Array;
  /** The first two halves of the input, as words. */
  readonly children: Uint32Array;
}

let machine: Machine | undefined;
let isImpossible = false;

/** Returns the digest as 64 lower hex digits, or undefined where no WebAssembly can be had. */
export function smallBlake3(bytes: Uint8Array): string | undefined {
  const compression = theMachine();
  if (compression === undefined) return undefined;
  compressTree(compression, bytes, { firstChunk: 0, flags: FLAG.root });
  return hex(compression.digest);
}

function theMachine(): Machine | undefined {
  if (isImpossible) return undefined;
  machine ??= makeMachine();
  isImpossible = machine === undefined;
  return machine;
}

/** What is not worth being done four at a time: one chunk, or two chaining values. */
export interface OneByOne {
  /** Returns the chaining value of a chunk, of at most 1024 bytes, that is not all there is. */
  readonly chunk: (bytes: Uint8Array, counter: number) => Uint32Array;
  /** Returns that of two of them, eight words each. */
  readonly parent: (pair: Uint32Array, isRoot: boolean) => Uint32Array;
}

/** Returns functions whose result holds until the next call; undefined where no WebAssembly can be had. */
export function oneByOne(): OneByOne | undefined {
  const compression = theMachine();
  if (compression === undefined) return undefined;
  const { chaining, children } = compression;
  return {
    chunk: (bytes, counter) => {
      compressTree(compression, bytes, { firstChunk: counter, flags: 0 });
      return chaining;
    },
    parent: (pair, isRoot) => {
      children.set(pair);
      chaining.set(IV);
      compression.parent(isRoot ? FLAG.root : 0);
      return chaining;
    },
  };
}

function makeMachine(): Machine | undefined {
  // WebAssembly's memory is little-endian on every machine, an array of words is not.
  const compression = IS_LITTLE_ENDIAN ? makeCompression() : undefined;
  if (compression === undefined) return undefined;
  const { memory, chunk, parent } = compression;
  return {
    memory,
    chunk,
    parent,
    chaining: new Uint32Array(memory.buffer, CHAINING_AT, 8),
    digest: new Uint8Array(memory.buffer, CHAINING_AT, 32),
    input: new Uint8Array(memory.buffer, INPUT_AT, CHUNK_BYTES),
    children: new Uint32Array(memory.buffer, INPUT_AT, 16),
  };
}

interface Place {
  readonly firstChunk: number;
  /** Added to those of its last block. */
  readonly flags: number;
}

/** Leaves the chaining value of the tree over these bytes in the machine. */
function compressTree(machine: Machine, bytes: Uint8Array, { firstChunk, flags }: Place): void {
  const { chaining, input, children } = machine;
  if (bytes.length <= CHUNK_BYTES) {
    input.set(bytes);
    // The last block is padded; what stands after it is not read.
    input.fill(0, bytes.length, bytes.length + BLOCK_BYTES);
    chaining.set(IV);
    machine.chunk(bytes.length, firstChunk, flags);
    return;
  }
  // The left subtree is the largest power of two of whole chunks that leaves something for the right one.
  const left = 1 << (31 - Math.clz32(Math.ceil(bytes.length / CHUNK_BYTES) - 1));
  const cut = left * CHUNK_BYTES;
  compressTree(machine, bytes.subarray(0, cut), { firstChunk, flags: 0 });
  const ofLeft = chaining.slice();
  compressTree(machine, bytes.subarray(cut), { firstChunk: firstChunk + left, flags: 0 });
  children.set(chaining, 8);
  children.set(ofLeft);
  chaining.set(IV);
  machine.parent(flags);
}
