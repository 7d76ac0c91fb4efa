/** Has git write objects, and what it writes on the way to them, into a folder of our own, while it reads the repository's. */
import type { GitPlace } from './process.js';

/** A `git gc` of the user removes what looks like a temporary from the repository's folder, also while it is written. */
export function writingInto(place: GitPlace, folder: string, objects: string): GitPlace {
  const variables = {
    ...place.variables,
    GIT_OBJECT_DIRECTORY: folder,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quoteAlternate(objects),
  };
  return { ...place, variables };
}

// The list is separated by colons (semicolons on Windows); a quoted entry may hold any byte.
function quoteAlternate(directory: string): string {
  return /["\\\n:;]/.test(directory) ? `"${directory.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"` : directory;
}
