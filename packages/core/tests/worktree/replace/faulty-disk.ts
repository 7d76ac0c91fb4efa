/** A real disk on which one call goes wrong, or after which nothing happens any more, as if the process were killed. */
import { realDisk, type Disk } from '../../../src/worktree/replace/disk/disk.js';

export interface Fault {
  /** Counted from 1 over all calls but `close`. */
  readonly at: number;
  /** `death`: this call and all later ones do nothing. A code: this call fails, or with `lasting` every one from here. */
  readonly kind: 'death' | 'EIO' | 'ENOSPC' | 'EACCES';
  readonly lasting?: boolean;
}

export interface FaultyDisk {
  readonly disk: Disk;
  /** So many calls were made. */
  readonly calls: () => number;
  readonly log: readonly string[];
}

export class Death extends Error {}

/** Calls that can run out of space or find a damaged medium; looking and closing go on. */
const WRITING: readonly (keyof Disk)[] = [
  'write',
  'sync',
  'syncAll',
  'rename',
  'link',
  'unlink',
  'makeLink',
  'makeDirectory',
  'removeDirectory',
  'setPermissions',
];

export function faultyDisk(
  fault: Fault | undefined,
  onCall: (count: number, name: keyof Disk) => void = noop,
): FaultyDisk {
  let count = 0;
  const log: string[] = [];
  const wrap =
    (name: keyof Disk, call: (...args: unknown[]) => unknown) =>
    (...args: unknown[]): unknown => {
      // The system closes what a dead process had open.
      if (name === 'close') return call(...args);
      count += 1;
      log.push(name);
      onCall(count, name);
      if (fault !== undefined && isHit(fault, count, name)) strike(fault, name, args);
      return call(...args);
    };
  const names = Object.keys(realDisk) as (keyof Disk)[];
  const wrapped: Record<string, unknown> = {};
  for (const name of names) wrapped[name] = wrap(name, realDisk[name] as (...args: unknown[]) => unknown);
  return { disk: wrapped as unknown as Disk, calls: () => count, log };
}

function noop(): void {
  // Most tests only count.
}

function isHit({ at, kind, lasting }: Fault, count: number, name: keyof Disk): boolean {
  if (count === at) return true;
  return count > at && (kind === 'death' || (lasting === true && WRITING.includes(name)));
}

function strike({ kind, at }: Fault, name: string, args: readonly unknown[]): never {
  // A killed process may leave the first half of what it wrote.
  if (kind === 'death' && name === 'write') {
    const [descriptor, bytes] = args as [number, Uint8Array];
    try {
      realDisk.write(descriptor, bytes.subarray(0, bytes.length >> 1));
    } catch {
      // It died on a descriptor that is closed by now.
    }
  }
  if (kind === 'death') throw new Death(`killed at call ${String(at)} (${name})`);
  const error: NodeJS.ErrnoException = new Error(`${kind}: injected, ${name}`);
  error.code = kind;
  error.syscall = name;
  throw error;
}
