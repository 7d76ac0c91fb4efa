/** Which paths may be written: a snapshot that somebody else made can name anything. */
import { isDotGit, type BytePath } from '../../base/path.js';

/** Names that stand for devices on Windows, with any extension; superscript digits count too. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)(?:[0-9]|\xc2[\xb9\xb2\xb3]))(?:[ .:]|$)/i;

/**
 * Returns why a path may not be written, or undefined if it may. `foreign` paths come from another machine or writer:
 * they have to be harmless on every system. One's own may be whatever this system can hold.
 */
export function pathHazard(path: BytePath, foreign = false): string | undefined {
  if (path === '') return 'it is empty';
  if (path.includes('\0')) return 'it has a NUL byte';
  if (path.startsWith('/')) return 'it is absolute';
  for (const name of path.split('/')) {
    const hazard = nameHazard(name) ?? (foreign ? foreignHazard(name) : undefined);
    if (hazard !== undefined) return hazard;
  }
  return undefined;
}

function nameHazard(name: BytePath): string | undefined {
  if (name === '' || name === '.') return 'it has an empty component';
  if (name === '..') return 'it leads upwards';
  return isDotGit(name) ? 'it leads into a git directory' : undefined;
}

function foreignHazard(name: BytePath): string | undefined {
  if (name.includes('\\')) return 'it has a backslash, which parts names on some systems';
  if (name.includes(':')) return 'it has a colon, which names drives and streams on some systems';
  if (DEVICE.test(name)) return 'it names a device on some systems';
  return /[ .]$/.test(name) ? 'it ends in a way that some systems drop' : undefined;
}
