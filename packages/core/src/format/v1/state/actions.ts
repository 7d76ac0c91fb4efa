/** `actions/<session>/`: buckets of actions. */
import type { ActionRecord } from '../../../model/context/action.js';
import { makeCodec } from '../../codec.js';
import { fieldKey, flag, integer, list, oneOf, record, text, time } from '../../shape.js';
import { RECORD_BYTES } from '../records.js';
import * as fields from '../fields.js';
import { BUCKET_RECORDS } from './buckets.js';
import { contentReference, LOCATOR, NAMED_LIMIT, recordId } from './content.js';

const KINDS = ['model', 'read', 'search', 'edit', 'shell', 'check', 'fetch', 'spawn', 'mcp'] as const;
const STATUSES = ['running', 'ok', 'error', 'timeout', 'denied', 'cancelled'] as const;

// Files outside the worktree too, by their absolute paths.
const { pathBytes } = fields.optionalPathFields;

const action = record(
  {
    id: recordId,
    sequence: fields.count,
    kind: oneOf(...KINDS),
    tool: text(fields.SHORT_TEXT, /./s),
    status: oneOf(...STATUSES),
    reads: list(record({ path: LOCATOR }, { pathBytes, blob: fields.objectId }), NAMED_LIMIT),
    writes: list(
      record({ path: LOCATOR }, { pathBytes, existed: flag, before: fields.objectId, after: fields.objectId }),
      NAMED_LIMIT,
    ),
  },
  {
    callId: recordId,
    arguments: contentReference,
    startedAt: time,
    milliseconds: fields.count,
    exitCode: integer(Number.MIN_SAFE_INTEGER),
    output: contentReference,
    command: LOCATOR,
    child: recordId,
  },
);

const actions = makeCodec<{ readonly actions: readonly ActionRecord[] }>({
  what: 'A bucket of actions',
  maxBytes: RECORD_BYTES,
  check: record({ actions: list(action, BUCKET_RECORDS, (element) => fieldKey(element, 'sequence')) }),
  order: (value) => ({ ...value, actions: [...value.actions].sort((a, b) => a.sequence - b.sequence) }),
});

export function encodeActions(records: readonly ActionRecord[]): Uint8Array {
  return actions.encode({ actions: records });
}

/** Reads a bucket of actions. @throws format_unreadable */
export function decodeActions(bytes: Uint8Array): readonly ActionRecord[] {
  return actions.decode(bytes).actions;
}
