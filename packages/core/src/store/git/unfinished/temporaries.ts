/** Files that get their name when they are whole: what they are called until then, and what becomes of those left behind. */
import { readdirSync, statSync, type Dirent } from 'node:fs';
import path from 'node:path';
import type { Clock, Random } from '../../../base/clock.js';
import { removeQuietly } from '../system/durable.js';
import { incomingName, isAbandoned } from './incoming.js';

/** Says which process makes it, or is of a lock or a list, which have shorter names. */
const TEMPORARY = /\.(?:(?<process>\d+-\d+-[0-9a-f]{12}-[0-9a-f]{12})|[0-9a-f]{12}|\d+)\.tmp$/;
/** Writing one takes milliseconds; nobody is in the middle of it for so long. */
const OLD_MILLISECONDS = 60 * 60 * 1000;
/** Where the name says nothing of a process, or of one that cannot be looked for from here. */
const ANCIENT_MILLISECONDS = 24 * 60 * 60 * 1000;
const DEPTH = 3;

/** Returns a path beside the file that nobody else has and that tells whose it is. */
export function temporaryFor(file: string, random: Random): string {
  return `${file}.${incomingName(random)}.tmp`;
}

/** Removes what killed processes left below a folder of ours. Follows no link; what cannot be removed now stays. */
export function sweepTemporaries(folder: string, clock: Clock, depth = DEPTH): void {
  for (const entry of entriesOf(folder)) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && depth > 1) sweepTemporaries(file, clock, depth - 1);
    else if (entry.isFile() && isLeft(file, clock)) removeQuietly(file);
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isLeft(file: string, clock: Clock): boolean {
  const found = TEMPORARY.exec(file);
  const stat = found === null ? undefined : statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  const age = clock.now() - stat.mtimeMs;
  const owner = found?.groups?.['process'];
  return age > ANCIENT_MILLISECONDS || (age > OLD_MILLISECONDS && owner !== undefined && isAbandoned(file, owner));
}
