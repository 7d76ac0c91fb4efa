/** Names of the folders in which a replacement keeps files beside their targets; nobody else uses such names. */
import type { BytePath } from '../../base/path.js';

const PREFIX = '.savepoint-restore-';

export function replacementFolder(id: string): BytePath {
  return `${PREFIX}${id}`;
}

/** Tells whether a directory of this name is a replacement's own: a scan leaves it out, and recovery sweeps it. */
export function isReplacementFolder(name: BytePath): boolean {
  return /^\.savepoint-restore-[0-9a-f]{16}$/.test(name);
}
