/** Text of `rewind --list`: the points one can go back to, and what each would change now. */
import type { FileTotals, RewindPointsResult } from '@savepoint/core';
import { styled, type Layout, type Line } from '../../terminal/line.js';
import { table } from '../../terminal/table.js';
import { messageLine, unreadableLines } from '../read/list.js';
import { age } from '../words/wording.js';

const COLUMNS = [{ title: 'SNAPSHOT' }, { title: 'WHEN' }, { title: 'CHANGES' }, { title: 'MESSAGE' }] as const;

/** `now` in milliseconds. */
export function rewindPointsView(
  { points, more, unreadable }: RewindPointsResult,
  layout: Layout,
  now: number,
): readonly Line[] {
  const broken = unreadableLines(unreadable);
  if (points.length === 0)
    return ['There is no snapshot to go back to.', 'Run `savepoint capture` to take one.', ...broken];
  const rows = points.map((point): readonly Line[] => [
    styled('bold', point.shortId),
    age(point.createdAt, now),
    changeWords(point.changes),
    messageLine(point),
  ]);
  return [
    ...table(COLUMNS, rows, layout),
    styled('faint', 'CHANGES: + created, ~ overwritten, - deleted, m mode, ! kept or in conflict'),
    ...(more ? [styled('faint', 'There are more: `--limit N` shows them.')] : []),
    ...broken,
  ];
}

/** Returns such as `+3 ~2 -1`; `none` where nothing differs. */
export function changeWords({ create, overwrite, delete: removed, mode, skip, conflict }: FileTotals): string {
  const parts: readonly (readonly [string, number])[] = [
    ['+', create],
    ['~', overwrite],
    ['-', removed],
    ['m', mode],
    ['!', skip + conflict],
  ];
  const told = parts.filter(([, count]) => count > 0).map(([sign, count]) => `${sign}${String(count)}`);
  return told.length === 0 ? 'none' : told.join(' ');
}
