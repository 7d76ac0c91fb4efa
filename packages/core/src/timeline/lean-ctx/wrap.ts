/**
 * Makes a snapshot of Savepoint that holds one of lean-ctx: the other's file byte for byte, and in the body what both have a
 * place for. Nothing is guessed: what a record of ours demands and the other does not say stays in the file alone.
 */
import { formatTime } from '../../base/clock.js';
import { contextError } from '../../base/errors.js';
import type { LeanCtxSnapshot } from '../../format/lean-ctx/snapshot.js';
import { blake3 } from '../../format/digest.js';
import { encodeBody } from '../../format/v1/body.js';
import { MESSAGE_LENGTH, SHORT_TEXT } from '../../format/v1/fields.js';
import { BODY_FILE, SIGNATURE_FILE } from '../../format/v1/layout.js';
import { encodeSignature } from '../../format/v1/signature.js';
import type { Anchor } from '../../model/tree/anchor.js';
import {
  SNAPSHOT_FORMAT,
  type SessionReference,
  type Signer,
  type SnapshotBody,
  type SnapshotId,
} from '../../model/snapshot.js';
import { redactText } from '../../redact/redactor.js';
import type { SigningKey } from '../../trust/key-ring.js';
import { signText } from '../../trust/signature.js';

export const LEAN_CTX_FORMAT = 'lean-ctx/1';
export const LEAN_CTX_SLICE = 'lean-ctx';

export interface WrapRequest {
  /** The exact bytes of the file. */
  readonly file: Uint8Array;
  /** What they say; id and signature hold. */
  readonly snapshot: LeanCtxSnapshot;
  /** Who signed it there. */
  readonly signer: Signer;
  /** Of the store that takes it in, and the key of whoever does. */
  readonly repository: string;
  readonly key: SigningKey;
}

export interface WrappedSnapshot {
  readonly id: SnapshotId;
  readonly body: SnapshotBody;
  /** Of the snapshot's folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/**
 * The same file taken in again by the same key into the same store gives the same bytes.
 * @throws format_unreadable if its time is none
 */
export function wrapLeanCtx({ file, snapshot, signer, repository, key }: WrapRequest): WrappedSnapshot {
  const message = redactText((snapshot.session?.task ?? '').slice(0, MESSAGE_LENGTH));
  const session = sessionOf(snapshot);
  const body: SnapshotBody = {
    format: SNAPSHOT_FORMAT,
    repository,
    // Each stands by itself: which of them follow each other, only their own parent ids say.
    timeline: blake3(Buffer.from(`${LEAN_CTX_FORMAT}\n${snapshot.snapshot_id}`)).slice(0, 32),
    sequence: 1,
    parents: [],
    original: { format: LEAN_CTX_FORMAT, id: snapshot.snapshot_id, signer },
    createdAt: timeOf(snapshot),
    signer: key.signer,
    message: message.text,
    tags: [LEAN_CTX_SLICE],
    trigger: { kind: 'manual', reason: 'import' },
    ...(session !== undefined && { session }),
    anchor: anchorOf(snapshot),
    slices: [{ name: LEAN_CTX_SLICE, algorithm: 'blake3', digest: blake3(file), bytes: file.length, parts: 1 }],
    totals: { files: 0, bytes: 0 },
    redactions: { count: Object.values(message.kinds).reduce((sum, count) => sum + count, 0), kinds: message.kinds },
    boundaries: [],
    omitted: [],
    complete: true,
    seen: [],
  };
  const { bytes, id } = encodeBody(body);
  const files = new Map([
    [BODY_FILE, bytes],
    [SIGNATURE_FILE, encodeSignature(signText(key, SNAPSHOT_FORMAT, id))],
    [`${LEAN_CTX_SLICE}.json`, file],
  ]);
  return { id, body, files };
}

// RFC 3339 §5.6, which is all that Date.parse is to see: it takes much else for a time.
const TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

function timeOf({ created_at: text }: LeanCtxSnapshot): string {
  // More than three digits are cut, since a body has milliseconds.
  const plain = text
    .replace(/(\.\d{3})\d+/, '$1')
    .replace(' ', 'T')
    .toUpperCase();
  const time = TIME.test(text) ? Date.parse(plain) : Number.NaN;
  if (!Number.isNaN(time)) return formatTime(time);
  throw contextError('format_unreadable', { what: 'The lean-ctx snapshot', reason: 'created_at is not a time' });
}

function anchorOf({ git: { commit, branch, dirty } }: LeanCtxSnapshot): Anchor {
  // A short commit id, which lean-ctx accepts, names no commit for sure.
  const whole = commit !== null && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit) ? commit : undefined;
  // `git rev-parse --abbrev-ref` says HEAD where there is no branch.
  const named = branch !== null && branch !== '' && branch !== 'HEAD' && branch.length <= SHORT_TEXT;
  return {
    ...(whole !== undefined && { commit: whole }),
    ...(named && { branch }),
    dirty,
    objectFormat: whole?.length === 64 ? 'sha256' : 'sha1',
  };
}

function sessionOf({ session }: LeanCtxSnapshot): SessionReference | undefined {
  const id = session?.session_id ?? '';
  return id === '' || id.length > SHORT_TEXT ? undefined : { agent: 'lean-ctx', id };
}
