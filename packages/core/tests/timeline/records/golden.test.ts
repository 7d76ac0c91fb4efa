/** Expected records of the recorded sessions: what each is, where its bytes stand, and what it came from. */
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ContentReference, ItemRecord } from '../../../src/model/context/item.js';
import { objectId } from '../../../src/model/tree/object-id.js';
import type { RecordChanges } from '../../../src/timeline/records/fold.js';
import { dialectOf, foldOf, linesOf, readPlace, RECORDED, recordedLog, type RecordedName } from './recorded.js';

/** The bytes that a reference names, told by their git blob id. */
function blobAt(log: Buffer, reference: ContentReference): string {
  return objectId('sha1', 'blob', readPlace(log, reference) ?? new Uint8Array());
}

function itemLine(
  log: Buffer,
  { sequence, kind, role, path: named, range, tokens, content, sent, inside, from }: ItemRecord,
): string {
  const where =
    content.place.in === 'transcript' ? `${String(content.place.offset)} ${content.place.pointers.join(' ')}` : '';
  const more = [
    range === undefined ? '' : `lines ${String(range.from)}-${String(range.to)}`,
    from === undefined ? '' : `from ${from}`,
    inside === undefined ? '' : `inside ${String(inside)}`,
    sent === undefined ? '' : `sent as ${blobAt(log, sent).slice(0, 8)}`,
  ];
  const counted = `${tokens.estimated ? '~' : ''}${String(tokens.count)}`;
  return [sequence, kind, role ?? '', named ?? '', counted, blobAt(log, content).slice(0, 8), where, ...more]
    .filter((word) => word !== '')
    .join(' | ');
}

function summary(log: Buffer, { items, actions, ledger, window, session }: RecordChanges): string {
  const blob = (reference: ContentReference | undefined) => reference && blobAt(log, reference);
  const lines = [
    ...items.map((item) => itemLine(log, item)),
    ...actions.map((action) =>
      JSON.stringify({ ...action, arguments: blob(action.arguments), output: blob(action.output) }),
    ),
    ...ledger.map((entry) => JSON.stringify(entry)),
    JSON.stringify(window),
    JSON.stringify(session),
  ];
  return `${lines.join('\n')}\n`;
}

test.each(Object.keys(RECORDED) as RecordedName[])('the records of %s are as expected', async (name) => {
  const file = path.join(import.meta.dirname, '../../fixtures/records', `${name.replace(/[^a-z0-9.]+/g, '-')}.txt`);
  const log = recordedLog(name);
  await expect(summary(log, foldOf(linesOf(log), dialectOf(name)))).toMatchFileSnapshot(file);
});
