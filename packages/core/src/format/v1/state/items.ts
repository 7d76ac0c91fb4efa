/** `context/<session>/`: buckets of items, and `window.json`. */
import { estimatedTokens, type ItemRecord, type WindowRecord } from '../../../model/context/item.js';
import { makeCodec } from '../../codec.js';
import { fieldKey, flag, integer, list, oneOf, record, text, time } from '../../shape.js';
import { RECORD_BYTES } from '../records.js';
import * as fields from '../fields.js';
import { BUCKET_RECORDS } from './buckets.js';
import { contentReference, LOCATOR, recordId } from './content.js';

const KINDS = ['message', 'file', 'url', 'snippet', 'command', 'image', 'rules', 'memory', 'summary'] as const;

const item = record(
  {
    id: recordId,
    sequence: fields.count,
    kind: oneOf(...KINDS),
    content: contentReference,
    selection: oneOf('explicit', 'heuristic'),
  },
  {
    tokens: record({ count: fields.count, estimated: flag }),
    role: fields.token,
    path: LOCATOR,
    pathBytes: text(131_072),
    range: record({ from: integer(1), to: integer(1) }, {}, ({ from, to }) =>
      Number(from) <= Number(to) ? undefined : 'range ends before it begins',
    ),
    sent: contentReference,
    inside: fields.count,
    from: recordId,
    pinned: flag,
    at: time,
    origin: record({ snapshot: fields.snapshotId, item: recordId }),
  },
);

/** Without tokens where they are what the bytes let one estimate. */
type StoredItem = Omit<ItemRecord, 'tokens'> & Partial<Pick<ItemRecord, 'tokens'>>;

const items = makeCodec<{ readonly items: readonly StoredItem[] }>({
  what: 'A bucket of items',
  maxBytes: RECORD_BYTES,
  check: record({ items: list(item, BUCKET_RECORDS, (element) => fieldKey(element, 'sequence')) }),
  order: (value) => ({ ...value, items: [...value.items].sort((a, b) => a.sequence - b.sequence) }),
});

export function encodeItems(records: readonly ItemRecord[]): Uint8Array {
  return items.encode({ items: records.map(stored) });
}

function stored({ tokens, ...rest }: ItemRecord): StoredItem {
  const { count, estimated } = estimatedTokens(rest.kind, rest.content.bytes);
  const follows = tokens.count === count && tokens.estimated === estimated && Object.keys(tokens).length === 2;
  return follows ? rest : { ...rest, tokens };
}

/** Reads a bucket of items. @throws format_unreadable */
export function decodeItems(bytes: Uint8Array): readonly ItemRecord[] {
  return items.decode(bytes).items.map((item) => {
    const { tokens = estimatedTokens(item.kind, item.content.bytes) } = item;
    return { ...item, tokens };
  });
}

/** More runs than any window falls into; what reads one goes through all of them. */
const RUN_LIMIT = 262_144;
/** Room for two lists of them. */
const WINDOW_BYTES = 24 * 1024 * 1024;

const runs = list(
  record({ from: fields.count, to: fields.count }, {}, ({ from, to }) =>
    Number(from) <= Number(to) ? undefined : 'a run ends before it begins',
  ),
  RUN_LIMIT,
);

const window = makeCodec<WindowRecord>({
  what: 'The file window.json',
  maxBytes: WINDOW_BYTES,
  check: record(
    { in: runs, compacted: runs, exact: flag },
    {
      since: fields.count,
      request: recordId,
      tokens: fields.count,
      origin: record({ snapshot: fields.snapshotId, operation: fields.randomId }),
    },
  ),
  // The order of `in` is the order in which the items were sent.
  order: (value) => value,
});

export function encodeWindow(value: WindowRecord): Uint8Array {
  return window.encode(value);
}

/** Reads `window.json` of a session. @throws format_unreadable */
export function decodeWindow(bytes: Uint8Array): WindowRecord {
  return window.decode(bytes);
}
