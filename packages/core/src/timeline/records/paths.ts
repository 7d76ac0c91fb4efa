/** Paths as an agent names them, and as records do: relative to the worktree where they lie in it. */
import { wording, LONGEST_PATH } from './wording.js';

export interface NamedPath {
  readonly path: string;
  readonly inside: boolean;
}

/** @param directory absolute path of the worktree as the agent sees it; without it, only relative paths are in it */
export function placePath(path: string, directory: string | undefined): NamedPath {
  const named = wording(path, LONGEST_PATH);
  if (!named.startsWith('/')) {
    const plain = normal(named);
    if (plain === undefined) return { path: named, inside: false };
    // The root is no file in it.
    return plain === '' ? { path: '.', inside: false } : { path: plain, inside: true };
  }
  const absolute = `/${normal(named.slice(1)) ?? ''}`;
  if (directory === undefined || !absolute.startsWith(`${directory}/`)) return { path: absolute, inside: false };
  return { path: absolute.slice(directory.length + 1), inside: true };
}

/** Resolves `.` and `..`; undefined where the path leaves its beginning. */
function normal(path: string): string | undefined {
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '..' && steps.pop() === undefined) return undefined;
    if (step !== '' && step !== '.' && step !== '..') steps.push(step);
  }
  return steps.join('/');
}
