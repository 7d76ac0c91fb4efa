/**
 * The status of directories: device, inode, permissions, mtime, ctime and type in one line, as GNU stat prints them. For
 * many directories that program is asked, on another core: in Node 20 each `lstat` costs 6 to 8 µs, two thirds of it for
 * making a `Stats` with four dates of it.
 */
import { spawn } from 'node:child_process';
import { lstatSync, type BigIntStats } from 'node:fs';
import type { ShellPart } from '../../base/git-command.js';
import type { BytePath } from '../../base/path.js';
import { isRacy, systemPath } from '../place/file-stat.js';
import type { WorktreePlace } from '../place/place.js';

export interface DirectoryStatus {
  readonly permissions: number;
  /** Changes with every change of the names in it; '' where that is not certain yet. */
  readonly key: string;
}

/** Answers by path. A path without an answer has to be looked at. */
export type StatusLines = ReadonlyMap<BytePath, string>;

const FORMAT = '%d %i %a %.9Y %.9Z %F\\n';
const DIRECTORY = 'directory';
const NANOSECONDS = /^-?\d+\.\d{9}$/;
/** With fewer, a process costs more than it saves. */
export const MANY_DIRECTORIES = 1000;

/** Why GNU stat did not answer: it is not there, or one of the directories is not. */
export type NoAnswer = 'no_gnu_stat' | 'gone';

/** Resolves with a line for each of these directories (ended by NUL, relative to the root), as GNU stat prints them. */
export function readStatuses({ root, searchPath }: WorktreePlace, paths: Buffer): Promise<Buffer | NoAnswer> {
  if (paths.length === 0) return Promise.resolve('no_gnu_stat');
  return new Promise((resolve) => {
    // xargs makes as many processes as the system's limit for arguments demands, one after the other.
    const child = spawn('xargs', ['-0', 'stat', '--printf', FORMAT, '--'], {
      cwd: root,
      env: { LC_ALL: 'C', ...(searchPath === undefined ? {} : { PATH: searchPath }) },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const pieces: Buffer[] = [];
    child.on('error', () => {
      resolve('no_gnu_stat');
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(paths);
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    child.on('close', (code) => {
      // Another stat does not know the option, and says nothing of any directory.
      resolve(code === 0 ? Buffer.concat(pieces) : pieces.length === 0 ? 'no_gnu_stat' : 'gone');
    });
  });
}

/** Ends what the script says of all directories. */
const END = 'end\n';

/** Reads the statuses of the directories that a file of `encodeDirectories` names, in the process of another program. */
export function statusScript(file: string): ShellPart {
  const script = `{ read -r paths rest && head -c "$paths" | xargs -0 stat --printf '${FORMAT}' -- && echo end; } 2>/dev/null <"$0" >&3`;
  return { script, word: file };
}

/** Returns what the script said, or undefined unless it came to its end. */
export function scriptedStatuses(answer: Buffer): Buffer | undefined {
  const at = answer.length - END.length;
  return answer.toString('latin1', Math.max(at, 0)) === END ? answer.subarray(0, at) : undefined;
}

/** The same without another program; it costs this one a few microseconds for each. */
export function lookAtStatuses({ root }: WorktreePlace, paths: readonly BytePath[]): Buffer | undefined {
  let lines = '';
  try {
    for (const path of paths) {
      const stat = lstatSync(systemPath(root, path), { bigint: true });
      if (!stat.isDirectory()) return undefined;
      lines += `${statusLine(stat)}\n`;
    }
  } catch {
    return undefined;
  }
  return Buffer.from(lines, 'latin1');
}

/** Matches what `readStatuses` gave with the paths that it was asked for. */
export function statusLines(paths: readonly BytePath[], statuses: Buffer | undefined): StatusLines {
  if (statuses === undefined) return new Map();
  const lines = statuses.toString('latin1').split('\n');
  return new Map(paths.map((path, at) => [path, lines[at] ?? '']));
}

/** Returns the status in a line, or undefined if that is no directory any more. */
export function readStatus(line: string, began: number): DirectoryStatus | undefined {
  const [, , mode = '', mtime = '', ctime = '', ...type] = line.split(' ');
  if (type.join(' ') !== DIRECTORY) return undefined;
  const permissions = parseInt(mode, 8);
  // A stat that says less would hide what changes within a second.
  if (!NANOSECONDS.test(mtime) || !NANOSECONDS.test(ctime)) return { permissions, key: '' };
  const times = { mtimeNs: nanoseconds(mtime), ctimeNs: nanoseconds(ctime) };
  return { permissions, key: isRacy(times, began) ? '' : line };
}

/** Looks at one directory itself; returns its line, or undefined if that is no directory. */
export function lookAtStatus(root: string, path: BytePath): string | undefined {
  try {
    const stat = lstatSync(systemPath(root, path), { bigint: true });
    return stat.isDirectory() ? statusLine(stat) : undefined;
  } catch (error) {
    return isGone(error) ? undefined : 'unreadable';
  }
}

export function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function statusLine(stat: BigIntStats): string {
  const mode = (Number(stat.mode) & 0o7777).toString(8);
  const times = `${seconds(stat.mtimeNs)} ${seconds(stat.ctimeNs)}`;
  return `${String(stat.dev)} ${String(stat.ino)} ${mode} ${times} ${DIRECTORY}`;
}

// Division of big integers would be the dearest part of it.
function seconds(time: bigint): string {
  const digits = String(time < 0n ? -time : time).padStart(10, '0');
  return `${time < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`;
}

function nanoseconds(time: string): bigint {
  return BigInt(time.replace('.', ''));
}
