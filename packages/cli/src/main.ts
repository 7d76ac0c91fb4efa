/**
 * Starts Savepoint: looks at the words just enough to load one of two programs. `capture` runs in hooks after every turn
 * of an agent, so it has a program of its own that holds nothing else.
 */
import path from 'node:path';
import { foreseeCapture } from '@savepoint/core';
import { loadProgram, type Program } from './terminal/load-program.js';
import { FILLER_WORDS, verbPosition } from './arguments/verb.js';
import { VERSION } from './face/version.js';

/** What captures another directory; `-C` may stand among other short options. */
const DIRECTORY_OPTION = /^(?:--directory|-[A-Za-z]*C)/;

// Until the program says how it ended, it has failed: a promise that is never kept must not look like success.
process.exitCode = 1;
const words = process.argv.slice(2);
if (words.length === 1 && /^(?:--version|-V)$/.test(words[0] ?? '')) {
  process.stdout.write(`${VERSION}\n`);
  process.exitCode = 0;
} else if (isCapture(words)) {
  const foreseen = words.some((word) => DIRECTORY_OPTION.test(word)) ? undefined : foreseeCapture(here());
  void load('capture.cjs').start(foreseen);
} else void load('savepoint.cjs').start();

function load(name: string): Program {
  return loadProgram(path.join(__dirname, name));
}

function here(): { readonly directory: string; readonly env: NodeJS.ProcessEnv } {
  return { directory: process.cwd(), env: process.env };
}

// Errs on the side of the whole program, which knows every command, `capture` too.
function isCapture(line: readonly string[]): boolean {
  if (line.some((word) => /^(?:--help|--version|-[A-Za-z]*[hV].*)$/.test(word))) return false;
  const at = verbPosition(line);
  const verb = FILLER_WORDS.includes(line[at] ?? '') ? line[at + 1] : line[at];
  return verb === 'capture' || verb === 'create';
}
