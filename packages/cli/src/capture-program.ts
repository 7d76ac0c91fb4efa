/** The program that only captures; `build.mjs` makes `dist/capture.cjs` of it. */
import type { Foreseen } from '@savepoint/core';
import { captureCommand } from './commands/capture.js';
import { DOORS } from './doors.js';
import { runProgram, type Doors } from './face/run.js';
import { about } from './help/about.js';
import { endProcess, processTerminal } from './terminal/process-terminal.js';

export async function start(foreseen?: Foreseen): Promise<void> {
  const openRepository: Doors['openRepository'] = (place) =>
    DOORS.openRepository({ ...place, ...(foreseen && { foreseen }) });
  const doors = { ...DOORS, openRepository };
  endProcess(await runProgram({ commands: [captureCommand], groups: [], doors, about }, processTerminal()));
}
