/** Expected records of the recorded sessions: what each is, where its bytes stand, and what it came from. */
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ItemRecord } from '../../../src/model/context/item.js';
import type { RecordChanges } from '../../../src/timeline/records/fold.js';
import { dialectOf, foldOf, linesOf, RECORDED, recordedLog, type RecordedName } from './recorded.js';

function itemLine({
  sequence,
  kind,
  role,
  path: named,
  range,
  tokens,
  content,
  sent,
  inside,
  from,
}: ItemRecord): string {
  const where =
    content.place.in === 'transcript' ? `${String(content.place.offset)} ${content.place.pointers.join(' ')}` : '';
  const more = [
    range === undefined ? '' : `lines ${String(range.from)}-${String(range.to)}`,
    from === undefined ? '' : `from ${from}`,
    inside === undefined ? '' : `inside ${String(inside)}`,
    sent === undefined ? '' : `sent as ${sent.blob.slice(0, 8)}`,
  ];
  const counted = `${tokens.estimated ? '~' : ''}${String(tokens.count)}`;
  return [sequence, kind, role ?? '', named ?? '', counted, content.blob.slice(0, 8), where, ...more]
    .filter((word) => word !== '')
    .join(' | ');
}

function summary({ items, actions, ledger, window, session }: RecordChanges): string {
  const lines = [
    ...items.map(itemLine),
    ...actions.map((action) =>
      JSON.stringify({ ...action, arguments: action.arguments?.blob, output: action.output?.blob }),
    ),
    ...ledger.map((entry) => JSON.stringify(entry)),
    JSON.stringify(window),
    JSON.stringify(session),
  ];
  return `${lines.join('\n')}\n`;
}

test.each(Object.keys(RECORDED) as RecordedName[])('the records of %s are as expected', async (name) => {
  const file = path.join(import.meta.dirname, '../../fixtures/records', `${name.replace(/[^a-z0-9.]+/g, '-')}.txt`);
  await expect(summary(foldOf(linesOf(recordedLog(name)), dialectOf(name)))).toMatchFileSnapshot(file);
});
