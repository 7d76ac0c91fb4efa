/** The program that only reads; `build.mjs` makes `dist/look.cjs` of it. */
import type { Foreseen } from '@savepoint/core';
import { READING } from './commands/read/read-commands.js';
import { foreseeing } from './doors.js';
import { runProgram } from './face/run.js';
import { about } from './help/about.js';
import { endProcess, processTerminal } from './terminal/process-terminal.js';

export async function start(foreseen?: Foreseen): Promise<void> {
  const program = { commands: READING, groups: [], doors: foreseeing(foreseen), about };
  endProcess(await runProgram(program, processTerminal()));
}
