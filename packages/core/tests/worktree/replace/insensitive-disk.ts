/** A real disk that keeps names as they are written and finds them in any case, as macOS and Windows have them. */
import { realDisk, type Disk, type SystemPath } from '../../../src/worktree/replace/disk/disk.js';

function resolve(path: SystemPath): Buffer {
  const bytes = Buffer.from(path);
  const slash = bytes.lastIndexOf('/');
  const [parent, name] = [bytes.subarray(0, slash), bytes.toString('latin1').slice(slash + 1)];
  if (['', '.'].includes(name) || parent.equals(Buffer.from('/proc/self/fd'))) return bytes;
  const names = namesIn(parent);
  const found = names.includes(name) ? name : names.find((one) => one.toLowerCase() === name.toLowerCase());
  return found === undefined ? bytes : Buffer.concat([parent, Buffer.from(`/${found}`, 'latin1')]);
}

function namesIn(directory: Buffer): readonly string[] {
  try {
    return realDisk.names(directory);
  } catch {
    return [];
  }
}

export const insensitiveDisk: Disk = {
  ...realDisk,
  open: (path, flags, permissions) => realDisk.open(resolve(path), flags, permissions),
  statusOf: (path) => realDisk.statusOf(resolve(path)),
  rename: (from, to) => {
    realDisk.rename(resolve(from), resolve(to));
  },
  link: (from, to) => {
    realDisk.link(resolve(from), resolve(to));
  },
  unlink: (path) => {
    realDisk.unlink(resolve(path));
  },
  makeLink: (target, path) => {
    realDisk.makeLink(target, resolve(path));
  },
  readLink: (path) => realDisk.readLink(resolve(path)),
  makeDirectory: (path, permissions) => {
    realDisk.makeDirectory(resolve(path), permissions);
  },
  removeDirectory: (path) => {
    realDisk.removeDirectory(resolve(path));
  },
};
