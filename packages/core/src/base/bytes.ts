/** Bytes, hex and text. */

// Not TextDecoder: its strict form loads tables that cost a capture tens of milliseconds.

export function utf8(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

/** Returns the text of UTF-8 bytes; what is not UTF-8 becomes U+FFFD. A byte order mark is kept. */
export function text(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('utf8');
}

/** Returns the text of UTF-8 bytes, or undefined if they are not valid UTF-8. A byte order mark is kept. */
export function strictText(bytes: Uint8Array): string | undefined {
  const decoded = text(bytes);
  // Only a text with U+FFFD can be a repaired one; whether it stood there before, encoding it again tells.
  return !decoded.includes('\ufffd') || Buffer.from(decoded, 'utf8').equals(bytes) ? decoded : undefined;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function hex(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('hex');
}

/** Returns the bytes of lower or upper hex digits, or undefined if `digits` is not an even number of them. */
export function fromHex(digits: string): Uint8Array | undefined {
  return /^(?:[0-9a-fA-F]{2})*$/.test(digits) ? new Uint8Array(Buffer.from(digits, 'hex')) : undefined;
}

/** Compares by bytes, as `memcmp` and then by length. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b);
}

const ABOVE_D7FF = /[\ud800-\uffff]/;

/** Compares two strings by the bytes of their UTF-8 form, which differs from `<` above U+D7FF. */
export function compareUtf8(a: string, b: string): number {
  if (!ABOVE_D7FF.test(a) && !ABOVE_D7FF.test(b)) return a < b ? -1 : a > b ? 1 : 0;
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}
