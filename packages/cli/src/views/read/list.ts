/** Text of `list`. */
import type { ListResult, SnapshotSummary } from '@savepoint/core';
import { spentCells } from '../words/spent.js';
import { styled, type Layout, type Line } from '../../terminal/line.js';
import { table } from '../../terminal/table.js';
import { age, grouped, mark, subject, tagPieces, verdictWords } from '../words/wording.js';

const COLUMNS = [
  { title: 'SNAPSHOT' },
  { title: 'WHEN' },
  { title: 'COMMIT' },
  { title: 'FILES', align: 'right' },
  { title: 'SIGNED' },
  { title: 'MESSAGE' },
] as const;
/** Only where a snapshot of the list has a ledger. */
const SPENT = [
  { title: 'TOKENS', align: 'right' },
  { title: 'COST', align: 'right' },
] as const;

/** `now` in milliseconds. */
export function listView({ snapshots, more, unreadable }: ListResult, layout: Layout, now: number): readonly Line[] {
  if (snapshots.length === 0) {
    return [
      'No snapshot matches.',
      'Run `savepoint capture` to take one, or `savepoint list --all` to look everywhere.',
      ...unreadableLines(unreadable),
    ];
  }
  const spent = snapshots.some((snapshot) => snapshot.spent !== undefined);
  const rows = snapshots.map((snapshot) => row(snapshot, layout, { now, spent }));
  const rest = more ? [styled('faint', 'There are more: `--limit N` shows them.')] : [];
  const columns = spent ? [...COLUMNS.slice(0, -1), ...SPENT, ...COLUMNS.slice(-1)] : COLUMNS;
  return [...table(columns, rows, layout), ...rest, ...unreadableLines(unreadable)];
}

interface RowForm {
  readonly now: number;
  readonly spent: boolean;
}

function row(snapshot: SnapshotSummary, layout: Layout, form: RowForm): readonly Line[] {
  const { shortId, createdAt, anchor, totals } = snapshot;
  return [
    styled('bold', shortId),
    age(createdAt, form.now),
    `${anchor.commit?.slice(0, 7) ?? '-'}${anchor.dirty ? '*' : ''}`,
    grouped(totals.files),
    signedCell(snapshot, layout),
    ...(form.spent ? spentCells(snapshot.spent) : []),
    messageLine(snapshot),
  ];
}

function signedCell({ verdict }: SnapshotSummary, layout: Layout): Line {
  if (verdict === 'valid') return styled('good', mark(true, layout));
  if (verdict === 'valid_unknown_signer') return styled('notice', `${mark(true, layout)} unknown`);
  return styled('bad', verdictWords(verdict));
}

/** Returns what was met and had to be passed over. */
export function unreadableLines(unreadable: ListResult['unreadable']): readonly Line[] {
  return unreadable.map(({ timeline, commit, message }): Line => [
    styled('bad', 'unreadable: '),
    `commit ${commit.slice(0, 12)} of timeline ${timeline.slice(0, 12)}: ${message}`,
  ]);
}

/** Returns message and tags of a snapshot, and whether something is missing in it. */
export function messageLine({ message, tags, trigger, complete, origin, foreign }: SnapshotSummary): Line {
  const text = message === '' ? styled('faint', `(${trigger.kind}: ${trigger.reason})`) : subject(message);
  const from = origin === undefined ? [] : [styled('faint', ` (${origin.kind} from ${origin.from.slice(0, 12)})`)];
  const by = foreign === true ? [styled('notice', 'foreign ')] : [];
  return [...by, ...(complete ? [] : [styled('bad', 'incomplete ')]), text, ...tagPieces(tags), ...from];
}
