/** Steps on the files of a hooks folder, each of which leaves either the old hook or the new one working. */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  lstatSync,
  lutimesSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { systemRandom } from '../../../base/clock.js';
import { makeDirectory, removeQuietly, syncDirectory, syncFile } from '../system/durable.js';
import { exists } from './former-hook.js';

const TEMPORARY = /^pre-push\.savepoint-[0-9a-f]{12}\.tmp$/;

function temporaryName(folder: string): string {
  return path.join(folder, `pre-push.savepoint-${systemRandom.hex(12)}.tmp`);
}

/** Removes what a crash left behind. Only for the holder of the lock. */
export function clearTemporaries(folder: string): void {
  const names = exists(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((name) => TEMPORARY.test(name))) removeQuietly(path.join(folder, name));
}

/** Makes a folder and those above it; returns how many there were to make. */
export function makeFolders(folder: string): number {
  let missing = 0;
  for (let at = folder; !exists(at) && path.dirname(at) !== at; at = path.dirname(at)) missing += 1;
  if (missing > 0) makeDirectory(folder);
  return missing;
}

/** Takes folders away that were made for the hook and that nobody put anything into. */
export function removeFolders(folder: string, count: number): void {
  try {
    for (let [at, left] = [folder, count]; left > 0; [at, left] = [path.dirname(at), left - 1]) rmdirSync(at);
  } catch {
    // Somebody uses it.
  }
}

/** Puts a hook in place: complete and synced before it takes the name. */
export function writeHook(file: string, text: string): void {
  const temporary = temporaryName(path.dirname(file));
  try {
    const descriptor = openSync(temporary, 'wx', 0o777);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    const standing = lstatSync(file, { throwIfNoEntry: false });
    // As many people may run it as could run the one before.
    if (standing?.isFile() === true && (standing.mode & 0o111) !== 0) chmodSync(temporary, standing.mode & 0o777);
    renameSync(temporary, file);
  } finally {
    removeQuietly(temporary);
  }
  syncDirectory(path.dirname(file));
}

/** Gives a hook a second name: the same bytes, mode and time, a link as the link that it is. */
export function keepBeside(hook: string, beside: string): void {
  const stat = lstatSync(hook);
  if (!stat.isSymbolicLink()) {
    try {
      linkSync(hook, beside);
      syncDirectory(path.dirname(beside));
      return;
    } catch {
      // No second names on this file system, or not for a file of somebody else.
    }
  }
  const temporary = temporaryName(path.dirname(beside));
  try {
    if (stat.isSymbolicLink()) {
      symlinkSync(readlinkSync(hook), temporary);
      lutimesSync(temporary, stat.atime, stat.mtime);
    } else {
      copyFileSync(hook, temporary, constants.COPYFILE_EXCL);
      chmodSync(temporary, stat.mode);
      utimesSync(temporary, stat.atime, stat.mtime);
      syncFile(temporary);
    }
    renameSync(temporary, beside);
  } finally {
    removeQuietly(temporary);
  }
  syncDirectory(path.dirname(beside));
}

/** Moves a file to a free name that begins with `name`; returns that name. */
export function setAside(file: string, name: string): string {
  let free = name;
  for (let count = 2; exists(free); count += 1) free = `${name}-${String(count)}`;
  renameSync(file, free);
  syncDirectory(path.dirname(free));
  return free;
}

/** Gives a hook its place back in one step, so that at no time there is neither. */
export function putBack(kept: string, hook: string): void {
  renameSync(kept, hook);
  syncDirectory(path.dirname(hook));
}

/** Tells whether git would run it. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
