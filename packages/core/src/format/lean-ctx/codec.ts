/** Reads and writes snapshots of lean-ctx, and says what their ids and signatures are made over. */
import { createHash } from 'node:crypto';
import { utf8 } from '../../base/bytes.js';
import { contextError } from '../../base/errors.js';
import { blake3 } from '../digest.js';
import { readForm, writeForm } from './forms.js';
import { parseLexical, type LexicalJson } from './lexical-json.js';
import { SNAPSHOT_FORM, type LeanCtxSnapshot } from './snapshot.js';

/** The largest file that is read. One with every list full and long texts has less than a tenth of it. */
export const LEAN_CTX_BYTES = 8 * 1024 * 1024;
const WHAT = 'The lean-ctx snapshot';

/**
 * Returns the snapshot that a file holds, with each number as it is written. Whether it is what it says, only
 * `leanCtxId` and the signature tell.
 * @throws format_unreadable; format_version_unsupported
 */
export function readLeanCtx(bytes: Uint8Array): LeanCtxSnapshot {
  if (bytes.length > LEAN_CTX_BYTES)
    throw contextError('format_unreadable', {
      what: WHAT,
      reason: `it is longer than ${String(LEAN_CTX_BYTES)} bytes`,
    });
  const value = parseLexical(bytes, WHAT);
  refuseOtherVersion(value);
  return readForm(SNAPSHOT_FORM, value, WHAT) as LeanCtxSnapshot;
}

// Before any other check: a later version may have other fields.
function refuseOtherVersion(value: LexicalJson): void {
  const version = value instanceof Map ? (value as ReadonlyMap<string, LexicalJson>).get('schema_version') : undefined;
  if (typeof version !== 'object' || version === null || !('digits' in version)) return;
  if (version.digits !== '1')
    throw contextError('format_version_unsupported', { what: WHAT, version: `schema_version ${version.digits}` });
}

/** Tells from its beginning whether a file may be a snapshot of lean-ctx. */
export function looksLikeLeanCtx(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  return /^\s*\{/.test(start) && start.includes('"schema_version"');
}

/** Returns the bytes of the file that lean-ctx publishes: lines indented by two blanks, no newline at the end. */
export function writeLeanCtx(snapshot: LeanCtxSnapshot): Uint8Array {
  return utf8(writeForm(SNAPSHOT_FORM, snapshot, 'lines'));
}

/** Returns the canonical body: one line, with `snapshot_id` empty and `signature` null (contract, "Identity & signing"). */
export function leanCtxBody(snapshot: LeanCtxSnapshot): Uint8Array {
  return utf8(writeForm(SNAPSHOT_FORM, { ...snapshot, snapshot_id: '', signature: null }, 'compact'));
}

/** Returns the id: BLAKE3 of the canonical body. */
export function leanCtxId(snapshot: LeanCtxSnapshot): string {
  return blake3(leanCtxBody(snapshot));
}

/** Returns what is signed: the 64 hex digits, as text, of SHA-256 over `ctxsnapshot-sign-v1:` and the id. */
export function leanCtxSignedMessage(id: string): Uint8Array {
  return utf8(createHash('sha256').update(`ctxsnapshot-sign-v1:${id}`).digest('hex'));
}
