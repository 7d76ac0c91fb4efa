/**
 * Whether a git program that is not ours may be reading the repository. A pack that vanishes is found again elsewhere
 * by most, but `git fsck` and `git repack` name it as damage.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { OWN_PROCESS } from './process.js';

/** Resolves the question from `/proc`; where there is none, nothing is known. */
export function gitReaders(directories: readonly string[]): 'none' | 'some' | 'unknown' {
  let processes: readonly string[];
  try {
    processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return 'unknown';
  }
  if (!processes.includes(String(process.pid))) return 'unknown';
  return processes.some((pid) => mayRead(pid, directories)) ? 'some' : 'none';
}

function mayRead(pid: string, directories: readonly string[]): boolean {
  const name = read(`/proc/${pid}/comm`);
  if (name === undefined || !/^(?:git|jgit|libgit)/.test(name) || hasEnded(pid)) return false;
  const environment = read(`/proc/${pid}/environ`);
  if (environment?.includes(OWN_PROCESS) === true) return false;
  const mentions = [environment, read(`/proc/${pid}/cmdline`), read(`/proc/${pid}/maps`), workingDirectory(pid)];
  const reads = mentions.some(
    (text) => text === undefined || directories.some((directory) => text.includes(directory)),
  );
  // What could not be read may be another user's process, which may be anywhere; or one that ended meanwhile.
  return reads && !hasEnded(pid);
}

/** True for a process that is gone or that only waits for its parent to notice its end. */
function hasEnded(pid: string): boolean {
  const stat = read(`/proc/${pid}/stat`);
  return stat === undefined || /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

function workingDirectory(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return undefined;
  }
}
