/** The program that only looks at snapshots; `build.mjs` makes `dist/look.cjs` of it. */
import type { Foreseen } from '@savepoint/core';
import { LOOKS } from './commands/read/looks.js';
import { lookDoors } from './doors.js';
import { runProgram } from './face/run.js';
import { about } from './help/about.js';
import { endProcess, processTerminal } from './terminal/process-terminal.js';

export async function start(foreseen?: Foreseen): Promise<void> {
  const program = { commands: LOOKS, groups: [], doors: lookDoors(foreseen), about };
  endProcess(await runProgram(program, processTerminal()));
}
