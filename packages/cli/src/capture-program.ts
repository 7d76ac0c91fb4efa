/** The program that only captures; `build.mjs` makes `dist/capture.cjs` of it. */
import { captureCommand } from './commands/capture.js';
import { DOORS } from './doors.js';
import { runProgram } from './face/run.js';
import { about } from './help/about.js';
import { endProcess, processTerminal } from './terminal/process-terminal.js';

export async function start(): Promise<void> {
  endProcess(await runProgram({ commands: [captureCommand], groups: [], doors: DOORS, about }, processTerminal()));
}
