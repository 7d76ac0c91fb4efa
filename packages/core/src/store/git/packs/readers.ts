/**
 * Whether a git program that is not ours may be reading the repository. A pack that vanishes is found again elsewhere
 * by most, but `git fsck` and `git repack` name it as damage.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { OWN_PROCESS } from '../process.js';

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
  if (name === undefined || !/^(?:git|jgit|libgit)/.test(name)) return false;
  const environment = read(`/proc/${pid}/environ`);
  // Another user's process: it may be anywhere.
  if (environment === undefined) return read(`/proc/${pid}/comm`) !== undefined;
  if (environment.includes(OWN_PROCESS)) return false;
  const mentions = [environment, read(`/proc/${pid}/cmdline`), read(`/proc/${pid}/maps`), workingDirectory(pid)];
  return mentions.some((text) => text === undefined || directories.some((directory) => text.includes(directory)));
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
