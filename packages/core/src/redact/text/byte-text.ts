/** Bytes as text with one character for each byte: every position is that of a byte, and no byte is lost. */

export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

export function fromLatin1(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}
