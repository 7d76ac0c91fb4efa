/** The program that brings back what was; `build.mjs` makes `dist/rewind.cjs` of it. */
import type { Foreseen } from '@savepoint/core';
import { REWINDS } from './commands/operation/rewinds.js';
import { allDoors } from './doors.js';
import { runProgram } from './face/run.js';
import { about } from './help/about.js';
import { endProcess, processTerminal } from './terminal/process-terminal.js';

export async function start(foreseen?: Foreseen): Promise<void> {
  const program = { commands: REWINDS, groups: [], doors: allDoors(foreseen), about };
  endProcess(await runProgram(program, processTerminal()));
}
