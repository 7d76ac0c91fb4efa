/** `session.json`: the sessions whose records a snapshot holds. */
import type { SessionRecord } from '../../../model/context/session.js';
import { makeCodec } from '../../codec.js';
import { fieldKey, list, oneOf, record, text, time } from '../../shape.js';
import { RECORD_BYTES } from '../records.js';
import * as fields from '../fields.js';
import { contentReference, LOCATOR, NAMED_LIMIT, recordId } from './content.js';

/** A task is kept to so many characters. */
export const TASK_LENGTH = 500;

const shortText = text(fields.SHORT_TEXT);

const session = record(
  {
    id: text(fields.SHORT_TEXT, /^[A-Za-z0-9][A-Za-z0-9._-]*$/),
    agent: fields.token,
    agentSessionId: recordId,
    state: oneOf('active', 'idle', 'ended'),
    touched: list(fields.pathRecord(), fields.LIST_LIMIT, fields.pathKey),
    totals: record({
      prompts: fields.count,
      items: fields.count,
      actions: fields.count,
      requests: fields.count,
      compactions: fields.count,
      unreadable: fields.count,
    }),
  },
  {
    agentVersion: shortText,
    directory: LOCATOR,
    title: shortText,
    prompt: contentReference,
    task: text(TASK_LENGTH),
    parent: recordId,
    children: list(recordId, NAMED_LIMIT, String),
    startedAt: time,
    endedAt: time,
    model: shortText,
    branch: shortText,
    origin: record({ snapshot: fields.snapshotId, session: recordId, operation: fields.randomId }),
    progress: list(record({ text: shortText, status: shortText }), NAMED_LIMIT),
  },
);

const sessions = makeCodec<{ readonly sessions: readonly SessionRecord[] }>({
  what: 'The file session.json',
  maxBytes: RECORD_BYTES,
  check: record({ sessions: list(session, fields.LIST_LIMIT, (element) => fieldKey(element, 'id')) }),
  order: (value) => ({
    ...value,
    sessions: fields.byName(value.sessions, ({ id }) => id).map(inOrder),
  }),
});

function inOrder(value: SessionRecord): SessionRecord {
  return {
    ...value,
    touched: fields.byPath(value.touched),
    ...(value.children === undefined ? {} : { children: fields.byBytes(value.children) }),
  };
}

export function encodeSessions(records: readonly SessionRecord[]): Uint8Array {
  return sessions.encode({ sessions: records });
}

/** Reads `session.json`. @throws format_unreadable */
export function decodeSessions(bytes: Uint8Array): readonly SessionRecord[] {
  return sessions.decode(bytes).sessions;
}
