import { expect, test } from 'vitest';
import { READS_MANY, READS_ONE, verbPosition } from '../../src/arguments/verb.js';
import { READING } from '../../src/commands/read/read-commands.js';
import { COMMANDS } from '../../src/commands/registry.js';

const wordsOf = (commands: typeof READING): readonly string[] =>
  commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);

test('the start knows every word of the program that reads, and no other', () => {
  expect([...READS_ONE, ...READS_MANY].sort()).toEqual([...wordsOf(READING)].sort());
  expect(READING.filter((command) => !COMMANDS.includes(command))).toEqual([]);
});

test('the verb is the first word that is neither an option nor its value', () => {
  expect(verbPosition(['--json', '-C', 'list', '--at', 'head', 'show'])).toBe(5);
  expect(verbPosition(['list', '--json'])).toBe(0);
});
