/** Runs one command line: words -> command -> outcome -> output and exit code. */
import {
  EXIT_CODES,
  asContextError,
  contextError,
  type ContextError,
  type History,
  type KeyRing,
  type OpenedHistory,
  type OpenedRepository,
  type SettingsFiles,
} from '@savepoint/core';
import path from 'node:path';
import type { GlobalValues, GroupDefinition } from '../arguments/definition.js';
import { findCommand } from '../arguments/find-command.js';
import { NO_COMMAND, parseWords, type ParsedWords } from '../arguments/parse.js';
import { progressLine } from '../terminal/progress.js';
import { wantsColours, wantsUnicode, type Terminal } from '../terminal/terminal.js';
import type { AnyCommand, Face, Outcome } from './command.js';
import { fileInput, fileOutput } from './bundle-files.js';
import { personAt } from './person.js';
import { printer, type Printer } from './printer.js';
import { makeStage } from './stage.js';

/** Where commands get what they work on. */
export interface Doors {
  /** Absent in a program whose commands only look. */
  readonly openRepository?: (place: Place) => Promise<OpenedRepository>;
  readonly openHistory: (place: Place) => Promise<OpenedHistory>;
  openKeys(place: Place): Promise<KeyRing>;
  openUserSettings(place: Place): SettingsFiles;
  /** Returns the bytes of a file that comes with the package. */
  shipped(name: string): Uint8Array;
}
export interface Place {
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

export interface Program {
  readonly commands: readonly AnyCommand[];
  readonly groups: readonly GroupDefinition[];
  readonly doors: Doors;
  /** Answers `--help`, `--version` and a line without a verb. */
  readonly about: (globals: GlobalValues, face: Face, command?: AnyCommand) => Outcome;
}

/** Resolves with the exit code; whatever happens, the output is written then. */
export async function runProgram(program: Program, terminal: Terminal): Promise<number> {
  let print = printer(terminal, { json: wantsJson(terminal.words), quiet: false, colours: true });
  const closing: (() => Promise<void>)[] = [];
  const close = (): Promise<unknown> => Promise.all(closing.splice(0).map((one) => one().catch(() => undefined)));
  let closed: Promise<unknown> | undefined;
  let aborted: AbortSignal | undefined;
  try {
    const { command, parsed } = read(program, terminal.words);
    const { globals } = parsed;
    print = printer(terminal, { json: globals.json, quiet: globals.quiet, colours: !globals['no-color'] });
    const face = makeFace({ program, terminal, globals, print, closing, onSignal: (signal) => (aborted = signal) });
    const outcome = await answer(program, face, { command, parsed });
    // git ends while this is written, unless what is written is still to be read.
    if (outcome.bytes === undefined) closed = close();
    face.progress.end();
    await print.outcome(outcome, face.layout).catch((error: unknown) => {
      throw outcome.changed === true ? untold(error) : error;
    });
    if (outcome.background !== undefined) terminal.background(outcome.background);
    return exitCodeOf(outcome);
  } catch (error) {
    const failure = aborted?.aborted === true ? interruptionOf(error) : asContextError(error);
    print.failure(failure);
    return EXIT_CODES[failure.kind];
  } finally {
    await Promise.all([closed, close()]);
  }
}

interface Reading {
  readonly command: AnyCommand | undefined;
  readonly parsed: ParsedWords;
}

function read({ commands, groups }: Program, words: readonly string[]): Reading {
  const found = findCommand(words, commands, groups);
  const command = found.kind === 'command' ? found.command : undefined;
  return { command, parsed: parseWords(command ?? NO_COMMAND, found.words) };
}

async function answer(program: Program, face: Face, { command, parsed }: Reading): Promise<Outcome> {
  const { globals } = parsed;
  if (command === undefined || globals.help || globals.version) return program.about(globals, face, command);
  return command.run({ face, arguments: parsed.arguments, options: parsed.options, ops: command.ops });
}

function untold(error: unknown): unknown {
  const { code, data } = asContextError(error);
  return code === 'output_unwritable' ? contextError('done_untold', { reason: String(data['reason']) }, error) : error;
}

function exitCodeOf({ exitCode, problems }: Outcome): number {
  const [problem] = problems ?? [];
  return exitCode ?? (problem === undefined ? 0 : EXIT_CODES[problem.kind]);
}

interface FaceParts {
  readonly program: Program;
  readonly terminal: Terminal;
  readonly globals: GlobalValues;
  readonly print: Printer;
  readonly closing: (() => Promise<void>)[];
  readonly onSignal: (signal: AbortSignal) => void;
}

function makeFace({ program, terminal, globals, print, closing, onSignal }: FaceParts): Face {
  // Whoever names a whole path may stand in a directory that is gone.
  const start = globals.directory.some((name) => path.isAbsolute(name)) ? [] : [terminal.directory];
  const directory = path.resolve(...start, ...globals.directory);
  const place: Place = { directory, env: terminal.environment, home: terminal.home };
  const { doors, commands, groups } = program;
  const { columns } = terminal.output;
  const mayShowProgress = !globals.json && !globals.quiet;
  let opened: Promise<OpenedRepository> | undefined;
  let looked: Promise<OpenedHistory> | undefined;
  const entered = async <T extends OpenedHistory>(door: ((place: Place) => Promise<T>) | undefined): Promise<T> => {
    if (door === undefined)
      throw contextError('invariant_broken', { reason: 'a program that only looks was to do more' });
    const result = await door(place);
    closing.push(() => result.repository.close());
    for (const warning of result.warnings) print.note(warning);
    return result;
  };
  const open = (): Promise<OpenedRepository> => (opened ??= entered(doors.openRepository));
  const look = (): Promise<OpenedHistory> => (looked ??= entered(doors.openHistory));
  const keysAlone = async (): Promise<{ keys: KeyRing }> => ({ keys: await doors.openKeys(place) });
  const progress = progressLine(mayShowProgress ? terminal.errors : { columns: undefined, write: () => true });
  return {
    globals,
    directory,
    commands,
    groups,
    progress,
    person: () => (globals.json ? undefined : personAt({ terminal, print, progress })),
    layout: { unicode: wantsUnicode(terminal), ...(columns === undefined ? {} : { width: columns }) },
    open,
    look,
    openKeys: () => elsewhere(open().then(keysOf), keysAlone),
    lookAtKeys: () => elsewhere(look().then(keysOf), keysAlone),
    openSettings: () => elsewhere(open().then(settingsOf), async () => doors.openUserSettings(place)),
    read: (file) => readNamedFile(terminal, file === '-' ? file : path.resolve(directory, file), file),
    input: (file) => fileInput({ terminal, directory }, file),
    isFile: (file) => terminal.isFile(path.resolve(directory, file)),
    output: (file) => fileOutput({ terminal, directory }, file),
    shell: (command) => terminal.shell(command, directory),
    interruption: () => {
      const controller = new AbortController();
      terminal.onInterrupt(() => controller.abort());
      onSignal(controller.signal);
      return controller.signal;
    },
    saveMemory: () => {
      terminal.saveMemory();
    },
    stage: makeStage({
      terminal,
      colours: !globals['no-color'] && wantsColours(terminal, terminal.output),
      columns: globals.json ? undefined : columns,
      shipped: (name) => doors.shipped(name),
      run: (inner) => runProgram(program, inner),
    }),
  };
}

function keysOf<R extends History>({ repository }: { readonly repository: R }): { keys: KeyRing; repository: R } {
  return { keys: repository.keys, repository };
}

function settingsOf({ settingsFiles }: OpenedRepository): SettingsFiles {
  return settingsFiles;
}

/** What belongs to the user also works outside a repository. */
async function elsewhere<T>(inside: Promise<T>, outside: () => Promise<T>): Promise<T> {
  try {
    return await inside;
  } catch (error) {
    const { kind, code } = asContextError(error);
    if (kind === 'no_repository' || code === 'unsafe_directory') return outside();
    throw error;
  }
}

function readNamedFile(terminal: Terminal, file: string, name: string): Uint8Array {
  try {
    return terminal.read(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw contextError('file_not_found', { path: name, reason }, error);
  }
}

// Whatever an aborted capture stumbled over, the user's wish is the cause: git dies of the same key press.
function interruptionOf(error: unknown): ContextError {
  const failure = asContextError(error);
  return failure.kind === 'interrupted' ? failure : contextError('interrupted', {}, error);
}

function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end < 0 ? words.length : end).includes('--json');
}
