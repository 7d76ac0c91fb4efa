/** Local state that lives in memory. */
import { contextError } from '../../base/errors.js';
import type { LocalState } from '../local-state.js';

export interface MemoryLocalState extends LocalState {
  /** The files by name, open to a test. */
  readonly files: Map<string, Uint8Array>;
}

export function memoryLocalState(): MemoryLocalState {
  const files = new Map<string, Uint8Array>();
  const holders = new Map<string, Promise<void>>();
  return {
    files,
    read: (name) => Promise.resolve(copyOf(files.get(name))),
    readEnd: (name, count) => Promise.resolve(copyOf(files.get(name)?.subarray(-count))),
    write: (name, bytes) => Promise.resolve(void files.set(name, new Uint8Array(bytes))),
    claim(name, bytes) {
      const present = files.get(name) ?? new Uint8Array(bytes);
      files.set(name, present);
      return Promise.resolve(new Uint8Array(present));
    },
    append(name, bytes) {
      files.set(name, new Uint8Array(Buffer.concat([files.get(name) ?? new Uint8Array(), bytes])));
      return Promise.resolve();
    },
    remove: (name) => Promise.resolve(void files.delete(name)),
    locked: (name, wait, work) => {
      if (typeof wait === 'number') return holdLock({ holders, name, waitMilliseconds: wait }, work);
      return holdLock({ holders, name, waitMilliseconds: wait.milliseconds, meanwhile: wait.meanwhile }, work);
    },
  };
}

// Not `slice`: that of a Buffer shares its memory.
function copyOf(bytes: Uint8Array | undefined): Uint8Array | undefined {
  return bytes && new Uint8Array(bytes);
}

interface LockRequest {
  readonly holders: Map<string, Promise<void>>;
  readonly name: string;
  readonly waitMilliseconds: number;
  readonly meanwhile?: () => Promise<void>;
}

async function holdLock<T>(request: LockRequest, work: () => Promise<T>): Promise<T> {
  const { holders, name, waitMilliseconds, meanwhile } = request;
  const timeout = AbortSignal.timeout(waitMilliseconds);
  for (let holder = holders.get(name); holder !== undefined; holder = holders.get(name)) {
    await meanwhile?.();
    const waited = await Promise.race([holder.then(() => true), aborted(timeout)]);
    if (!waited) throw contextError('timeline_locked', { holder: 'this process', lock: name });
  }
  const run = work();
  const held = run.then(
    () => undefined,
    () => undefined,
  );
  holders.set(name, held);
  try {
    return await run;
  } finally {
    holders.delete(name);
  }
}

function aborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    signal.addEventListener(
      'abort',
      () => {
        resolve(false);
      },
      { once: true },
    );
  });
}
