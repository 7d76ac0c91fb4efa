/** Columns that line up. */
import { fitted, printable } from './printable.js';
import { lineColumns, piecesOf, textOf, type Layout, type Line, type Piece } from './line.js';

export interface Column {
  readonly title: string;
  readonly align?: 'right';
}

const GAP = '  ';
/** Columns that the last cell gets at least. */
const NARROWEST = 8;

/** Returns a heading and the rows; the last column is cut to the terminal's width, the others never are. */
export function table(columns: readonly Column[], rows: readonly (readonly Line[])[], layout: Layout): readonly Line[] {
  const titles = columns.map(({ title }): Line => ({ style: 'faint', text: title }));
  const all = [titles, ...rows];
  const widths = columns.map((_, index) => widest(all.map((row) => lineColumns(row[index] ?? ''))));
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  return all.map((row) =>
    columns.flatMap((column, index): readonly Piece[] => {
      const cell = row[index] ?? '';
      if (index === columns.length - 1) return cut(cell, layout, before);
      const padding = ' '.repeat((widths[index] ?? 0) - lineColumns(cell));
      return column.align === 'right' ? [padding, ...piecesOf(cell), GAP] : [...piecesOf(cell), padding, GAP];
    }),
  );
}

/** Returns the greatest of any number of widths: as arguments of `Math.max`, a hundred thousand would be too many. */
export function widest(widths: readonly number[]): number {
  return widths.reduce((most, width) => Math.max(most, width), 0);
}

/** Returns lines `label  value` whose values start in one column. */
export function labelled(rows: readonly (readonly [label: string, value: Line])[]): readonly Line[] {
  const width = widest(rows.map(([label]) => label.length));
  return rows.map(([label, value]) => ['  ', { style: 'faint', text: label.padEnd(width) }, GAP, ...piecesOf(value)]);
}

/** Returns the pieces of a line cut to the width that is left after `before` columns. */
export function cut(line: Line, layout: Layout, before = 0): readonly Piece[] {
  if (layout.width === undefined) return piecesOf(line);
  let left = Math.max(NARROWEST, layout.width - before);
  const pieces: Piece[] = [];
  for (const piece of piecesOf(line)) {
    const whole = printable(textOf(piece));
    const text = fitted(whole, left, layout.unicode ? '…' : '...');
    pieces.push(typeof piece === 'string' ? text : { ...piece, text });
    left -= lineColumns(text);
    if (text !== whole || left <= 0) break;
  }
  return pieces;
}
