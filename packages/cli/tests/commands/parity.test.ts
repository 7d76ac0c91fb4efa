/** Every op that the door of the core offers has a command, or a reason why not. */
import * as fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/commands/registry.js';

const DOOR = fileURLToPath(new URL('../../../core/src/index.ts', import.meta.url));
const WITHOUT_COMMAND: Readonly<Record<string, string>> = {};

function opsOfTheDoor(): readonly string[] {
  const exports = fs.readFileSync(DOOR, 'utf8').matchAll(/^export \{([^}]+)\} from '\.\/ops\//gm);
  return [...exports]
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
    .filter((name) => name !== '');
}

test('every op has a command', () => {
  const ops = opsOfTheDoor();
  const called = COMMANDS.flatMap((command) => Object.keys(command.ops));
  expect(ops).toContain('capture');
  expect(ops.filter((op) => !called.includes(op) && WITHOUT_COMMAND[op] === undefined)).toEqual([]);
});

test('every command calls ops of the door only', () => {
  const ops = opsOfTheDoor();
  expect(COMMANDS.flatMap((command) => Object.keys(command.ops)).filter((op) => !ops.includes(op))).toEqual([]);
});

test('no two commands answer to the same word', () => {
  const words = COMMANDS.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]);
  expect(new Set(words).size).toBe(words.length);
});
