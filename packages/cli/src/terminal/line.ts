/**
 * Text with meaning but without escape codes: a view makes lines of pieces, and only `renderLine` writes codes. So no
 * view can forget to make a name harmless.
 */
import { columnsOf, printable, printableText } from './printable.js';

export type Style = 'bold' | 'faint' | 'good' | 'bad' | 'notice' | 'added' | 'removed' | 'heading';

/** Plain text, or text with a style; `tabs`: it is a line of somebody's text, whose tabs stay. */
export type Piece = string | { readonly style?: Style; readonly text: string; readonly tabs?: true };
export type Line = Piece | readonly Piece[];

// ECMA-48 "SGR" parameters, and the one that ends them.
const CODES: Readonly<Record<Style, string>> = {
  bold: '1',
  faint: '2',
  good: '32',
  bad: '31',
  notice: '33',
  added: '32',
  removed: '31',
  heading: '1;34',
};

/** How a view may draw. */
export interface Layout {
  /** Columns of the terminal; absent in a pipe, where nothing is cut. */
  readonly width?: number;
  /** False where only ASCII can be shown. */
  readonly unicode: boolean;
}

export function styled(style: Style, text: string): Piece {
  return { style, text };
}

/** A line of a file or message as it stands there. */
export function verbatim(text: string, style?: Style): Piece {
  return { text, tabs: true, ...(style !== undefined && { style }) };
}

/** Returns the line's text, harmless whatever it holds, with codes only if `colours`. */
export function renderLine(line: Line, colours: boolean): string {
  return piecesOf(line)
    .map((piece) => {
      if (typeof piece === 'string') return printable(piece);
      const { style, tabs } = piece;
      const text = tabs === true ? printableText(piece.text) : printable(piece.text);
      return colours && style !== undefined && text !== '' ? `\x1b[${CODES[style]}m${text}\x1b[0m` : text;
    })
    .join('');
}

export function piecesOf(line: Line): readonly Piece[] {
  return isPiece(line) ? [line] : line;
}

export function textOf(piece: Piece): string {
  return typeof piece === 'string' ? piece : piece.text;
}

/** Returns the columns that a line takes when it is shown. */
export function lineColumns(line: Line): number {
  return piecesOf(line).reduce((sum, piece) => sum + columnsOf(printable(textOf(piece))), 0);
}

function isPiece(line: Line): line is Piece {
  return typeof line === 'string' || 'text' in line;
}
