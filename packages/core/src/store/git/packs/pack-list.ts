/**
 * The packs that Savepoint added, `<git common dir>/savepoint/packs`: only these are ever merged or removed. A line for
 * each event, appended in one write: `+name` added, `=name` its objects are in a merged pack too, `-name` removed.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { overDirectory, replaceFile, writeFailure } from '../system/durable.js';

export interface PackList {
  /** Added and not superfluous. */
  readonly present: ReadonlySet<string>;
  readonly superfluous: ReadonlySet<string>;
  readonly lines: number;
}

/** A name as git gives it; nothing else is ever believed of the file. */
const PACK = /^pack-[0-9a-f]{40}(?:[0-9a-f]{24})?\.pack$/;
const LONGEST = 250;

export function readPackList(file: string): PackList {
  const present = new Set<string>();
  const superfluous = new Set<string>();
  const lines = readLines(file);
  for (const line of lines) {
    const name = line.slice(1);
    if (!PACK.test(name)) continue;
    present.delete(name);
    superfluous.delete(name);
    if (line.startsWith('+')) present.add(name);
    else if (line.startsWith('=')) superfluous.add(name);
  }
  return { present, superfluous, lines: lines.length };
}

/** Counts the events of each kind without looking at the names. */
export function countEvents(file: string): {
  readonly added: number;
  readonly merged: number;
  readonly removed: number;
} {
  const first = readLines(file).map((line) => line.charAt(0));
  const count = (event: string): number => first.filter((one) => one === event).length;
  return { added: count('+'), merged: count('='), removed: count('-') };
}

export function notePacks(file: string, event: '+' | '=' | '-', names: Iterable<string>): void {
  const lines = [...names].map((name) => `${event}${name}\n`).join('');
  if (lines === '') return;
  try {
    overDirectory(file, () => {
      appendFileSync(file, lines);
    });
  } catch (error) {
    throw writeFailure(file, error);
  }
}

/** Shortens the file. A line that is appended meanwhile may be lost: that pack is then left to the user's own gc. */
export function tidyPackList(file: string, { present, superfluous, lines }: PackList): void {
  if (lines <= LONGEST) return;
  const kept = [...[...present].map((name) => `+${name}\n`), ...[...superfluous].map((name) => `=${name}\n`)];
  replaceFile(file, Buffer.from(kept.join('')), { temporary: `${file}.${String(process.pid)}.tmp`, durable: false });
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'latin1').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
