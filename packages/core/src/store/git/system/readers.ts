/**
 * Whether a git program that is not ours may be at work in the repository. A pack that vanishes is found again elsewhere
 * by most, but `git fsck` and `git repack` name it as damage; and one that died left its locks behind.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { uptime } from 'node:os';
import { systemClock } from '../../../base/clock.js';
import { OWN_PROCESS } from './process.js';

/** What Linux tells programs of, whatever the kernel counts in. */
const TICKS_A_SECOND = 100;

/** The field `starttime` of proc_pid_stat(5), counted from the third. */
const BEGAN = 19;

/** Commands that lock no ref; some run for as long as an editor or a session does. */
const LOCKS_NO_REF: ReadonlySet<string> = new Set(
  'blame cat-file check-ignore credential-cache--daemon diff diff-files diff-index diff-tree fast-import for-each-ref fsck fsmonitor--daemon grep hash-object index-pack log ls-files ls-tree pack-objects rev-list rev-parse show status upload-pack'.split(
    ' ',
  ),
);

type Answer = 'none' | 'some' | 'unknown';

/** Answers from `/proc`; where there is none, nothing is known. */
export function gitReaders(directories: readonly string[]): Answer {
  return anyProcess((pid) => mayRead(pid, directories));
}

/** Whether a git that is not ours may hold a lock of a ref, wherever it works, that was made at a time. */
export function refLockers(made: number): Answer {
  return anyProcess((pid) => mayRead(pid, ['/']) && !LOCKS_NO_REF.has(commandOf(pid)) && !beganAfter(pid, made));
}

function anyProcess(matches: (pid: string) => boolean): Answer {
  let processes: readonly string[];
  try {
    processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return 'unknown';
  }
  if (!processes.includes(String(process.pid))) return 'unknown';
  return processes.some(matches) ? 'some' : 'none';
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

/** Returns the git command of a process, or something that is none. */
function commandOf(pid: string): string {
  const [, ...args] = (read(`/proc/${pid}/cmdline`) ?? '').split('\0');
  const at = args.findIndex((arg, index) => !arg.startsWith('-') && !/^-[cC]$/.test(args[index - 1] ?? ''));
  return args[at] ?? '';
}

/** True for a process that is gone or that only waits for its parent to notice its end. */
function hasEnded(pid: string): boolean {
  const state = statOf(pid)[0];
  return state === undefined || /^[ZX]/.test(state);
}

/** True only for a process that surely began after a time. */
function beganAfter(pid: string, time: number): boolean {
  const up = uptime() * 1000;
  const began = (Number(statOf(pid)[BEGAN]) * 1000) / TICKS_A_SECOND;
  // A container may count from its own start, where processes count from the machine's: then nothing is sure.
  return began <= up && systemClock.now() - up + began > time;
}

/** Returns the fields of proc_pid_stat(5) from the third on: the name before them may hold blanks and parentheses. */
function statOf(pid: string): readonly string[] {
  const stat = read(`/proc/${pid}/stat`);
  return stat === undefined ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
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
