/** The program that proves snapshots and files; `build.mjs` makes `dist/verify.cjs` of it. */
import type { Foreseen } from '@savepoint/core';
import { verifyCommand } from './commands/read/verify.js';
import { lookDoors } from './doors.js';
import { runProgram } from './face/run.js';
import { about } from './help/about.js';
import { endProcess, processTerminal } from './terminal/process-terminal.js';

export async function start(foreseen?: Foreseen): Promise<void> {
  const program = { commands: [verifyCommand], groups: [], doors: lookDoors(foreseen), about };
  endProcess(await runProgram(program, processTerminal()));
}
