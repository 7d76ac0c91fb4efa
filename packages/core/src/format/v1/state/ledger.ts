/** `ledger/<session>/`: buckets of ledger entries. */
import type { LedgerEntry } from '../../../model/context/ledger.js';
import { makeCodec } from '../../codec.js';
import { fieldKey, flag, list, record, text, time } from '../../shape.js';
import { RECORD_BYTES } from '../records.js';
import * as fields from '../fields.js';
import { BUCKET_RECORDS } from './buckets.js';
import { recordId } from './content.js';

const entry = record(
  { id: recordId, sequence: fields.count, estimated: flag },
  {
    at: time,
    model: text(fields.SHORT_TEXT, /./s),
    requestId: recordId,
    messageId: recordId,
    input: fields.count,
    output: fields.count,
    cacheRead: fields.count,
    cacheWrite: fields.count,
    cacheWriteLong: fields.count,
    reasoning: fields.count,
    costMicros: fields.count,
    baseline: fields.count,
    sent: fields.count,
    source: fields.token,
  },
);

const ledger = makeCodec<{ readonly entries: readonly LedgerEntry[] }>({
  what: 'A bucket of ledger entries',
  maxBytes: RECORD_BYTES,
  check: record({ entries: list(entry, BUCKET_RECORDS, (element) => fieldKey(element, 'sequence')) }),
  order: (value) => ({ ...value, entries: [...value.entries].sort((a, b) => a.sequence - b.sequence) }),
});

export function encodeLedger(records: readonly LedgerEntry[]): Uint8Array {
  return ledger.encode({ entries: records });
}

/** Reads a bucket of ledger entries. @throws format_unreadable */
export function decodeLedger(bytes: Uint8Array): readonly LedgerEntry[] {
  return ledger.decode(bytes).entries;
}
