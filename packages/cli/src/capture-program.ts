/** The program that only captures; `build.mjs` makes `dist/capture.cjs` of it. */
import type { Foreseen } from '@savepoint/core';
import { captureCommand } from './commands/capture.js';
import { allDoors } from './doors.js';
import { runProgram } from './face/run.js';
import { about } from './help/about.js';
import { endProcess, processTerminal } from './terminal/process-terminal.js';

export async function start(foreseen?: Foreseen): Promise<void> {
  const program = { commands: [captureCommand], groups: [], doors: allDoors(foreseen), about };
  endProcess(await runProgram(program, processTerminal()));
}
