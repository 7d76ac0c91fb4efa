/**
 * Starts the git process that objects are read through, and asks it for the first ones; also before the program is loaded
 * that reads them: git works on another core meanwhile. What it brings is known by the ids that git names, so a wrong guess
 * of what will be read costs time and nothing else.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { GitPlace } from '../system/process.js';
import { askTogether, namesAsked, startReading, type AskedTogether } from './read-ahead.js';

/** A process that was asked for objects before anybody was there to read them. */
export type EarlyReader = StayingReader | EndingReader;

/** It takes more questions. */
interface StayingReader {
  readonly stays: true;
  readonly child: ChildProcessWithoutNullStreams;
  /** So many names it was asked for. */
  readonly asked: number;
  /** False where git could not be started or has ended. */
  readonly isAlive: () => boolean;
}

/** It answers all at once and ends. */
interface EndingReader extends AskedTogether {
  readonly stays: false;
}

/** A process that is asked for so many objects is not asked for more: it writes them in large pieces then. */
const MANY = 16;

/** Starts git and asks for these names: ids, or an id with a path. `folder` is one of our own. @throws system_failed */
export function startEarly(place: GitPlace, names: readonly string[], folder: string): EarlyReader {
  if (names.length >= MANY) return { stays: false, ...askTogether(place, names, folder) };
  const child = startReading(place, '--batch');
  let alive = true;
  const end = (): void => {
    alive = false;
  };
  child.on('error', end);
  child.on('close', end);
  child.stdin.on('error', () => undefined);
  child.stdin.write(namesAsked(names));
  return { stays: true, child, asked: names.length, isAlive: () => alive };
}

/** Returns the names of commits, their trees, and files at the root of those. */
export function namesIn(commits: readonly string[], files: readonly string[]): readonly string[] {
  return (
    commits
      // Guesses come from a cache: what is no id would be read as an expression.
      .filter((id) => /^[0-9a-f]+$/.test(id))
      .flatMap((id) => [id, `${id}^{tree}`, ...files.map((file) => `${id}:${file}`)])
  );
}
