/** Turns words into the values that a command declared. */
import { contextError } from '@savepoint/core';
import {
  GLOBAL_OPTIONS,
  type ArgumentDefinition,
  type CommandDefinition,
  type GlobalValues,
  type OptionDefinition,
  type OptionDefinitions,
} from './definition.js';
import { suggestions } from './suggest.js';
import { tokensOf, type OptionToken } from './tokens.js';

export interface ParsedWords {
  readonly arguments: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly options: Readonly<Record<string, string | readonly string[] | boolean | undefined>>;
  readonly globals: GlobalValues;
}

/** A line without a verb has the global options only. */
export const NO_COMMAND: CommandDefinition = { name: '', summary: '', arguments: {}, options: {}, examples: [] };

type Values = Record<string, string | string[] | boolean | undefined>;

/**
 * Returns the values of a command line without its verb.
 * @throws unknown_option, argument_missing, argument_unexpected, argument_malformed
 */
export function parseWords(definition: CommandDefinition, words: readonly string[]): ParsedWords {
  const known: OptionDefinitions = { ...GLOBAL_OPTIONS, ...definition.options };
  const values: Values = Object.fromEntries(Object.entries(known).map(([name, option]) => [name, emptyValue(option)]));
  const plain: string[] = [];
  const dashed: string[] = [];
  for (const token of tokensOf(words, known)) {
    if (token.kind === 'option') setOption({ values, known, command: commandTitle(definition) }, token);
    else (token.kind === 'plain' ? plain : dashed).push(token.value);
  }
  const globals = pick(values, Object.keys(GLOBAL_OPTIONS)) as unknown as GlobalValues;
  // `VERB --help` must not complain about what is missing.
  const parsed = globals.help || globals.version ? {} : fillArguments(definition, plain, dashed);
  return { arguments: parsed, options: pick(values, Object.keys(definition.options)), globals };
}

/** Returns how messages and hints name the command; a line without a verb asks for help. */
export function commandTitle({ name }: CommandDefinition): string {
  return name === '' ? 'help' : name;
}

interface OptionTarget {
  readonly values: Values;
  readonly known: OptionDefinitions;
  readonly command: string;
}

function setOption({ values, known, command }: OptionTarget, { name, rawName, value }: OptionToken): void {
  const option = Object.hasOwn(known, name) ? known[name] : undefined;
  if (option === undefined) throw unknownOption(command, rawName, known);
  if (option.value === undefined) {
    if (value !== undefined) {
      throw contextError('argument_malformed', {
        value,
        argument: rawName,
        reason: 'it is a switch and takes no value',
      });
    }
    values[name] = true;
    return;
  }
  if (value === undefined) {
    throw contextError('argument_missing', { command, argument: `a value ${option.value} for ${rawName}` });
  }
  const before = values[name];
  if (option.repeated === true) values[name] = [...(Array.isArray(before) ? before : []), value];
  else values[name] = value;
}

function unknownOption(command: string, option: string, known: OptionDefinitions): Error {
  const long = Object.keys(known);
  const near = option.startsWith('--') ? suggestions(option.slice(2), long).map((name) => `--${name}`) : [];
  return contextError('unknown_option', { command, option, ...(near.length === 0 ? {} : { suggestions: near }) });
}

function fillArguments(
  definition: CommandDefinition,
  plain: readonly string[],
  dashed: readonly string[],
): Record<string, string | readonly string[] | undefined> {
  const entries = Object.entries(definition.arguments);
  const left = entries.some(([, argument]) => argument.afterDashes === true) ? [...plain] : [...plain, ...dashed];
  const filled = entries.map(
    ([name, argument]) => [name, takeArgument(definition, argument, { left, dashed })] as const,
  );
  const [extra] = left;
  if (extra !== undefined) {
    throw contextError('argument_unexpected', { command: commandTitle(definition), argument: extra });
  }
  return Object.fromEntries(filled);
}

function takeArgument(
  definition: CommandDefinition,
  argument: ArgumentDefinition,
  { left, dashed }: { readonly left: string[]; readonly dashed: readonly string[] },
): string | readonly string[] | undefined {
  if (argument.repeated === true) {
    return [...left.splice(0), ...(argument.afterDashes === true ? dashed : [])];
  }
  const value = left.shift();
  if (value === undefined && argument.optional !== true) {
    const { label, choices } = argument;
    const wanted = choices === undefined ? label : `${label} (${choices.join(', ')})`;
    throw contextError('argument_missing', { command: commandTitle(definition), argument: wanted });
  }
  if (value !== undefined && argument.choices?.includes(value) === false) {
    const reason = `it is not one of ${argument.choices.join(', ')}`;
    throw contextError('argument_malformed', { value, argument: argument.label, reason });
  }
  return value;
}

function emptyValue({ value, repeated }: OptionDefinition): string[] | boolean | undefined {
  if (value === undefined) return false;
  return repeated === true ? [] : undefined;
}

function pick(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}
