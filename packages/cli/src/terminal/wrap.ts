/** Sentences in lines that fit. */
import { columnsOf, printable } from './printable.js';

/** Returns the text in lines of at most so many columns; only a longer word stands out. */
export function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && columnsOf(printable(longer)) > columns) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
