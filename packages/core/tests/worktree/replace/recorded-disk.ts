/** A real disk that writes down what is done to it, for a model of what a power cut leaves (testkit, disk-model). */
import { constants } from 'node:fs';
import type { DiskOperation } from '@savepoint/testkit';
import { realDisk, type Disk, type SystemPath } from '../../../src/worktree/replace/disk/disk.js';

// The model knows names of one character per byte; the sample of its test has no other ones.
const text = (path: SystemPath): string => path.toString().replace(/\/$/, '');

export function recordedDisk(operations: DiskOperation[]): Disk {
  const paths = new Map<number, string>();
  const of = (descriptor: number): string => paths.get(descriptor) ?? '';
  return {
    ...realDisk,
    // Names from the root, which are those that the model knows.
    statusOf: (path) => realDisk.statusOf(text(path).startsWith('/proc/') ? '/nowhere' : path),
    open: (path, flags, permissions = 0) => {
      const descriptor = realDisk.open(path, flags, permissions);
      paths.set(descriptor, text(path));
      const has = (flag: number): boolean => (flags & flag) !== 0;
      const { O_CREAT, O_TRUNC, O_APPEND } = constants;
      const how = { create: has(O_CREAT), truncate: has(O_TRUNC), append: has(O_APPEND), mode: permissions };
      operations.push({ kind: 'open', path: text(path), descriptor, ...how });
      return descriptor;
    },
    write: (descriptor, bytes) => {
      operations.push({ kind: 'write', path: of(descriptor), descriptor, bytes: Buffer.from(bytes) });
      return realDisk.write(descriptor, bytes);
    },
    setPermissions: (descriptor, permissions) => {
      operations.push({ kind: 'mode', path: of(descriptor), mode: permissions });
      realDisk.setPermissions(descriptor, permissions);
    },
    sync: (descriptor) => {
      operations.push({ kind: 'sync', path: of(descriptor) });
    },
    syncAll: (descriptors) => {
      for (const descriptor of descriptors) operations.push({ kind: 'sync', path: of(descriptor) });
      return Promise.resolve();
    },
    rename: (from, to) => {
      operations.push({ kind: 'rename', path: text(from), to: text(to) });
      realDisk.rename(from, to);
    },
    link: (from, to) => {
      realDisk.link(from, to);
      operations.push({ kind: 'link', path: text(from), to: text(to) });
    },
    unlink: (path) => {
      realDisk.unlink(path);
      operations.push({ kind: 'remove', path: text(path) });
    },
    makeDirectory: (path, permissions) => {
      realDisk.makeDirectory(path, permissions);
      operations.push({ kind: 'directory', path: text(path), mode: permissions });
    },
    removeDirectory: (path) => {
      realDisk.removeDirectory(path);
      operations.push({ kind: 'remove', path: text(path) });
    },
  };
}
