/** The person at the terminal: sees lines while a command is at work, and answers questions. */
import type { Progress } from '../terminal/progress.js';
import type { Line } from '../terminal/line.js';
import type { Terminal } from '../terminal/terminal.js';

export interface Person {
  show(lines: readonly Line[]): void;
  /** Asks a question; anything but a clear yes is a no. */
  agrees(question: string): boolean;
}

export interface PersonParts {
  readonly terminal: Terminal;
  /** Writes to standard output. */
  readonly print: { show(lines: readonly Line[]): void; ask(question: Line): void };
  readonly progress: Progress;
}

/** Returns who can read and answer: somebody only where both input and output are a terminal. */
export function personAt({ terminal, print, progress }: PersonParts): Person | undefined {
  const { input, output } = terminal;
  if (output.columns === undefined || !input.isTerminal) return undefined;
  return {
    show: (lines) => {
      progress.end();
      print.show(lines);
    },
    agrees: (question) => {
      progress.end();
      print.ask(`${question} [y/N] `);
      return /^\s*y(?:es)?\s*$/i.test(input.readLine() ?? '');
    },
  };
}
