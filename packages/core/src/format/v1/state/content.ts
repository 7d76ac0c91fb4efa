/** How records name bytes, in the shape that version 1 demands. */
import { fieldKey, flag, list, oneOf, record, text, type Check } from '../../shape.js';
import * as fields from '../fields.js';

/** Paths, addresses and command lines. */
export const LOCATOR = text(65_536, /^[^\0]+$/);
/** Ids that a record gets, and ids that come from an agent. */
export const recordId = text(fields.SHORT_TEXT, /./s);
/** A record names at most this many others. */
export const NAMED_LIMIT = 65_536;

const place = record(
  { in: oneOf('transcript', 'worktree', 'content') },
  { offset: fields.count, pointers: list(text(fields.SHORT_TEXT), NAMED_LIMIT), base64: flag },
  (value) => {
    const said = 'offset' in value && 'pointers' in value;
    const none = !['offset', 'pointers', 'base64'].some((name) => name in value);
    return (fieldKey(value, 'in') === 'transcript' ? said : none) ? undefined : 'place does not say where';
  },
);

/** Bytes and where they are kept; what is not in the log is a blob. */
export const contentReference: Check = record({ bytes: fields.count, place }, { blob: fields.objectId }, (value) => {
  const where = value['place'];
  const inLog = where !== undefined && fieldKey(where, 'in') === 'transcript';
  return 'blob' in value === inLog ? 'only what is not in the log has a blob' : undefined;
});
