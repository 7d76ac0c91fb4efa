import { expect, test } from 'vitest';
import { LOOKS_AT_MANY, LOOKS_AT_ONE, PROVES, READS_MORE, verbPosition } from '../../src/arguments/verb.js';
import { LOOKS } from '../../src/commands/read/looks.js';
import { COMMANDS } from '../../src/commands/registry.js';

const wordsOf = (commands: typeof LOOKS): readonly string[] =>
  commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);

test('the start knows every word of the program that looks, and no other', () => {
  expect([...LOOKS_AT_ONE, ...LOOKS_AT_MANY].sort()).toEqual([...wordsOf(LOOKS)].sort());
  expect(LOOKS.filter((command) => !COMMANDS.includes(command))).toEqual([]);
  expect([PROVES, ...READS_MORE].filter((word) => !wordsOf(COMMANDS).includes(word))).toEqual([]);
});

test('the verb is the first word that is neither an option nor its value', () => {
  expect(verbPosition(['--json', '-C', 'list', '--at', 'head', 'show'])).toBe(5);
  expect(verbPosition(['list', '--json'])).toBe(0);
});
