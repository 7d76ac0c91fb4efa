/** A line on standard error that says how far a long command is; only on a terminal, and gone when it ends. */
import { fitted, printable } from './printable.js';
import type { Output } from './terminal.js';

const DELAY_MILLISECONDS = 700;
const REDRAW_MILLISECONDS = 100;
const ERASE_LINE = '\r\x1b[K';

export interface Progress {
  show(text: () => string): void;
  /** Removes the line. */
  end(): void;
}

// Not `performance`, which Node loads when it is first named.
function milliseconds(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/** Returns a progress line that appears only when the command takes long; `now` in milliseconds. */
export function progressLine(output: Output, now: () => number = milliseconds): Progress {
  const started = now();
  let drawn: number | undefined;
  return {
    show: (text) => {
      const time = now();
      if (time - (drawn ?? started) < (drawn === undefined ? DELAY_MILLISECONDS : REDRAW_MILLISECONDS)) return;
      if (output.columns === undefined) return;
      output.write(ERASE_LINE + fitted(printable(text()), output.columns - 1, '...'));
      drawn = time;
    },
    end: () => {
      if (drawn !== undefined) output.write(ERASE_LINE);
      drawn = undefined;
    },
  };
}
