/** Text of `timeline`: the drawn graph. */
import type { SnapshotSummary, TimelineResult } from '@savepoint/core';
import { piecesOf, styled, type Layout, type Line, type Piece } from '../terminal/line.js';
import { cut } from '../terminal/table.js';
import { drawGraph } from './graph.js';
import { messageLine, unreadableLines } from './list.js';
import { age } from './wording.js';

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
  const width = Math.max(...rows.map(({ drawing }) => drawing.length));
  const labels = new Map(timelines.map(({ head, label }) => [head, label]));
  const lines = rows.map(({ drawing, node }): Line => {
    const snapshot = node === undefined ? undefined : snapshots[node];
    if (snapshot === undefined) return drawing;
    return cut([drawing.padEnd(width), '  ', ...entry(snapshot, labels.get(snapshot.id), now)], layout);
  });
  const rest = more ? [styled('faint', 'There are more: `--limit N` shows them.')] : [];
  return [...lines, ...rest, ...unreadableLines(unreadable)];
}

function entry(snapshot: SnapshotSummary, label: string | undefined, now: number): readonly Piece[] {
  const head = label === undefined ? [] : [styled('heading', ` (${label})`)];
  const { shortId, createdAt } = snapshot;
  const message = piecesOf(messageLine(snapshot));
  return [styled('bold', shortId), ...head, '  ', styled('faint', age(createdAt, now)), '  ', ...message];
}
