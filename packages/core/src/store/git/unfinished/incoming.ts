/** The folders of unfinished packs: their names say which process writes, so that the next one can clear up after a dead one. */
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { systemClock, type Random } from '../../../base/clock.js';
import { isDead, thisProcess } from '../locks/lock.js';
import { removeQuietly } from '../system/durable.js';
import { releaseAbandoned } from './kept-pack.js';

/** After so long nobody writes any more, be it on another machine or in another container. */
const ABANDONED_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Returns a new name: process, when it began, where it runs, chance. */
export function incomingName(random: Random): string {
  const { pid, began = '0' } = thisProcess();
  return [String(pid), began, surroundings(), random.hex(12)].join('-');
}

function surroundings(): string {
  const { host, boot, namespace } = thisProcess();
  return createHash('sha256')
    .update(JSON.stringify([host, boot, namespace]))
    .digest('hex')
    .slice(0, 12);
}

/** Removes what dead processes left, and what they kept in the folder `packs`. What cannot be removed now is left for another time. */
export function sweepIncoming(incoming: string, packs: string): void {
  for (const name of namesIn(incoming)) {
    const folder = path.join(incoming, name);
    try {
      if (!isAbandoned(folder, name)) continue;
      releaseAbandoned(folder, packs);
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // The git of a killed process still writes there, another process sweeps, or it may do what this one may not.
    }
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Removes what a fast-import wrote about its end when its parent died: it names paths, and nobody reads it. */
export function sweepReports(directory: string): void {
  for (const name of namesIn(directory)) {
    if (name.startsWith('fast_import_crash_')) removeQuietly(path.join(directory, name));
  }
}

/** Tells whether the process of an incoming name is dead, or nobody can say and what it wrote is old. */
export function isAbandoned(file: string, name: string): boolean {
  const [pid, began, where] = name.split('-');
  if (where === surroundings()) {
    const { host, boot, namespace } = thisProcess();
    const same = { host, ...(boot === undefined ? {} : { boot }), ...(namespace === undefined ? {} : { namespace }) };
    return isDead({ pid: Number(pid), ...same, ...(began === undefined || began === '0' ? {} : { began }) });
  }
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat !== undefined && systemClock.now() - stat.mtimeMs > ABANDONED_MILLISECONDS;
}
