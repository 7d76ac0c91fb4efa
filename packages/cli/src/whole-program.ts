/** The program with every command; `build.mjs` makes `dist/savepoint.cjs` of it. */
import { COMMANDS, GROUPS } from './commands/registry.js';
import { DOORS } from './doors.js';
import { runProgram } from './face/run.js';
import { about } from './help/about.js';
import { endProcess, processTerminal } from './terminal/process-terminal.js';

export async function start(): Promise<void> {
  endProcess(await runProgram({ commands: COMMANDS, groups: GROUPS, doors: DOORS, about }, processTerminal()));
}
