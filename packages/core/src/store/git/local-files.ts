/** LocalState on disk: the folder `<git common dir>/savepoint/`. */
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Random } from '../../base/clock.js';
import { contextError } from '../../base/errors.js';
import type { LocalState, LockWait } from '../local-state.js';
import {
  createFile,
  makeDirectory,
  overDirectory,
  removeQuietly,
  replaceFile,
  writeFailure,
} from './system/durable.js';
import { readEnd } from './system/file-end.js';
import { holdLock, type LockRequest } from './locks/lock.js';
import { temporaryFor } from './unfinished/temporaries.js';

/** Returns the LocalState of a folder, which is made at the first write. */
export function localFiles(folder: string, random: Random): LocalState {
  const place = (name: string): string => path.join(folder, name);
  const temporary = (name: string): string => temporaryFor(place(name), random);
  const writing = (name: string, work: () => void): void => {
    try {
      attempt(path.dirname(place(name)), () => {
        if (isCache(name)) overDirectory(place(name), work);
        else work();
      });
    } catch (error) {
      throw writeFailure(folder, error);
    }
  };
  const read = (name: string, reading?: (file: string) => Uint8Array): Uint8Array | undefined => {
    try {
      return readIfThere(place(name), reading);
    } catch (error) {
      if (isCache(name)) return undefined;
      throw error;
    }
  };
  return {
    read: async (name, options) => {
      const bytes = read(name);
      return bytes !== undefined && options?.packed === true ? unpacked(bytes) : bytes;
    },
    readEnd: (name, count) => Promise.resolve(read(name, (file) => readEnd(file, count))),
    write: async (name, bytes, options) => {
      const content = options?.packed === true ? await packed(bytes) : bytes;
      writing(name, () => {
        replaceFile(place(name), content, { temporary: temporary(name), durable: options?.cache !== true });
      });
    },
    claim: (name, bytes) => {
      let standing = readIfThere(place(name));
      if (standing === undefined) {
        writing(name, () => createFile(place(name), bytes, { temporary: temporary(name), durable: true }));
        standing = readIfThere(place(name));
      }
      return Promise.resolve(standing ?? bytes);
    },
    append: (name, bytes) => {
      writing(name, () => {
        appendFileSync(place(name), bytes);
      });
      return Promise.resolve();
    },
    remove: (name) => {
      removeQuietly(place(name));
      rmSync(place(name), { recursive: true, force: true });
      return Promise.resolve();
    },
    locked: (name, wait, work) => {
      const waiting = typeof wait === 'number' ? { waitMilliseconds: wait } : waitingFor(wait);
      const file = place(`locks/${name}`);
      writing(`locks/${name}`, () => undefined);
      return holdLock({ file, random, ...waiting }, work);
    },
  };
}

/** What can be made anew is done without where it cannot be read, whatever lies in its place. */
function isCache(name: string): boolean {
  return name.startsWith('cache/');
}

function waitingFor({ milliseconds, meanwhile }: LockWait): Pick<LockRequest, 'waitMilliseconds' | 'meanwhile'> {
  return { waitMilliseconds: milliseconds, meanwhile };
}

// The folder is missing only the first time, so it is made when something fails for want of it.
function attempt(directory: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    makeDirectory(directory);
    work();
  }
}

function readIfThere(file: string, read: (file: string) => Uint8Array = readFileSync): Uint8Array | undefined {
  try {
    return read(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw contextError('file_not_found', { path: file, reason: (error as Error).message }, error);
  }
}

// Loaded only where something is packed: a capture without a log has no need of it.
async function packed(bytes: Uint8Array): Promise<Uint8Array> {
  const { deflateRaw } = await import('node:zlib');
  // In another thread: whoever writes a cache has more to do meanwhile.
  return new Promise((resolve, reject) => {
    deflateRaw(bytes, { level: 1 }, (error, content) => {
      if (error === null) resolve(content);
      else reject(error);
    });
  });
}

const MOST_UNPACKED = 1024 * 1024 * 1024;

async function unpacked(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const { inflateRawSync } = await import('node:zlib');
  try {
    return inflateRawSync(bytes, { maxOutputLength: MOST_UNPACKED });
  } catch {
    return undefined;
  }
}
