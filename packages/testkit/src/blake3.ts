/** BLAKE3-256, written plainly after the specification: the tests must not believe the program's own digest. */

const IV = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19] as const;
const PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8] as const;
const CHUNK_START = 1;
const CHUNK_END = 2;
const PARENT = 4;
const ROOT = 8;
const CHUNK_BYTES = 1024;
const BLOCK_BYTES = 64;

type Words = readonly number[];

interface Node {
  readonly chaining: Words;
  readonly block: Words;
  readonly counter: number;
  readonly length: number;
  readonly flags: number;
}

/** Returns the digest as 64 lower hex digits. */
export function blake3(bytes: Uint8Array): string {
  const root = rootNode(bytes);
  const words = compress({ ...root, flags: root.flags | ROOT });
  const digest = Buffer.alloc(32);
  words.slice(0, 8).forEach((word, at) => digest.writeUInt32LE(word >>> 0, at * 4));
  return digest.toString('hex');
}

function rootNode(bytes: Uint8Array, firstChunk = 0): Node {
  if (bytes.length <= CHUNK_BYTES) return chunkNode(bytes, firstChunk);
  // The left subtree is the largest power of two of whole chunks that leaves something for the right one.
  const chunks = Math.ceil(bytes.length / CHUNK_BYTES);
  const left = 2 ** Math.floor(Math.log2(chunks - 1));
  const cut = left * CHUNK_BYTES;
  const children = [rootNode(bytes.subarray(0, cut), firstChunk), rootNode(bytes.subarray(cut), firstChunk + left)];
  const block = children.flatMap((child) => compress(child).slice(0, 8));
  return { chaining: IV, block, counter: 0, length: BLOCK_BYTES, flags: PARENT };
}

function chunkNode(bytes: Uint8Array, counter: number): Node {
  let chaining: Words = IV;
  const blocks = Math.max(1, Math.ceil(bytes.length / BLOCK_BYTES));
  for (let at = 0; ; at += 1) {
    const part = bytes.subarray(at * BLOCK_BYTES, (at + 1) * BLOCK_BYTES);
    const flags = (at === 0 ? CHUNK_START : 0) | (at === blocks - 1 ? CHUNK_END : 0);
    const node = { chaining, block: wordsOf(part), counter, length: part.length, flags };
    if (at === blocks - 1) return node;
    chaining = compress(node).slice(0, 8);
  }
}

function wordsOf(part: Uint8Array): Words {
  const padded = Buffer.alloc(BLOCK_BYTES);
  padded.set(part);
  return Array.from({ length: 16 }, (_, at) => padded.readUInt32LE(at * 4));
}

function compress({ chaining, block, counter, length, flags }: Node): Words {
  const high = Math.floor(counter / 2 ** 32);
  const state = [...chaining, ...IV.slice(0, 4), counter >>> 0, high, length, flags];
  let message = block;
  for (let round = 0; round < 7; round += 1) {
    mixRound(state, message);
    message = PERMUTATION.map((from) => message[from] ?? 0);
  }
  return state.map((word, at) => word ^ (at < 8 ? (state[at + 8] ?? 0) : (chaining[at - 8] ?? 0)));
}

// Columns, then diagonals.
const LANES: readonly (readonly [number, number, number, number])[] = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
];

function mixRound(state: number[], message: Words): void {
  LANES.forEach(([a, b, c, d], lane) => {
    const get = (at: number): number => state[at] ?? 0;
    const half = (word: number, right: number, left: number): void => {
      state[a] = (get(a) + get(b) + word) | 0;
      state[d] = rotate(get(d) ^ get(a), right);
      state[c] = (get(c) + get(d)) | 0;
      state[b] = rotate(get(b) ^ get(c), left);
    };
    half(message[lane * 2] ?? 0, 16, 12);
    half(message[lane * 2 + 1] ?? 0, 8, 7);
  });
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
