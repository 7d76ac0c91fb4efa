/**
 * Starts Savepoint: looks at the words just enough to load one of two programs. `capture` runs in hooks after every turn
 * of an agent, so it has a program of its own that holds nothing else.
 */
import path from 'node:path';
import { loadProgram } from './terminal/load-program.js';
import { FILLER_WORDS, verbPosition } from './arguments/verb.js';
import { VERSION } from './face/version.js';

// Until the program says how it ended, it has failed: a promise that is never kept must not look like success.
process.exitCode = 1;
const words = process.argv.slice(2);
if (words.length === 1 && /^(?:--version|-V)$/.test(words[0] ?? '')) {
  process.stdout.write(`${VERSION}\n`);
  process.exitCode = 0;
} else void loadProgram(path.join(__dirname, isCapture(words) ? 'capture.cjs' : 'savepoint.cjs')).start();

// Errs on the side of the whole program, which knows every command, `capture` too.
function isCapture(line: readonly string[]): boolean {
  if (line.some((word) => /^(?:--help|--version|-[A-Za-z]*[hV].*)$/.test(word))) return false;
  const at = verbPosition(line);
  const verb = FILLER_WORDS.includes(line[at] ?? '') ? line[at + 1] : line[at];
  return verb === 'capture' || verb === 'create';
}
