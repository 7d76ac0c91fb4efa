/** Text of `timeline`: the drawn graph. */
import type { SnapshotSummary, TimelineResult } from '@savepoint/core';
import { lineColumns, piecesOf, styled, type Layout, type Line, type Piece } from '../../terminal/line.js';
import { columnsOf, printable } from '../../terminal/printable.js';
import { cut, widest } from '../../terminal/table.js';
import { drawGraph } from './graph.js';
import { messageLine, unreadableLines } from './list.js';
import { age } from '../words/wording.js';

const SHORTEST_LABEL = 10;

/** `now` in milliseconds. */
export function timelineView(
  { snapshots, timelines, more, unreadable }: TimelineResult,
  layout: Layout,
  now: number,
): readonly Line[] {
  if (snapshots.length === 0) {
    return [
      'There is no snapshot yet.',
      'Run `savepoint capture` to take the first one.',
      ...unreadableLines(unreadable),
    ];
  }
  const nodes = snapshots.map(({ id, parents, origin }) => ({
    id,
    edges: origin === undefined ? parents : [...parents, origin.from],
  }));
  const rows = drawGraph(nodes, layout.unicode);
  const width = widest(rows.map(({ drawing }) => drawing.length));
  const labels = new Map(timelines.map(({ head, label }) => [head, label]));
  const lines = rows.map(({ drawing, node }): Line => {
    const snapshot = node === undefined ? undefined : snapshots[node];
    if (snapshot === undefined) return drawing;
    const line = [drawing.padEnd(width), '  ', ...entry(snapshot, now)];
    return cut([...line, ...labelPieces(labels.get(snapshot.id), lineColumns(line), layout)], layout);
  });
  const rest = more ? [styled('faint', 'There are more: `--limit N` shows them.')] : [];
  return [...lines, ...rest, ...unreadableLines(unreadable)];
}

function entry(snapshot: SnapshotSummary, now: number): readonly Piece[] {
  const { shortId, createdAt } = snapshot;
  const when = styled('faint', age(createdAt, now));
  return [styled('bold', shortId), '  ', when, '  ', ...piecesOf(messageLine(snapshot))];
}

/** Returns what a head is called; of a long one the end, which tells worktrees apart. */
function labelPieces(label: string | undefined, before: number, { width, unicode }: Layout): readonly Piece[] {
  if (label === undefined) return [];
  const mark = unicode ? '…' : '...';
  const room = (width ?? Infinity) - before - '  ()'.length;
  const whole = printable(label);
  const fits = columnsOf(whole) <= room || room < SHORTEST_LABEL;
  const text = fits ? whole : mark + [...whole].slice(mark.length - room).join('');
  return [styled('heading', `  (${text})`)];
}
