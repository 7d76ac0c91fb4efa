/** Giving a name to something only where nothing has the name. */
import type { BytePath } from '../../../base/path.js';
import { errorCode, statusIfThere, type Disk, type SystemPath } from './disk.js';

/** Systems and file systems without hard links say so with one of these. */
const NO_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];
const LONGEST_NAME = 255;

/** Runs what makes a new name; returns false if something has it. */
export function isMade(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Moves a file or link to a name that nothing has; returns false, with nothing moved, if something has it. */
export function moveToFreeName(disk: Disk, from: SystemPath, to: SystemPath): boolean {
  // link(2) follows links on macOS, and a link is made in one step anyway.
  if (disk.statusOf(from)?.isSymbolicLink() !== true) return moveFileToFreeName(disk, from, to);
  return moved(disk, { from, to }, () => {
    disk.makeLink(disk.readLink(from), to);
  });
}

/** The same of what is known to be no link. */
export function moveFileToFreeName(disk: Disk, from: SystemPath, to: SystemPath): boolean {
  return moved(disk, { from, to }, () => {
    disk.link(from, to);
  });
}

function moved(disk: Disk, { from, to }: { from: SystemPath; to: SystemPath }, give: () => void): boolean {
  try {
    give();
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (!NO_LINKS.includes(errorCode(error))) throw error;
    if (statusIfThere(disk, to) !== undefined) return false;
    // The one place where a file that somebody makes in this very moment is lost: such file systems offer nothing better.
    disk.rename(from, to);
    return true;
  }
  disk.unlink(from);
  return true;
}

/** Returns the name under which somebody's late edit is kept beside the file; people see it, and captures take it. */
export function keptName(name: BytePath, mark: string): BytePath {
  const suffix = `.savepoint-kept-${mark}`;
  return `${name.slice(0, LONGEST_NAME - suffix.length)}${suffix}`;
}
