/** Installs and removes the pre-push guard; a hook that was there before is kept beside it and called after it. */
import {
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { HookFiles, HookReport } from '../../../model/hook.js';
import { makeDirectory, removeQuietly, syncDirectory, syncFile, writeFailure } from '../durable.js';
import { CHAINED_NAME, GUARD_SCRIPT, isGuard } from './guard-script.js';
import { findHookPlace, guardCopy, type HookPlace, type HookPlaceRequest } from './hook-place.js';

export function gitHooks(request: HookPlaceRequest): HookFiles {
  const at = async <T>(work: (place: HookPlace) => T): Promise<T> => {
    const place = await findHookPlace(request);
    try {
      return work(place);
    } catch (error) {
      throw writeFailure(place.folder, error);
    }
  };
  return {
    install: () =>
      at((place) => {
        writeGuard(guardCopy(request.commonDirectory));
        return install(place);
      }),
    uninstall: () =>
      at((place) => {
        removeQuietly(guardCopy(request.commonDirectory));
        return uninstall(place);
      }),
    state: () => at((place) => report(place, false)),
  };
}

const hookFile = ({ folder }: HookPlace): string => path.join(folder, 'pre-push');
const chainedFile = ({ folder }: HookPlace): string => path.join(folder, CHAINED_NAME);

function install(place: HookPlace): HookReport {
  const hook = hookFile(place);
  if (place.problem !== undefined || readHook(hook) === GUARD_SCRIPT) return report(place, false);
  makeDirectory(place.folder);
  if (exists(hook) && !isGuard(readHook(hook) ?? '')) {
    if (exists(chainedFile(place)) && !sameFile(hook, chainedFile(place)))
      return { ...report(place, false), problem: leftover(place) };
    keepBeside(hook, chainedFile(place));
  }
  writeGuard(hook);
  return report(place, true);
}

function uninstall(place: HookPlace): HookReport {
  const hook = hookFile(place);
  if (!isGuard(readHook(hook) ?? '')) return report(place, false);
  // One step: at no time is there neither hook.
  if (exists(chainedFile(place))) renameSync(chainedFile(place), hook);
  else removeQuietly(hook);
  syncDirectory(place.folder);
  return report(place, true);
}

function report(place: HookPlace, changed: boolean): HookReport {
  const hook = hookFile(place);
  const content = readHook(hook) ?? '';
  const installed =
    place.problem === undefined ? isGuard(content) && isExecutable(hook) : /savepoint\/hooks\/pre-push/.test(content);
  const chained = exists(chainedFile(place));
  const problem = installed ? undefined : (place.problem ?? (chained ? leftover(place) : undefined));
  return {
    hook: 'pre-push',
    path: hook,
    installed,
    changed,
    ...(chained ? { chained: chainedFile(place) } : {}),
    ...(problem === undefined ? {} : { problem }),
  };
}

function leftover(place: HookPlace): string {
  return `${hookFile(place)} was replaced by something else after the guard was installed; the hook from before is kept as ${chainedFile(place)}. Move one of the two away and run \`savepoint init\` again`;
}

/** The new file is complete and synced before it takes the name. */
function writeGuard(file: string): void {
  makeDirectory(path.dirname(file));
  const temporary = `${file}.savepoint-${String(process.pid)}`;
  try {
    writeFileSync(temporary, GUARD_SCRIPT, { mode: 0o755 });
    chmodSync(temporary, 0o755);
    syncFile(temporary);
    renameSync(temporary, file);
  } finally {
    removeQuietly(temporary);
  }
  syncDirectory(path.dirname(file));
}

/** Gives a hook a second name: the same bytes, mode and time, a link as the link that it is. */
function keepBeside(hook: string, chained: string): void {
  if (exists(chained)) return;
  const stat = lstatSync(hook);
  if (stat.isSymbolicLink()) symlinkSync(readlinkSync(hook), chained);
  else {
    try {
      linkSync(hook, chained);
    } catch {
      copyFileSync(hook, chained);
      chmodSync(chained, stat.mode);
      utimesSync(chained, stat.atime, stat.mtime);
    }
  }
  syncDirectory(path.dirname(chained));
}

function sameFile(a: string, b: string): boolean {
  const [left, right] = [lstatSync(a), lstatSync(b)];
  return left.ino === right.ino || (left.mode === right.mode && readHook(a) === readHook(b));
}

function readHook(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return undefined;
  }
}

function exists(file: string): boolean {
  try {
    lstatSync(file);
    return true;
  } catch {
    return false;
  }
}

function isExecutable(file: string): boolean {
  try {
    return (lstatSync(file).mode & 0o111) !== 0;
  } catch {
    return false;
  }
}
