/** Text of `operations`: what was done in this worktree, newest first, and what undo and redo would take. */
import type { OperationSummary, OperationsResult } from '@savepoint/core';
import { styled, type Layout, type Line } from '../../terminal/line.js';
import { table } from '../../terminal/table.js';
import { age, shortId } from '../words/wording.js';
import { changeWords } from './rewind.js';

const COLUMNS = [
  { title: 'OPERATION' },
  { title: 'WHEN' },
  { title: 'KIND' },
  { title: 'TARGET' },
  { title: 'SAFETY' },
  { title: 'CHANGES' },
  { title: 'STATE' },
] as const;

/** `now` in milliseconds. */
export function operationsView(result: OperationsResult, layout: Layout, now: number): readonly Line[] {
  const { operations, more, open, problems } = result;
  const rest = [
    ...(more ? [styled('faint', 'There are more: `--limit N` shows them.')] : []),
    ...problems.map(({ commit, reason }): Line => [
      styled('bad', 'not believed: '),
      `${commit.slice(0, 12)}: ${reason}`,
    ]),
    ...(open ? [openLine()] : []),
  ];
  if (operations.length === 0) return ['Nothing was rewound or restored here yet.', ...rest];
  return [
    ...table(
      COLUMNS,
      operations.map((operation) => row(operation, now)),
      layout,
    ),
    ...rest,
  ];
}

function openLine(): Line {
  return [
    styled('bad', 'An operation is open: '),
    'run `savepoint recover` to complete it, or `savepoint recover --roll-back` to take it back.',
  ];
}

function row(operation: OperationSummary, now: number): readonly Line[] {
  const { id, at, kind, target, safety, totals, context = [], of, session } = operation;
  return [
    styled('bold', shortId(id)),
    age(at, now),
    `${kind}${of === undefined ? '' : ` of ${shortId(of)}`}`,
    shortId(target),
    shortId(safety),
    context.length === 0 ? changeWords(totals) : contextWords(context),
    [stateWords(operation), ...(session === undefined ? [] : [styled('faint', ` session ${session}`)])],
  ];
}

function contextWords(context: OperationSummary['context'] & {}): string {
  const sign = context.some(({ action }) => action === 'remove') ? '-' : '+';
  return `context ${sign}${String(context.reduce((sum, { count }) => sum + count, 0))}`;
}

function stateWords({ undone, next }: OperationSummary): string {
  if (next === 'undo') return 'next to undo';
  if (next === 'redo') return 'undone, next to redo';
  return undone ? 'undone' : '';
}
