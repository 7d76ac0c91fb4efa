/**
 * The directories of a scan in a file of their own, `directories-<digest>`, which is the largest part of what is
 * remembered and mostly as it was: then there is nothing to write. The name says what must be in it.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../place/whole-file.js';
import { encodeDirectories, KnownDirectories, type Directories } from './known-directories.js';

const PREFIX = 'directories-';

/** Digests of those that lie in their file. */
const stored = new WeakMap<Directories, string>();

/** Returns the directories of a digest, or undefined where their file is gone or damaged. */
export function loadDirectories(folder: string, digest: string): KnownDirectories | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path.join(folder, PREFIX + digest));
  } catch {
    return undefined;
  }
  // The file is not synced: whoever reads it must see that it was torn.
  if (digestOf(bytes) !== digest) return undefined;
  const directories = new KnownDirectories(bytes);
  stored.set(directories, digest);
  return directories;
}

/** Returns the name of the file that directories came from or were written to. */
export function directoryFileOf(directories: Directories): string | undefined {
  const digest = stored.get(directories);
  return digest === undefined ? undefined : PREFIX + digest;
}

/** Returns the only file of directories among the names in a folder. */
export function onlyDirectoryFile(names: readonly string[]): string | undefined {
  const [name, ...others] = names.filter((one) => one.startsWith(PREFIX));
  return others.length === 0 ? name : undefined;
}

/** Writes the directories unless they came from their file; returns their digest. */
export function saveDirectories(folder: string, directories: Directories): string {
  const known = stored.get(directories);
  if (known !== undefined) return known;
  const bytes = encodeDirectories(directories);
  const digest = digestOf(bytes);
  writeWhole(path.join(folder, PREFIX + digest), [bytes]);
  return digest;
}

/** Tells whether a file of this name is one of other directories than those of a digest. */
export function isOtherDirectoryFile(name: string, digest: string): boolean {
  return name.startsWith(PREFIX) && name !== PREFIX + digest;
}

function digestOf(bytes: Buffer): string {
  return createHash('sha1').update(bytes).digest('hex');
}
