/** What is remembered of one directory. */
import type { BytePath } from '../../base/path.js';

/**
 * A directory as it was listed. Names are joined by `/`, which no name holds: a directory that did not change is never
 * taken apart.
 */
export interface DirectoryMemory {
  /** mtime, ctime, inode, mode; or '' where the listing must be read again. */
  readonly key: string;
  /** Permission bits. */
  readonly permissions: number;
  /** Files and links that the snapshot holds. */
  readonly files: string;
  /** Directories that are walked. */
  readonly directories: string;
  readonly ignoredFiles: string;
  readonly ignoredDirectories: string;
  /** FIFOs, sockets, devices. */
  readonly special: string;
  /** A directory that is not entered. */
  readonly closed?: 'repository' | 'submodule' | 'unreadable';
}

export function splitNames(joined: string): readonly string[] {
  return joined === '' ? [] : joined.split('/');
}

export function join(directory: BytePath, name: BytePath): BytePath {
  return directory === '' ? name : `${directory}/${name}`;
}
