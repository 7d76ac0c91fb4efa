/** Facts, version 1: `fact.json`, its bytes, its checks and its id. */
import { contextError } from '../../base/errors.js';
import { FACT_FORMAT, type FactBody, type FactContent } from '../../model/fact.js';
import { makeCodec } from '../codec.js';
import { blake3 } from '../digest.js';
import { fieldKey, integer, isObject, list, oneOf, record, text, time, type Check } from '../shape.js';
import * as fields from './fields.js';

/** A fact has at most this many bytes. */
export const FACT_BYTES = 16 * 1024 * 1024;

const name = text(256, /^[^\p{Cc}]+$/u);
const reason = text(fields.SHORT_TEXT);
const snapshots = list(fields.snapshotId, fields.LIST_LIMIT);
const pin = record({ kind: text(16), snapshot: fields.snapshotId }, { name, reason });

const CONTENTS: ReadonlyMap<string, Check> = new Map<FactContent['kind'], Check>([
  ['pin', pin],
  ['unpin', pin],
  ['name', record({ snapshot: fields.snapshotId, name })],
  [
    'link',
    record(
      { commit: fields.objectId, id: fields.snapshotId, how: fields.token },
      { tree: fields.objectId, patchId: fields.objectId },
    ),
  ],
  ['trust', record({ key: fields.signer, name })],
  ['rotate', record({ key: fields.signer })],
  ['revoke', record({ key: fields.signer, lastGood: snapshots }, { reason })],
  ['tombstone', record({ snapshots, reason })],
]);

const content: Check = (value, at) => {
  if (!isObject(value) || typeof value['kind'] !== 'string') return `${at ?? 'it'}.kind is missing`;
  // A kind that came later: whoever reads many facts leaves this one out and goes on.
  const check = CONTENTS.get(value['kind']);
  if (check === undefined) {
    throw contextError('format_version_unsupported', { what: 'The fact', version: `${FACT_FORMAT} ${value['kind']}` });
  }
  return check(value, at);
};

const codec = makeCodec<FactBody>({
  what: 'The fact',
  maxBytes: FACT_BYTES,
  family: 'savepoint.fact',
  check: record(
    {
      format: oneOf(FACT_FORMAT),
      repository: fields.randomId,
      replica: fields.randomId,
      sequence: integer(1),
      at: time,
      signer: fields.signer,
      content,
      seen: list(fields.witness, fields.LIST_LIMIT, (element) => fieldKey(element, 'timeline')),
    },
    { previous: fields.snapshotId },
    ({ sequence, previous }) =>
      (sequence === 1) === (previous === undefined) ? undefined : 'previous and sequence do not fit each other',
  ),
  order: (value) => ({ ...value, content: orderContent(value.content), seen: fields.byTimeline(value.seen) }),
});

function orderContent(value: FactContent): FactContent {
  if (value.kind === 'revoke') return { ...value, lastGood: fields.byBytes(value.lastGood) };
  if (value.kind === 'tombstone') return { ...value, snapshots: fields.byBytes(value.snapshots) };
  return value;
}

/** Returns the canonical bytes of a fact, and their id. @throws invariant_broken if it is not of the form that `decodeFact` demands */
export function encodeFact(value: FactBody): { readonly bytes: Uint8Array; readonly id: string } {
  const bytes = codec.encode(value);
  return { bytes, id: blake3(bytes) };
}

/**
 * Returns the fact that the bytes hold; its id is `blake3` of the bytes.
 * @throws format_unreadable; format_version_unsupported, also for a kind of content that this version does not know
 */
export function decodeFact(bytes: Uint8Array): FactBody {
  return codec.decode(bytes);
}
