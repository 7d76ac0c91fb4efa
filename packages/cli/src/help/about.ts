/** Answers about Savepoint itself: the overview, help for one command or group, the version. */
import {
  GLOBAL_OPTIONS,
  type CommandDefinition,
  type GlobalValues,
  type GroupDefinition,
} from '../arguments/definition.js';
import type { AnyCommand, Face, Outcome } from '../face/command.js';
import { VERSION } from '../face/version.js';
import { styled, type Line } from '../terminal/line.js';
import { optionUsage, usageOf } from './usage.js';

type Known = Pick<Face, 'commands' | 'groups'>;

/** Returns the answer to `--version`, `--help` or a line without a verb. */
export function about({ version }: GlobalValues, face: Known, command?: AnyCommand): Outcome {
  if (version) return { data: { version: VERSION }, lines: () => [VERSION] };
  return command === undefined ? overviewOutcome(face) : commandOutcome(command);
}

export function overviewOutcome({ commands, groups }: Known): Outcome {
  const verbs = commands.filter(({ name }) => !name.includes(' '));
  return {
    data: { version: VERSION, commands: commands.map(describe), options: GLOBAL_OPTIONS },
    lines: () => [
      'Savepoint records what an AI coding agent saw and did, with every byte of the worktree,',
      'in your own git repository; signed, offline, and without touching anything of yours.',
      '',
      [styled('heading', 'Usage'), '  savepoint [-C DIR] [--json] VERB [options]'],
      '',
      styled('heading', 'Verbs'),
      ...aligned([...verbs, ...groups].map(({ name, summary }) => [name, summary])),
      '',
      styled('heading', 'Options of every verb'),
      ...optionLines(GLOBAL_OPTIONS),
      '',
      '`savepoint demo` shows it at work. Start with `savepoint capture`.',
      '`savepoint help VERB` tells more about one.',
    ],
  };
}

export function groupOutcome(group: GroupDefinition, commands: readonly AnyCommand[]): Outcome {
  const members = commands.filter(({ name }) => name.startsWith(`${group.name} `));
  return {
    data: { group: group.name, commands: members.map(describe) },
    lines: () => [
      [styled('bold', `savepoint ${group.name}`), `: ${group.summary}`],
      '',
      ...aligned(members.map((member) => [usageOf(member), member.summary])),
      '',
      `\`savepoint ${group.name}\` alone is \`savepoint ${group.standsFor}\`.`,
    ],
  };
}

export function commandOutcome(command: AnyCommand): Outcome {
  return { data: describe(command), lines: () => commandLines(command) };
}

function commandLines(command: CommandDefinition): readonly Line[] {
  const { name, aliases = [], summary, details = [], arguments: words, options, examples, exitCodes = {} } = command;
  return [
    [styled('bold', `savepoint ${name}`), ` ${summary}`],
    '',
    [styled('heading', 'Usage'), `  ${usageOf(command)}`],
    ...(aliases.length === 0 ? [] : [[styled('heading', 'Also'), `   ${aliases.join(', ')}`] as const]),
    ...details.flatMap((sentences) => ['', ...wrapped(sentences)]),
    ...section('Arguments', aligned(Object.values(words).map(({ label, summary: text }) => [label, text]))),
    ...section('Options', optionLines(options)),
    ...section('Options of every verb', optionLines(GLOBAL_OPTIONS)),
    ...section('Examples', aligned(examples.map(({ command: line, does }) => [line, does]))),
    ...section('Exit codes', aligned(Object.entries(exitCodes))),
  ];
}

function section(title: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : ['', styled('heading', title), ...lines];
}

function optionLines(options: CommandDefinition['options']): readonly Line[] {
  return aligned(Object.entries(options).map(([name, option]) => [optionUsage(name, option), option.summary]));
}

function aligned(rows: readonly (readonly [string, string])[]): readonly Line[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => ['  ', styled('bold', left.padEnd(width)), `  ${right}`]);
}

function wrapped(text: string): readonly string[] {
  return text.match(/.{1,90}(?:\s|$)/g)?.map((line) => line.trimEnd()) ?? [];
}

/** The definition without what only the program needs. */
function describe(command: CommandDefinition): object {
  const { name, aliases = [], summary, details = [], arguments: words, options, examples, exitCodes = {} } = command;
  return { name, aliases, usage: usageOf(command), summary, details, arguments: words, options, examples, exitCodes };
}
