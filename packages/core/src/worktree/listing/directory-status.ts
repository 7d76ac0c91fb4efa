/**
 * The status of directories: device, inode, permissions, mtime, ctime and type in one line, as GNU find prints them. For
 * many directories find is asked, on another core: in Node 20 each `lstat` costs 6 to 8 µs, two thirds of it in making a
 * `Stats` with four dates of it.
 */
import { spawn } from 'node:child_process';
import { lstatSync, type BigIntStats } from 'node:fs';
import { platform } from 'node:os';
import { pathBytes, type BytePath } from '../../base/path.js';
import { isRacy, systemPath } from '../place/file-stat.js';
import type { WorktreePlace } from '../place/place.js';

export interface DirectoryStatus {
  readonly permissions: number;
  /** Changes with every change of the names in it; '' where that is not certain yet. */
  readonly key: string;
}

/** Answers by path. A path without an answer has to be looked at. */
export type StatusLines = ReadonlyMap<BytePath, string>;

const FORMAT = '%D %i %m %T@ %C@ %y\\n';
/** With fewer, a process costs more than it saves. */
export const MANY_DIRECTORIES = 400;
/** Linux grants a quarter of the stack for arguments: 2 MiB where nobody changed that. */
const ARGUMENT_BYTES = 256 * 1024;
const SECOND = 1_000_000_000n;

/**
 * Resolves with the status lines of these directories, one for each, or undefined where they have to be looked at one
 * by one: not on Linux, no GNU find, a path that is no UTF-8, or one that is gone.
 */
export async function findStatuses(place: WorktreePlace, paths: readonly BytePath[]): Promise<Buffer | undefined> {
  if (paths.length === 0 || platform() !== 'linux') return undefined;
  const answers = await Promise.all(inPortions(paths).map((portion) => find(place, portion)));
  const lines = answers.flatMap((answer) => answer ?? []);
  return lines.length === answers.length ? Buffer.concat(lines) : undefined;
}

/** Matches what `findStatuses` gave with the paths that it was asked for. */
export function statusLines(paths: readonly BytePath[], statuses: Buffer | undefined): StatusLines {
  if (statuses === undefined) return new Map();
  const lines = statuses.toString('latin1').split('\n');
  return new Map(paths.map((path, at) => [path, lines[at] ?? '']));
}

/** Returns the status in a line, or undefined if that is no directory any more. */
export function readStatus(line: string, began: number): DirectoryStatus | undefined {
  const [, , mode = '', mtime = '', ctime = '', type] = line.split(' ');
  if (type !== 'd') return undefined;
  const times = { mtimeNs: nanoseconds(mtime), ctimeNs: nanoseconds(ctime) };
  return { permissions: parseInt(mode, 8), key: isRacy(times, began) ? '' : line };
}

/** Looks at one directory itself. */
export function statDirectory(root: string, path: BytePath, began: number): DirectoryStatus | 'unreadable' | undefined {
  try {
    const stat = lstatSync(systemPath(root, path), { bigint: true });
    return stat.isDirectory() ? readStatus(statusLine(stat), began) : undefined;
  } catch (error) {
    return isGone(error) ? undefined : 'unreadable';
  }
}

export function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function statusLine(stat: BigIntStats): string {
  const mode = (stat.mode & 0o7777n).toString(8);
  return [stat.dev, stat.ino, mode, seconds(stat.mtimeNs), seconds(stat.ctimeNs), 'd'].map(String).join(' ');
}

// As `%T@` has it: ten digits, of which a file system fills at most nine.
function seconds(time: bigint): string {
  return `${String(time / SECOND)}.${String(time % SECOND).padStart(9, '0')}0`;
}

function nanoseconds(time: string): bigint {
  return BigInt(time.replace('.', '').slice(0, -1));
}

// As text, because that is all that Node takes for an argument; undefined for what no text stands for.
function argument(path: BytePath): string | undefined {
  if (/^[\x00-\x7f]*$/.test(path)) return `./${path}`;
  const bytes = Buffer.from(pathBytes(path));
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? `./${text}` : undefined;
}

function inPortions(paths: readonly BytePath[]): BytePath[][] {
  const portions: BytePath[][] = [];
  let room = 0;
  for (const path of paths) {
    if (room < path.length || portions.length === 0) {
      portions.push([]);
      room = ARGUMENT_BYTES;
    }
    portions.at(-1)?.push(path);
    // Each has its `./`, its NUL and a pointer.
    room -= path.length + 11;
  }
  return portions;
}

function find({ root, searchPath }: WorktreePlace, paths: readonly BytePath[]): Promise<Buffer | undefined> {
  const args = paths.map(argument);
  if (args.includes(undefined)) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const giveUp = (): void => {
      resolve(undefined);
    };
    try {
      const child = spawn('find', [...(args as string[]), '-maxdepth', '0', '-printf', FORMAT], {
        cwd: root,
        env: { LC_ALL: 'C', ...(searchPath === undefined ? {} : { PATH: searchPath }) },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const pieces: Buffer[] = [];
      child.on('error', giveUp);
      child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
      child.on('close', (code) => {
        resolve(code === 0 ? Buffer.concat(pieces) : undefined);
      });
    } catch {
      giveUp();
    }
  });
}
