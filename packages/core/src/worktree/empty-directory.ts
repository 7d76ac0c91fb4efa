/** A directory of the user's choice into which files are written: it holds nothing yet. */
import { mkdirSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { contextError } from '../base/errors.js';

/**
 * Makes the directory if it is not there, and returns its real path. What lies in one of git's own directories is refused:
 * a file of a snapshot may have the name of a hook. @throws directory_unusable
 */
export function emptyDirectory(directory: string, git: readonly string[]): string {
  try {
    const place = placeOf(directory);
    if (git.map(placeOf).some((own) => place === own || place.startsWith(`${own}${path.sep}`)))
      throw contextError('directory_unusable', { directory, reason: 'it belongs to git' });
    makeWithParents(directory);
    const real = realpathSync(directory);
    if (readdirSync(real).length > 0)
      throw contextError('directory_unusable', { directory, reason: 'it is not empty' });
    return real;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'directory_unusable') throw error;
    throw contextError('directory_unusable', { directory, reason: message }, error);
  }
}

/** Node's own way goes round for ever where a file system says of each new name that there is no such place (procfs). */
function makeWithParents(directory: string): void {
  try {
    mkdirSync(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const parent = path.dirname(directory);
    if (code !== 'ENOENT' || parent === directory) throw error;
    makeWithParents(parent);
    mkdirSync(directory);
  }
}

/** Where a path leads through links, as far as it is there. */
function placeOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(placeOf(parent), path.basename(file));
  }
}
