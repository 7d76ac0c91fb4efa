/** `withheld.json` beside a published snapshot: what its slices name and that is not there. */
import type { WithheldFile } from '../../model/bundle.js';
import { makeCodec } from '../codec.js';
import { fieldKey, hexDigits, list, record, text } from '../shape.js';
import * as fields from './fields.js';

interface WithheldRecord {
  readonly withheld: readonly WithheldFile[];
}

const codec = makeCodec<WithheldRecord>({
  what: 'The file withheld.json',
  maxBytes: 64 * 1024 * 1024,
  check: record({
    withheld: list(
      record({ path: text(255, /./s), digest: hexDigits(64), bytes: fields.count }),
      fields.LIST_LIMIT,
      (one) => fieldKey(one, 'path'),
    ),
  }),
  order: (value) => ({ ...value, withheld: fields.byName(value.withheld, ({ path }) => path) }),
});

export function encodeWithheld(withheld: readonly WithheldFile[]): Uint8Array {
  return codec.encode({ withheld });
}

/** Reads `withheld.json`. @throws format_unreadable */
export function decodeWithheld(bytes: Uint8Array): readonly WithheldFile[] {
  return codec.decode(bytes).withheld;
}
