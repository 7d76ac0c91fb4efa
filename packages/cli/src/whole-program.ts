/** The program with every command; `build.mjs` makes `dist/savepoint.cjs` of it. */
import type { Foreseen } from '@savepoint/core';
import { COMMANDS, GROUPS } from './commands/registry.js';
import { allDoors } from './doors.js';
import { runProgram } from './face/run.js';
import { about } from './help/about.js';
import { endProcess, processTerminal } from './terminal/process-terminal.js';

export async function start(foreseen?: Foreseen): Promise<void> {
  const program = { commands: COMMANDS, groups: GROUPS, doors: allDoors(foreseen), about };
  endProcess(await runProgram(program, processTerminal()));
}
