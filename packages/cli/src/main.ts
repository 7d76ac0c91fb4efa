/**
 * Starts Savepoint: looks at the words just enough to load one of five programs. `capture` runs in hooks after every turn
 * of an agent; what only looks at snapshots, what proves them, and what brings files back, is what people wait for: each has
 * a program of its own that holds nothing else. git begins its part before they are loaded.
 */
import type { Foreseen, foreseeCapture, foreseeLook } from '@savepoint/core';
import * as fs from 'node:fs';
import path from 'node:path';
import { loadProgram, type ProgramPart } from './terminal/load-program.js';
import {
  FILLER_WORDS,
  LOOKS_AT_MANY,
  LOOKS_AT_ONE,
  PROVES,
  READS_MORE,
  USUAL_LIMIT,
  verbPosition,
} from './arguments/verb.js';
import { VERSION } from './face/version.js';

/** What captures another directory; `-C` may stand among other short options. */
const DIRECTORY_OPTION = /^(?:--directory|-[A-Za-z]*C)/;

/** Verbs that capture before all else; they have a program of their own, too. */
const REWINDS = ['rewind', 'restore', 'undo', 'redo'];

/** What each program exports. */
interface Program {
  /** `foreseen` is what the start of this process began already. */
  start(foreseen?: Foreseen): Promise<void>;
}

interface Foresight {
  readonly foreseeCapture: typeof foreseeCapture;
  readonly foreseeLook: typeof foreseeLook;
}

// Until the program says how it ended, it has failed: a promise that is never kept must not look like success.
process.exitCode = 1;
const words = process.argv.slice(2);
if (words.length === 1 && /^(?:--version|-V)$/.test(words[0] ?? '') && wroteVersion()) process.exitCode = 0;
else begin(verbOf(words));

// Where nothing can be written, such as to a full disk, the whole program says so in its own words.
function wroteVersion(): boolean {
  try {
    fs.writeSync(1, `${VERSION}\n`);
    return true;
  } catch {
    return false;
  }
}

function begin(verb: string): void {
  const directory = words.some((word) => DIRECTORY_OPTION.test(word)) ? undefined : workingDirectory();
  const place = directory === undefined ? undefined : { directory, env: process.env };
  const beforeCapture = (): Foreseen | undefined => place && foresight('capture').foreseeCapture(place);
  const beforeLook = (newest: number): Foreseen | undefined =>
    place && foresight('look').foreseeLook({ ...place, newest });
  if (['capture', 'create'].includes(verb)) {
    load('capture.cjs', { part: 'capture', brief: false }, beforeCapture());
  } else if (LOOKS_AT_MANY.includes(verb) || LOOKS_AT_ONE.includes(verb)) {
    const newest = LOOKS_AT_MANY.includes(verb) ? limitOf(words) + 1 : 1;
    load('look.cjs', { part: verb, brief: true }, beforeLook(newest));
  } else if (verb === PROVES) {
    // To prove a file, nothing is read of the repository but what it says of keys.
    const isOfFile = words.some((word) => word !== verb && (word === '-' || fs.existsSync(word)));
    load('verify.cjs', { part: verb, brief: false }, isOfFile ? undefined : beforeLook(1));
  } else if (REWINDS.includes(verb)) {
    load('rewind.cjs', { part: verb, brief: true }, beforeCapture());
  } else {
    // Of the program with everything, what looks at a snapshot has compiled code of its own.
    const looks = READS_MORE.includes(verb);
    load('savepoint.cjs', { part: looks ? verb : 'rest', brief: false }, looks ? beforeLook(1) : undefined);
  }
}

// One that was removed under the shell has no path: the program says so.
function workingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

// By itself, because V8 takes longer to compile it than to take it from a cache: git begins the earlier.
function foresight(part: string): Foresight {
  return loadProgram(path.join(__dirname, 'foresight.cjs'), { part, brief: false }) as Foresight;
}

// What was begun goes on while the program is loaded.
function load(name: string, part: ProgramPart, foreseen?: Foreseen): void {
  void (loadProgram(path.join(__dirname, name), part) as Program).start(foreseen);
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
