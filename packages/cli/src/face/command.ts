/** What a command is: its definition, the ops that it calls, and flags -> op -> view. */
import type {
  BundleInput,
  BundleOutput,
  ContextError,
  History,
  KeyRing,
  OpenedHistory,
  OpenedRepository,
  Repository,
  SettingsFiles,
} from '@savepoint/core';
import type {
  ArgumentDefinitions,
  ArgumentValues,
  CommandDefinition,
  GlobalValues,
  GroupDefinition,
  OptionDefinitions,
  OptionValues,
} from '../arguments/definition.js';
import type { Layout, Line } from '../terminal/line.js';
import type { Progress } from '../terminal/progress.js';
import type { CommandRun } from '../terminal/terminal.js';
import type { Person } from './person.js';
import type { Stage } from './stage.js';

/** What a command may ask of the process around it. */
export interface Face {
  readonly globals: GlobalValues;
  /** Where the user stands, after `-C`; names of files are relative to it. */
  readonly directory: string;
  readonly layout: Layout;
  /** All commands, for help and completion. */
  readonly commands: readonly AnyCommand[];
  readonly groups: readonly GroupDefinition[];
  /** Opens the repository once. @throws not_a_git_repository and its like */
  open(): Promise<OpenedRepository>;
  /** Opens the repository once for looking at its snapshots: for commands that do no more. @throws the same */
  look(): Promise<OpenedHistory>;
  /** The user's keys, and the repository where one stands in one. */
  openKeys(): Promise<{ readonly keys: KeyRing; readonly repository?: Repository }>;
  /** The same for commands that only look. */
  lookAtKeys(): Promise<{ readonly keys: KeyRing; readonly repository?: History }>;
  /** The settings files; only the user's outside a repository. */
  openSettings(): Promise<SettingsFiles>;
  /** Bytes of a file named by the user; `-` is standard input. @throws file_not_found */
  read(file: string): Uint8Array;
  /** A file named by the user that is read in one pass; `-` is standard input. @throws file_not_found, when it is opened */
  input(file: string): BundleInput;
  /** Whether a name that might be something else is that of a file. */
  isFile(file: string): boolean;
  /** A file named by the user that is written in one pass and appears whole; `-` is standard output. */
  output(file: string): BundleOutput;
  /** Runs a command line of the shell where the user stands. */
  shell(command: string): CommandRun;
  /** Aborted when the user asks the process to end; without a call to this, it ends at once. */
  interruption(): AbortSignal;
  readonly progress: Progress;
  /** Who sits at the terminal; undefined where nobody can be asked. */
  person(): Person | undefined;
  /** Has this process prefer little memory to speed from now on. */
  saveMemory(): void;
  /** For playing other command lines. */
  readonly stage: Stage;
}

/** What a command has to say. */
export interface Outcome {
  /** The JSON value. */
  readonly data: unknown;
  /** The text form. */
  readonly lines: () => readonly Line[];
  /** The text form with `--quiet`, where it is shorter. */
  readonly quiet?: () => readonly Line[];
  /** Raw bytes instead of text and JSON. */
  readonly bytes?: AsyncIterable<Uint8Array>;
  /** Remarks for standard error; not with `--quiet` or `--json`. */
  readonly notes?: readonly string[];
  /** Something was changed: whoever does not get to read this must not run the command again. */
  readonly changed?: true;
  /** What was done only in part; the first one decides the exit code. */
  readonly problems?: readonly ContextError[];
  readonly exitCode?: number;
  /** Words of a command that is to run when this one is done, in the background. */
  readonly background?: readonly string[];
}

export interface Call<A extends ArgumentDefinitions, O extends OptionDefinitions, P> {
  readonly face: Face;
  readonly arguments: ArgumentValues<A>;
  readonly options: OptionValues<O>;
  readonly ops: P;
}

export interface Command<A extends ArgumentDefinitions, O extends OptionDefinitions, P> extends CommandDefinition<
  A,
  O
> {
  /** The ops that it calls; a test puts recorded ones in their place. */
  readonly ops: P;
  run(call: Call<A, O, P>): Promise<Outcome>;
}

/** A call whose values the parser has checked against the definition. */
export interface AnyCall {
  readonly face: Face;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
  readonly ops: unknown;
}

/** A command in a list of commands. */
export interface AnyCommand extends CommandDefinition {
  readonly ops: Readonly<Record<string, unknown>>;
  run(call: AnyCall): Promise<Outcome>;
}

/** Returns the command as one of the list: the parser gives `run` the values that the definition declares. */
export function defineCommand<
  const A extends ArgumentDefinitions,
  const O extends OptionDefinitions,
  P extends Readonly<Record<string, unknown>>,
>(command: Command<A, O, P>): AnyCommand {
  return command;
}
