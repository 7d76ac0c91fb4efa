/** Finds the command that a command line names, wherever the global options stand. */
import { contextError } from '@savepoint/core';
import type { CommandDefinition, GroupDefinition } from './definition.js';
import { suggestions } from './suggest.js';
import { FILLER_WORDS, verbPosition } from './verb.js';

export type Found<C> =
  | { readonly kind: 'command'; readonly command: C; readonly words: readonly string[] }
  /** No verb: help, or the version. */
  | { readonly kind: 'none'; readonly words: readonly string[] };

/**
 * Returns the command and the words that are left for its parser.
 * @throws unknown_command with `suggestions` in its data
 */
export function findCommand<C extends CommandDefinition>(
  words: readonly string[],
  commands: readonly C[],
  groups: readonly GroupDefinition[],
): Found<C> {
  let rest = words;
  let at = verbPosition(rest);
  if (FILLER_WORDS.includes(rest[at] ?? '')) {
    rest = without(rest, at);
    at = verbPosition(rest);
  }
  const verb = rest[at];
  if (verb === undefined) return { kind: 'none', words: rest };
  rest = without(rest, at);
  const group = groups.find(({ name }) => name === verb);
  if (group !== undefined) return memberOf(group, rest, commands);
  const command = commands.find((candidate) => candidate.name === verb || candidate.aliases?.includes(verb) === true);
  if (command === undefined) throw unknownCommand(verb, topWords(commands, groups));
  return { kind: 'command', command, words: rest };
}

/** Returns every word that may come first. */
export function topWords(
  commands: readonly CommandDefinition[],
  groups: readonly GroupDefinition[],
): readonly string[] {
  const verbs = commands.filter(({ name }) => !name.includes(' '));
  return [...verbs.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]), ...groups.map(({ name }) => name)];
}

function memberOf<C extends CommandDefinition>(
  group: GroupDefinition,
  words: readonly string[],
  commands: readonly C[],
): Found<C> {
  const members = commands.filter(({ name }) => name.startsWith(`${group.name} `));
  const at = verbPosition(words);
  const word = words[at];
  const wanted = word === undefined ? group.standsFor : `${group.name} ${word}`;
  const command = members.find(({ name }) => name === wanted);
  if (command === undefined) {
    const known = members.map(({ name }) => name.slice(group.name.length + 1));
    throw unknownCommand(`${group.name} ${word ?? ''}`, known, { typed: word ?? '', prefix: `${group.name} ` });
  }
  return { kind: 'command', command, words: word === undefined ? words : without(words, at) };
}

function unknownCommand(
  command: string,
  known: readonly string[],
  within: { readonly typed: string; readonly prefix: string } = { typed: command, prefix: '' },
): Error {
  const near = suggestions(within.typed, known).map((word) => within.prefix + word);
  return contextError('unknown_command', { command, ...(near.length === 0 ? {} : { suggestions: near }) });
}

function without(words: readonly string[], at: number): readonly string[] {
  return [...words.slice(0, at), ...words.slice(at + 1)];
}
