/**
 * The compression of BLAKE3 (sections 2.2 and 2.4 of its paper) as a WebAssembly module of one kB. V8 compiles it in
 * a fraction of a millisecond, where JavaScript that is run a few hundred times is slow to its end.
 */
import { instanceOf } from './instance.js';

/** Where the module's memory has the chaining value, which each call replaces, and where it takes its input from. */
export const CHAINING_AT = 0;
export const INPUT_AT = 64;

export const IV = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
] as const;
/** Flags of a block (table 3 of the paper). */
export const FLAG = { chunkStart: 1, chunkEnd: 2, parent: 4, root: 8 } as const;

/** `tests/format/blake3/module-source.ts` writes it instruction by instruction, and a test demands these bytes of it. */
export const MODULE =
  'AGFzbQEAAAABEgNgBH9/f38AYAN/f38AYAF/AAMEAwABAgUDAQABBxsDBm1lbW9yeQIABWNodW5rAAEGcGFyZW50AAIK7QcDiwcBEX9BACgC' +
  'ACEFQQAoAgQhBkEAKAIIIQdBACgCDCEIQQAoAhAhCUEAKAIUIQpBACgCGCELQQAoAhwhDEHnzKfQBiENQYXdntt7IQ5B8ua74wMhD0G66r+q' +
  'eiEQIAEhEUEAIRIgAiETIAMhFANAIAUgCWogACgCAGoiBSARc0EQeCIRIA1qIg0gCXNBDHghCSAFIAlqIAAoAgRqIgUgEXNBCHgiESANaiIN' +
  'IAlzQQd4IQkgBiAKaiAAKAIIaiIGIBJzQRB4IhIgDmoiDiAKc0EMeCEKIAYgCmogACgCDGoiBiASc0EIeCISIA5qIg4gCnNBB3ghCiAHIAtq' +
  'IAAoAhBqIgcgE3NBEHgiEyAPaiIPIAtzQQx4IQsgByALaiAAKAIUaiIHIBNzQQh4IhMgD2oiDyALc0EHeCELIAggDGogACgCGGoiCCAUc0EQ' +
  'eCIUIBBqIhAgDHNBDHghDCAIIAxqIAAoAhxqIgggFHNBCHgiFCAQaiIQIAxzQQd4IQwgBSAKaiAAKAIgaiIFIBRzQRB4IhQgD2oiDyAKc0EM' +
  'eCEKIAUgCmogACgCJGoiBSAUc0EIeCIUIA9qIg8gCnNBB3ghCiAGIAtqIAAoAihqIgYgEXNBEHgiESAQaiIQIAtzQQx4IQsgBiALaiAAKAIs' +
  'aiIGIBFzQQh4IhEgEGoiECALc0EHeCELIAcgDGogACgCMGoiByASc0EQeCISIA1qIg0gDHNBDHghDCAHIAxqIAAoAjRqIgcgEnNBCHgiEiAN' +
  'aiINIAxzQQd4IQwgCCAJaiAAKAI4aiIIIBNzQRB4IhMgDmoiDiAJc0EMeCEJIAggCWogACgCPGoiCCATc0EIeCITIA5qIg4gCXNBB3ghCSAA' +
  'IAAoAgggACAAKAIYIAAgACgCDCAAIAAoAiggACAAKAIcIAAgACgCACAAIAAoAhAgACAAKAI0IAAgACgCBCAAIAAoAiwgACAAKAIwIAAgACgC' +
  'FCAAIAAoAiQgACAAKAI4IAAgACgCPCAAIAAoAiA2Ajw2Ajg2AjQ2AjA2Aiw2Aig2AiQ2AiA2Ahw2Ahg2AhQ2AhA2Agw2Agg2AgQ2AgAgBEEB' +
  'aiIEQQdJDQALQQAgBSANczYCAEEAIAYgDnM2AgRBACAHIA9zNgIIQQAgCCAQczYCDEEAIAkgEXM2AhBBACAKIBJzNgIUQQAgCyATczYCGEEA' +
  'IAwgFHM2AhwLTAECf0HAACEDQQEhBAJAA0AgAEHAAE0NASADIAFBwAAgBBAAIANBwABqIQMgAEHAAGshAEEAIQQMAAsLIAMgASAAIARBAnIg' +
  'AnIQAAsRAEHAAEEAQcAAIABBBHIQAAs=';

export interface Compression {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Compresses the input of at most 1024 bytes, padded with zeros, as one chunk; `flags` are added to its last block's. */
  readonly chunk: (length: number, counter: number, flags: number) => void;
  /** Compresses the two chaining values at the beginning of the input. Both destroy the input. */
  readonly parent: (flags: number) => void;
}

/** Returns the functions, or undefined where this process may not compile any. */
export function makeCompression(): Compression | undefined {
  return instanceOf<Compression>(MODULE);
}
