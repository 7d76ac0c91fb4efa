/** The list of paths in an operation's result, as the laws read it. */
import type { OperationResult } from '@savepoint/core';
import { exactPath } from '../manifest.js';

export interface Reported {
  /** Paths that it says it changed, and how. */
  readonly changed: ReadonlyMap<string, 'write' | 'delete' | 'mode'>;
  /** Paths that it says it left alone, and why. */
  readonly kept: ReadonlyMap<string, string>;
  /** Tells whether a path is kept, lies below one that is, or holds one that is. */
  isExcused(path: string): boolean;
  /** Tells whether a changed path lies below this one. */
  holdsChange(path: string): boolean;
}

export function reportedBy({ files }: Pick<OperationResult, 'files'>): Reported {
  const changed = new Map<string, 'write' | 'delete' | 'mode'>();
  const kept = new Map<string, string>();
  for (const file of files) {
    const path = exactPath(file).replace(/\/$/, '');
    if (file.action === 'skip' || file.action === 'conflict') kept.set(path, file.reason ?? '');
    else changed.set(path, file.action);
  }
  const isBelow = (path: string, above: string): boolean => path.startsWith(`${above}/`);
  return {
    changed,
    kept,
    isExcused: (path) => [...kept.keys()].some((one) => one === path || isBelow(path, one) || isBelow(one, path)),
    holdsChange: (path) => [...changed.keys()].some((one) => isBelow(one, path)),
  };
}

/** Returns a path as one character per byte. */
export function keyOf(path: string): string {
  return Buffer.from(path, 'utf8').toString('latin1');
}

/** Tells whether a path is in scope of the named ones; all are without any. */
export function inScope(path: string, named: readonly string[] | undefined): boolean {
  return named === undefined || named.some((one) => path === one || path.startsWith(`${one}/`));
}
