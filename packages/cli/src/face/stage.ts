/** The stage of a command that plays other command lines of this program, in a place and with an environment of its own. */
import { NO_INPUT, type Output, type Self, type Terminal } from '../terminal/terminal.js';

export interface Stage {
  /** The environment of this process, as a beginning for another one. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly self: Self;
  /** Whether what is written to standard output may hold codes for colours. */
  readonly colours: boolean;
  /** Returns the bytes of a file that comes with the package. */
  shipped(name: string): Uint8Array;
  /** Runs a command line as if it had been typed there. */
  run(line: StageLine): Promise<StageRun>;
}

export interface StageLine {
  readonly words: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Its output goes into another program. */
  readonly piped: boolean;
}

export interface StageRun {
  readonly exitCode: number;
  readonly output: Uint8Array;
  readonly errors: string;
}

export interface StageParts {
  readonly terminal: Terminal;
  readonly colours: boolean;
  /** Columns for what is shown, else undefined. */
  readonly columns: number | undefined;
  readonly shipped: (name: string) => Uint8Array;
  readonly run: (terminal: Terminal) => Promise<number>;
}

export function makeStage({ terminal, colours, columns, shipped, run }: StageParts): Stage {
  return {
    environment: terminal.environment,
    self: terminal.self,
    colours,
    shipped,
    run: async ({ words, directory, environment, piped }) => {
      const output = recorder(piped ? undefined : columns);
      const errors = recorder(undefined);
      const exitCode = await run({
        ...terminal,
        words,
        directory,
        environment: colours ? environment : { ...environment, NO_COLOR: '1' },
        home: environment['HOME'] ?? terminal.home,
        input: NO_INPUT,
        output,
        errors,
        background: () => undefined,
        onInterrupt: () => undefined,
      });
      return { exitCode, output: output.written(), errors: Buffer.from(errors.written()).toString('utf8') };
    },
  };
}

function recorder(columns: number | undefined): Output & { written(): Uint8Array } {
  const chunks: Uint8Array[] = [];
  return {
    columns,
    write: (data) => {
      chunks.push(typeof data === 'string' ? Buffer.from(data, 'utf8') : data);
      return true;
    },
    written: () => Buffer.concat(chunks),
  };
}
