/**
 * Starts the git process that objects are read through, and asks it for the first ones; also before the program is loaded
 * that reads them: git works on another core meanwhile. What it brings is known by the ids that git names, so a wrong guess
 * of what will be read costs time and nothing else.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawnWithPipes, type GitPlace } from '../system/process.js';

/** A process that was asked for objects before anybody was there to read them. */
export interface EarlyReader {
  readonly child: ChildProcessWithoutNullStreams;
  /** So many names it was asked for. */
  readonly asked: number;
  /** It takes more questions; else it answers all at once and ends. */
  readonly stays: boolean;
  /** False where git could not be started or has ended. */
  readonly isAlive: () => boolean;
}

/** A process that is asked for so many objects is not asked for more: it writes them in large pieces then. */
const MANY = 16;

/** Starts git and asks for these names: ids, or an id with a path. @throws system_failed */
export function startEarly(place: GitPlace, names: readonly string[]): EarlyReader {
  const stays = names.length < MANY;
  const child = startReading(place, '--batch', ...(stays ? [] : ['--buffer']));
  let alive = true;
  const end = (): void => {
    alive = false;
  };
  child.on('error', end);
  child.on('close', end);
  child.stdin.on('error', () => undefined);
  child.stdin.write(namesAsked(names));
  if (!stays) child.stdin.end();
  return { child, asked: names.length, stays, isAlive: () => alive };
}

export function startReading(place: GitPlace, ...mode: readonly string[]): ChildProcessWithoutNullStreams {
  return spawnWithPipes(place, readingArgs(...mode));
}

export function readingArgs(...mode: readonly string[]): readonly string[] {
  // Asked for an object that a partial clone lacks, git would fetch it.
  return ['-c', 'protocol.allow=never', 'cat-file', ...mode];
}

export function namesAsked(names: readonly string[]): Buffer {
  return Buffer.from(names.map((name) => `${name}\n`).join(''), 'latin1');
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
