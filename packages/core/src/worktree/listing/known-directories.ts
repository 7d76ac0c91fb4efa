/**
 * The directories of the last scan, in the form in which they lie in its memory: an unchanged worktree is recognised by
 * comparing bytes, and only the directories that are asked for are taken apart.
 *
 * Three blocks: the paths, ended by NUL, the root being `.`; for each its status, ended by a newline, empty where it does
 * not settle the names; for each its names, as a line of JSON.
 */
import type { BytePath } from '../../base/path.js';
import type { DirectoryMemory } from './directory.js';

/** Directories by path, the root being ''. */
export type Directories = Pick<ReadonlyMap<BytePath, DirectoryMemory>, 'get' | 'has' | 'size'> &
  Iterable<readonly [BytePath, DirectoryMemory]>;

type Names = Omit<DirectoryMemory, 'key'>;

const NEWLINE = 0x0a;
const ROOT = '.';

export class KnownDirectories implements Directories {
  /** The encoded form. */
  readonly bytes: Buffer;
  readonly #blocks: readonly [Buffer, Buffer, Buffer];
  #positions: ReadonlyMap<BytePath, number> | undefined;
  #keys: readonly string[] | undefined;
  #names: readonly string[] | undefined;
  readonly #taken = new Map<BytePath, DirectoryMemory>();

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    const end = bytes.indexOf(NEWLINE);
    const [first = 0, second = 0] = bytes.toString('latin1', 0, end).split(' ').map(Number);
    const from = end + 1;
    this.#blocks = [
      bytes.subarray(from, from + first),
      bytes.subarray(from + first, from + first + second),
      bytes.subarray(from + first + second),
    ];
  }

  get size(): number {
    return this.#index().size;
  }

  has(path: BytePath): boolean {
    return this.#index().has(path);
  }

  get(path: BytePath): DirectoryMemory | undefined {
    const known = this.#taken.get(path);
    if (known !== undefined) return known;
    const at = this.#index().get(path);
    if (at === undefined) return undefined;
    this.#names ??= this.#blocks[2].toString('latin1').split('\n');
    const names = JSON.parse(this.#names[at] ?? '') as Names;
    const memory = { key: this.#keysInOrder()[at] ?? '', ...names };
    this.#taken.set(path, memory);
    return memory;
  }

  *[Symbol.iterator](): Iterator<readonly [BytePath, DirectoryMemory]> {
    for (const path of this.#index().keys()) {
      const memory = this.get(path);
      if (memory !== undefined) yield [path, memory];
    }
  }

  /** The encoded paths, for `readStatuses`. */
  get encodedPaths(): Buffer {
    return this.#blocks[0];
  }

  paths(): readonly BytePath[] {
    return [...this.#index().keys()];
  }

  /** Those whose status does not tell whether their names are the same. */
  unsettled(): readonly BytePath[] {
    if (!this.#hasUnsettled()) return [];
    const keys = this.#keysInOrder();
    return this.paths().filter((_, at) => keys[at] === '');
  }

  /** Tells whether these are the statuses of all that are settled. */
  areSame(statuses: Buffer): boolean {
    if (!this.#hasUnsettled()) return statuses.equals(this.#blocks[1]);
    const now = statuses.toString('latin1').split('\n');
    const known = this.#keysInOrder();
    return known.length === now.length && known.every((key, at) => key === '' || key === now[at]);
  }

  /** Returns the statuses, of which there has to be one for each, that are not as they were, and of what is unsettled. */
  differing(statuses: Buffer): ReadonlyMap<BytePath, string> {
    const now = statuses.toString('latin1').split('\n');
    const known = this.#keysInOrder();
    const found = new Map<BytePath, string>();
    for (const [path, at] of this.#index()) {
      const [before = '', line = ''] = [known[at], now[at]];
      if (before === '' || before !== line) found.set(path, line);
    }
    return found;
  }

  #hasUnsettled(): boolean {
    const statuses = this.#blocks[1];
    return statuses[0] === NEWLINE || statuses.includes('\n\n', 0, 'latin1');
  }

  #keysInOrder(): readonly string[] {
    this.#keys ??= this.#blocks[1].toString('latin1').split('\n');
    return this.#keys;
  }

  #index(): ReadonlyMap<BytePath, number> {
    if (this.#positions !== undefined) return this.#positions;
    const paths = this.#blocks[0].toString('latin1').split('\0');
    const positions = new Map<BytePath, number>();
    for (let at = 0; at < paths.length - 1; at += 1) positions.set(fromArgument(paths[at] ?? ''), at);
    this.#positions = positions;
    return positions;
  }
}

function fromArgument(path: string): BytePath {
  return path === ROOT ? '' : path;
}

/** Returns the encoded form; of what is encoded already, that very form. */
export function encodeDirectories(directories: Directories): Buffer {
  if (directories instanceof KnownDirectories) return directories.bytes;
  const blocks = ['', '', ''];
  for (const [path, { key, ...names }] of directories) {
    blocks[0] += `${path === '' ? ROOT : path}\0`;
    blocks[1] += `${key}\n`;
    blocks[2] += `${JSON.stringify(names)}\n`;
  }
  const [paths = '', statuses = ''] = blocks;
  return Buffer.from(`${String(paths.length)} ${String(statuses.length)}\n${blocks.join('')}`, 'latin1');
}
