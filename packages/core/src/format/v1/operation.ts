/** Operations, version 1: `operation.json`, its bytes, its checks and its digest. */
import {
  CONTEXT_KINDS,
  FILE_ACTIONS,
  FILE_REASONS,
  MERGED_SLICES,
  OPERATION_FORMAT,
  OPERATION_KINDS,
  type OperationBody,
} from '../../model/operation.js';
import { makeCodec } from '../codec.js';
import { blake3 } from '../digest.js';
import { fieldKey, flag, integer, list, oneOf, record, text, time, type Check } from '../shape.js';
import * as fields from './fields.js';

/** An operation has at most this many bytes; one of a million paths needs less. */
export const OPERATION_BYTES = 256 * 1024 * 1024;

const options = record(
  { files: flag, context: flag, index: flag, exact: flag, force: flag },
  {
    paths: list(fields.pathRecord(), fields.LIST_LIMIT, fields.pathKey),
    merge: list(oneOf(...MERGED_SLICES), MERGED_SLICES.length, String),
    hunks: record({ numbers: list(integer(1), fields.LIST_LIMIT), of: fields.objectId }),
  },
);

const outcome = fields.pathRecord(
  { action: oneOf(...FILE_ACTIONS) },
  {
    optional: {
      creates: flag,
      type: oneOf('directory'),
      reason: oneOf(...FILE_REASONS),
      bytes: fields.count,
    },
  },
);

const contextCount = record({ action: oneOf('add', 'remove'), kind: oneOf(...CONTEXT_KINDS), count: integer(1) });

const signer: Check = (value, at) => (value === '' ? undefined : fields.signer(value, at));

const codec = makeCodec<OperationBody>({
  what: 'The operation',
  maxBytes: OPERATION_BYTES,
  family: 'savepoint.operation',
  check: record(
    {
      format: oneOf(OPERATION_FORMAT),
      id: fields.randomId,
      repository: fields.randomId,
      worktree: fields.randomId,
      sequence: integer(1),
      at: time,
      signer,
      kind: oneOf(...OPERATION_KINDS),
      target: fields.snapshotId,
      safety: fields.snapshotId,
      options,
      files: list(outcome, fields.LIST_LIMIT, fields.pathKey),
    },
    {
      previous: fields.snapshotId,
      seen: list(fields.witness, fields.LIST_LIMIT, (element) => fieldKey(element, 'timeline')),
      session: text(fields.SHORT_TEXT),
      of: fields.randomId,
      kept: fields.count,
      context: list(contextCount, 2 * CONTEXT_KINDS.length, (element) =>
        [fieldKey(element, 'kind'), fieldKey(element, 'action')].join(' '),
      ),
    },
    ({ sequence, previous }) =>
      (sequence === 1) === (previous === undefined) ? undefined : 'previous and sequence do not fit each other',
  ),
  order: (value) => ({
    ...value,
    files: fields.byPath(value.files),
    ...(value.seen !== undefined && { seen: fields.byTimeline(value.seen) }),
    ...(value.context !== undefined && {
      context: fields.byName(value.context, ({ kind, action }) => `${kind} ${action}`),
    }),
    options: {
      ...value.options,
      ...(value.options.merge !== undefined && { merge: fields.byName(value.options.merge, String) }),
      ...(value.options.paths !== undefined && { paths: fields.byPath(value.options.paths) }),
    },
  }),
});

/** Returns the canonical bytes of an operation, and their digest. @throws invariant_broken if it is malformed */
export function encodeOperation(value: OperationBody): { readonly bytes: Uint8Array; readonly digest: string } {
  const bytes = codec.encode(value);
  return { bytes, digest: blake3(bytes) };
}

/** Returns the operation that the bytes hold. @throws format_unreadable; format_version_unsupported */
export function decodeOperation(bytes: Uint8Array): OperationBody {
  return codec.decode(bytes);
}
