/** Bytes, hex and text. */

const encoder = new TextEncoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lossyDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Returns the text of UTF-8 bytes; what is not UTF-8 becomes U+FFFD. A byte order mark is kept. */
export function text(bytes: Uint8Array): string {
  return lossyDecoder.decode(bytes);
}

/** Returns the text of UTF-8 bytes, or undefined if they are not valid UTF-8. */
export function strictText(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** Returns the bytes of lower or upper hex digits, or undefined if `digits` is not an even number of them. */
export function fromHex(digits: string): Uint8Array | undefined {
  return /^(?:[0-9a-fA-F]{2})*$/.test(digits) ? new Uint8Array(Buffer.from(digits, 'hex')) : undefined;
}

/** Compares by bytes, as `memcmp` and then by length. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b);
}

/** Compares two strings by the bytes of their UTF-8 form, which differs from `<` above U+D7FF. */
export function compareUtf8(a: string, b: string): number {
  return Buffer.compare(encoder.encode(a), encoder.encode(b));
}
