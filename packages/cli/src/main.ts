/**
 * Starts Savepoint: looks at the words just enough to load one of three programs. `capture` runs in hooks after every turn
 * of an agent, and what only reads is what people wait for: each has a program of its own that holds nothing else. git begins
 * its part before they are loaded.
 */
import path from 'node:path';
import { foreseeCapture, foreseeLook, type Foreseen } from '@savepoint/core';
import { loadProgram } from './terminal/load-program.js';
import { FILLER_WORDS, READS_MANY, READS_ONE, verbPosition } from './arguments/verb.js';
import { VERSION } from './face/version.js';

/** What captures another directory; `-C` may stand among other short options. */
const DIRECTORY_OPTION = /^(?:--directory|-[A-Za-z]*C)/;

/** Of the program with everything, what has compiled code of its own, and captures before all else. */
const OFTEN_WAITED_FOR = ['rewind', 'restore', 'undo', 'redo'];

/** So many are listed without an option that says so. */
const USUAL_LIMIT = 50;

// Until the program says how it ended, it has failed: a promise that is never kept must not look like success.
process.exitCode = 1;
const words = process.argv.slice(2);
if (words.length === 1 && /^(?:--version|-V)$/.test(words[0] ?? '')) {
  process.stdout.write(`${VERSION}\n`);
  process.exitCode = 0;
} else begin(verbOf(words));

function begin(verb: string): void {
  const isHere = !words.some((word) => DIRECTORY_OPTION.test(word));
  const place = { directory: process.cwd(), env: process.env };
  if (['capture', 'create'].includes(verb)) {
    void load('capture.cjs', '', isHere ? foreseeCapture(place) : undefined);
  } else if (READS_ONE.includes(verb) || READS_MANY.includes(verb)) {
    const newest = READS_ONE.includes(verb) ? 1 : limitOf(words) + 1;
    void load('look.cjs', verb, isHere ? foreseeLook({ ...place, newest }) : undefined);
  } else if (OFTEN_WAITED_FOR.includes(verb)) {
    void load('savepoint.cjs', verb, isHere ? foreseeCapture(place) : undefined);
  } else void load('savepoint.cjs', '');
}

// What was begun goes on while the program is loaded.
function load(name: string, part: string, foreseen?: Foreseen): Promise<void> {
  return loadProgram(path.join(__dirname, name), part).start(foreseen);
}

// Errs on the side of the whole program, which knows every command.
function verbOf(line: readonly string[]): string {
  if (line.some((word) => /^(?:--help|--version|-[A-Za-z]*[hV].*)$/.test(word))) return '';
  const at = verbPosition(line);
  return (FILLER_WORDS.includes(line[at] ?? '') ? line[at + 1] : line[at]) ?? '';
}

// A guess is enough.
function limitOf(line: readonly string[]): number {
  const [, limit = USUAL_LIMIT] = /(?:^| )(?:--limit[= ]|-n ?)(\d+)/.exec(line.join(' ')) ?? [];
  return Math.min(Number(limit), USUAL_LIMIT);
}
