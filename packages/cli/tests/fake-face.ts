/** A terminal and a repository that only record, so that a command line can be tried without a process or a disk. */
import type { KeyRing, OpenedRepository, Repository, SettingsFiles } from '@savepoint/core';
import { GROUPS, COMMANDS } from '../src/commands/registry.js';
import type { AnyCommand } from '../src/face/command.js';
import { runProgram, type Doors, type Place } from '../src/face/run.js';
import { about } from '../src/help/about.js';
import { renderLine, type Line } from '../src/terminal/line.js';
import type { Output, Terminal } from '../src/terminal/terminal.js';

/** 2026-11-21T12:00:00.000Z */
export const NOW = 1_795_262_400_000;
export const ROOT = '/project';

export const FAKE_KEYS = {
  location: '/home/ada/.config/savepoint/keys',
  problem: () => 'the key file is empty',
} as unknown as KeyRing;
export const FAKE_SETTINGS = { path: () => undefined } as unknown as SettingsFiles;

export const FAKE_REMOTES = { mirrorRemotes: async () => [] };

export interface Recorded {
  readonly op: string;
  readonly request: Readonly<Record<string, unknown>>;
}

export interface Setup {
  readonly words: readonly string[];
  /** What each op answers: a value, or a function that may throw. */
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Lines that a person types; without them nobody sits there. */
  readonly typed?: readonly string[];
  readonly warnings?: readonly string[];
  /** Thrown when the repository is opened. */
  readonly refusal?: Error;
  readonly commands?: readonly AnyCommand[];
}

export interface Ran {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
  readonly calls: readonly Recorded[];
  readonly places: readonly Place[];
  readonly closed: number;
}

export const FAKE_REPOSITORY = {
  clock: { now: () => NOW },
  worktree: { root: ROOT },
  maintenance: { isDue: () => false, run: async () => ({ merged: 0, removed: 0, waiting: 0 }) },
  keys: FAKE_KEYS,
} as unknown as Repository;

/** Runs a command line against recorded ops. */
export async function run(setup: Setup): Promise<Ran> {
  const calls: Recorded[] = [];
  const places: Place[] = [];
  let closed = 0;
  const repository = { ...FAKE_REPOSITORY, close: async () => void closed++ } as unknown as Repository;
  const opened: OpenedRepository = {
    repository,
    hooks: FAKE_HOOKS,
    remotes: FAKE_REMOTES,
    settingsFiles: FAKE_SETTINGS,
    warnings: setup.warnings ?? [],
  };
  const open = async (place: Place): Promise<OpenedRepository> => {
    places.push(place);
    if (setup.refusal !== undefined) throw setup.refusal;
    return opened;
  };
  const doors: Doors = {
    openRepository: open,
    openHistory: open,
    openKeys: async () => FAKE_KEYS,
    openUserSettings: () => FAKE_SETTINGS,
    shipped: () => new Uint8Array(),
  };
  const commands = (setup.commands ?? COMMANDS).map((command) => recording(command, setup.answers ?? {}, calls));
  const { terminal, written } = fakeTerminal(setup);
  const exitCode = await runProgram({ commands, groups: GROUPS, doors, about }, terminal);
  return { exitCode, out: written.out, err: written.err, calls, places, closed };
}

export const FAKE_HOOKS = { install: undefined } as unknown as OpenedRepository['hooks'];

function recording(command: AnyCommand, answers: Readonly<Record<string, unknown>>, calls: Recorded[]): AnyCommand {
  const ops = Object.fromEntries(
    Object.keys(command.ops).map((op) => [
      op,
      async (request: Readonly<Record<string, unknown>>): Promise<unknown> => {
        calls.push({ op, request });
        const answer = answers[op];
        return typeof answer === 'function' ? (answer as (asked: unknown) => unknown)(request) : answer;
      },
    ]),
  );
  return { ...command, ops };
}

function fakeTerminal({ words, directory, environment, columns, files, typed }: Setup): {
  terminal: Terminal;
  written: { out: string; err: string };
} {
  const written = { out: '', err: '' };
  const left = [...(typed ?? [])];
  const output = (name: 'out' | 'err'): Output => ({
    columns,
    write: (data) => {
      written[name] += typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
      return true;
    },
  });
  const terminal: Terminal = {
    self: { node: '/usr/bin/node', program: '/usr/bin/savepoint' },
    words,
    directory: directory ?? ROOT,
    environment: { LANG: 'C.UTF-8', ...environment },
    home: '/home/ada',
    input: { isTerminal: typed !== undefined, readLine: () => left.shift() },
    output: output('out'),
    errors: output('err'),
    read: (file) => {
      const content = files?.[file];
      if (content === undefined) throw new Error(`ENOENT: ${file}`);
      return Buffer.from(content);
    },
    stream: async function* (file) {
      yield terminal.read(file);
    },
    isFile: (file) => files?.[file] !== undefined,
    create: () => ({ write: () => undefined, finish: () => undefined, discard: () => undefined }),
    onInterrupt: () => undefined,
    background: () => undefined,
    shell: (command, from) => ({
      output: Buffer.from(`${command} in ${from}`),
      status: 'ok',
      exitCode: 0,
      milliseconds: 7,
    }),
    saveMemory: () => undefined,
  };
  return { terminal, written };
}

/** Returns a view as it stands in a pipe. */
export function screen(lines: readonly Line[]): string {
  return `\n${lines.map((line) => renderLine(line, false)).join('\n')}\n`;
}
