/** A directory of the user's choice into which files are written: it holds nothing yet. */
import { mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { contextError } from '../base/errors.js';

/** Makes the directory if it is not there, and returns its real path. @throws directory_unusable */
export function emptyDirectory(directory: string): string {
  try {
    mkdirSync(directory, { recursive: true });
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
