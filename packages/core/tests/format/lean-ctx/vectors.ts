/** The vectors of lean-ctx snapshots, and files made of them as lean-ctx publishes them. */
import * as fs from 'node:fs';
import { utf8 } from '../../../src/base/bytes.js';
import { readLeanCtx } from '../../../src/format/lean-ctx/codec.js';
import type { LeanCtxSnapshot } from '../../../src/format/lean-ctx/snapshot.js';

export interface LeanCtxVector {
  readonly name: string;
  readonly seed_hex: string;
  readonly canonical_body: string;
  readonly snapshot_id: string;
  readonly signing_message_ascii: string;
  readonly public_key: string;
  readonly signature: string;
}

const file = new URL('../../fixtures/lean-ctx/vectors.json', import.meta.url);
const content = JSON.parse(fs.readFileSync(file, 'utf8')) as {
  readonly vectors: readonly LeanCtxVector[];
  readonly float_format: readonly (readonly [value: string, text: string])[];
};

export const VECTORS = content.vectors;
export const FLOATS = content.float_format;

export function vector(name: string): LeanCtxVector {
  const found = VECTORS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no vector ${name}`);
  return found;
}

/** Returns the signed snapshot of a vector on one line, with every other character as in its body. */
export function signedLine({ canonical_body, snapshot_id, public_key, signature }: LeanCtxVector): string {
  const signed = JSON.stringify({ algorithm: 'ed25519', public_key, value: signature });
  return canonical_body
    .replace('"snapshot_id":""', `"snapshot_id":"${snapshot_id}"`)
    .replace(/"signature":null\}$/, `"signature":${signed}}`);
}

export function readText(text: string): LeanCtxSnapshot {
  return readLeanCtx(utf8(text));
}
