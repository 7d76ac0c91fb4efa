/** The body of a snapshot, version 1: `snapshot.json`, its bytes, its checks and its id. */
import type { JsonValue } from '../../base/json.js';
import { SNAPSHOT_FORMAT, type SnapshotBody, type SnapshotId } from '../../model/snapshot.js';
import { makeCodec } from '../codec.js';
import { blake3 } from '../digest.js';
import { dictionary, fieldKey, flag, hexDigits, integer, list, oneOf, record, text, time } from '../shape.js';
import * as fields from './fields.js';

/** A body has at most this many bytes. */
export const BODY_BYTES = 64 * 1024 * 1024;
/** A snapshot is a witness of at most this many other timelines. */
export const SEEN_LIMIT = 16;

const DIGEST_LENGTHS: Readonly<Record<string, number>> = { blake3: 64, 'git-sha1': 40, 'git-sha256': 64 };

const slice = record(
  {
    name: fields.token,
    algorithm: oneOf(...Object.keys(DIGEST_LENGTHS)),
    digest: hexDigits(40, 64),
    bytes: fields.count,
    parts: fields.count,
  },
  {},
  (value) =>
    fieldKey(value, 'digest').length === DIGEST_LENGTHS[fieldKey(value, 'algorithm')]
      ? undefined
      : 'digest does not fit its algorithm',
);

const anchor = record(
  { dirty: flag, objectFormat: oneOf('sha1', 'sha256') },
  { commit: fields.objectId, branch: text(fields.SHORT_TEXT, /./s), headTree: fields.objectId },
  (value) => {
    const length = value['objectFormat'] === 'sha1' ? 40 : 64;
    const fits = ['commit', 'headTree'].every((name) => [0, length].includes(fieldKey(value, name).length));
    return fits ? undefined : 'an id does not fit objectFormat';
  },
);

const body = record(
  {
    format: oneOf(SNAPSHOT_FORMAT),
    repository: fields.randomId,
    timeline: fields.randomId,
    sequence: integer(1),
    parents: list(fields.snapshotId, 64, String),
    createdAt: time,
    signer: text(72, /^(?:ed25519:[0-9a-f]{64})?$/),
    message: text(fields.MESSAGE_LENGTH),
    tags: list(text(fields.TAG_LENGTH, fields.TAG_FORM), fields.TAG_COUNT),
    trigger: record({ kind: oneOf('manual', 'automatic', 'scheduled'), reason: text(fields.SHORT_TEXT) }),
    anchor,
    slices: list(slice, 1024, (element) => fieldKey(element, 'name')),
    totals: record({ files: fields.count, bytes: fields.count }),
    redactions: record({ count: fields.count, kinds: dictionary(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, fields.count) }),
    boundaries: list(
      fields.pathRecord({ kind: fields.boundaryKind }, { folder: true }),
      fields.LIST_LIMIT,
      fields.pathKey,
    ),
    omitted: list(
      fields.pathRecord({ reason: fields.omissionReason }, { optional: { bytes: fields.count }, folder: true }),
      fields.LIST_LIMIT,
      fields.pathKey,
    ),
    complete: flag,
    seen: list(fields.witness, SEEN_LIMIT, (element) => fieldKey(element, 'timeline')),
  },
  {
    origin: record(
      { kind: oneOf('rewind', 'restore', 'undo', 'redo', 'import', 'fork'), from: fields.snapshotId },
      { operation: text(256, /./s) },
    ),
    original: record({
      format: text(128, /^[a-z][a-z0-9-]*\/[1-9][0-9]*$/),
      id: text(256, /^[^\p{Cc}]+$/u),
      signer: fields.signer,
    }),
    session: record({ agent: fields.token, id: text(fields.SHORT_TEXT, /./s) }, { guessed: flag }),
  },
  ({ complete, omitted }) =>
    complete === true && (omitted as readonly JsonValue[]).length > 0
      ? 'complete is true although something is omitted'
      : undefined,
);

const codec = makeCodec<SnapshotBody>({
  what: 'The snapshot body',
  maxBytes: BODY_BYTES,
  check: body,
  family: 'savepoint.snapshot',
  order: (value) => ({
    ...value,
    tags: fields.byBytes(value.tags),
    slices: fields.byName(value.slices, ({ name }) => name),
    boundaries: fields.byPath(value.boundaries),
    omitted: fields.byPath(value.omitted),
    seen: fields.byTimeline(value.seen),
  }),
});

/**
 * Returns the canonical bytes of a body, and their id. Arrays are put in their order and equal tags are kept once.
 * @throws invariant_broken if the body is not of the form that `decodeBody` demands
 */
export function encodeBody(value: SnapshotBody): { readonly bytes: Uint8Array; readonly id: SnapshotId } {
  const bytes = codec.encode(value);
  return { bytes, id: snapshotId(bytes) };
}

/**
 * Returns the body that the bytes hold; fields that this version does not know stay on it and are encoded again.
 * @throws format_unreadable (with `data.verdict` `not_canonical` where another spelling of the body was stored);
 * format_version_unsupported
 */
export function decodeBody(bytes: Uint8Array): SnapshotBody {
  return codec.decode(bytes);
}

/** Returns the id of the snapshot whose body has exactly these bytes. */
export function snapshotId(bytes: Uint8Array): SnapshotId {
  return blake3(bytes);
}

/** Returns the first 12 digits, for people. */
export function shortId(id: SnapshotId): string {
  return id.slice(0, 12);
}
