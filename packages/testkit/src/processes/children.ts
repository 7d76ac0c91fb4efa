/** What a process has started and what goes on. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Returns the command lines of the children of a process; small containers have no `ps`, macOS no `/proc`. */
export function childCommands(parent: number): readonly string[] {
  return existsSync('/proc/self/stat') ? fromProc(parent) : fromPs(parent);
}

function fromProc(parent: number): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        // The name of the program, in brackets, can hold anything.
        const [, of] = /^.*\) \S (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
        return Number(of) === parent ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()] : [];
      } catch {
        // It has just ended.
        return [];
      }
    });
}

function fromPs(parent: number): readonly string[] {
  return execFileSync('ps', ['-A', '-o', 'ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+) (.*)$/.exec(line))
    .flatMap((found) => (found !== null && Number(found[1]) === parent ? [found[2] ?? ''] : []));
}
