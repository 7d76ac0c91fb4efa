/** What the rest of the command line knows of the process that it runs in; a test hands in its own. */

/** How this program can be started again. */
export interface Self {
  /** The file of Node. */
  readonly node: string;
  /** The file that Node was started with. */
  readonly program: string;
}

export interface Terminal {
  readonly self: Self;
  /** The words after `savepoint`. */
  readonly words: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
  readonly input: Input;
  readonly output: Output;
  readonly errors: Output;
  /** Returns the bytes of a file; `-` is standard input. */
  read(file: string): Uint8Array;
  /** Returns the bytes of a file piece by piece; `-` is standard input. It throws where there is no such file. */
  stream(file: string): AsyncIterable<Uint8Array>;
  /** Returns whether a regular file of this name is there. */
  isFile(file: string): boolean;
  /** Starts a file that nobody sees under its name before it is finished. */
  create(file: string): FileDraft;
  /** Runs Savepoint with these words when this process is done; nobody waits for it or sees what it says. */
  background(words: readonly string[]): void;
  /** Runs a command line of the shell to its end, and returns what it wrote and how it ended. */
  shell(command: string, directory: string): CommandRun;
  /** Has this process prefer little memory to speed from now on. */
  saveMemory(): void;
  /** Calls back when the user or the system asks the process to end. */
  onInterrupt(stop: () => void): void;
}

/** A file that is being written, beside the place where it will be. */
export interface FileDraft {
  write(bytes: Uint8Array): void;
  /** Makes it durable and gives it its name; what had that name before is replaced. */
  finish(): void;
  discard(): void;
}

export interface CommandRun {
  /** Standard output and error as they came, at most a few megabytes. */
  readonly output: Uint8Array;
  readonly status: 'ok' | 'error' | 'timeout';
  /** Absent where the command did not end by itself. */
  readonly exitCode?: number;
  readonly milliseconds: number;
}

export interface Input {
  /** Whether somebody types there. */
  readonly isTerminal: boolean;
  /** Waits for a line and returns it without its end; undefined where there is none. */
  readLine(): string | undefined;
}

/** Nobody types there. */
export const NO_INPUT: Input = { isTerminal: false, readLine: () => undefined };

export interface Output {
  /** Columns where this is a terminal, else undefined. */
  readonly columns: number | undefined;
  /** Returns false when nobody reads any more; what is written then is dropped. */
  write(data: string | Uint8Array): boolean;
}

/** Tells whether codes for colours may be written (https://no-color.org, and terminals without them). */
export function wantsColours(terminal: Terminal, output: Output): boolean {
  const { NO_COLOR, TERM } = terminal.environment;
  return output.columns !== undefined && (NO_COLOR ?? '') === '' && TERM !== 'dumb';
}

/** Tells whether the locale can show more than ASCII (POSIX: LC_ALL over LC_CTYPE over LANG). */
export function wantsUnicode(terminal: Terminal): boolean {
  const { LC_ALL, LC_CTYPE, LANG, TERM } = terminal.environment;
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '') ?? '';
  return TERM !== 'dumb' && TERM !== 'linux' && /utf-?8/i.test(locale);
}
