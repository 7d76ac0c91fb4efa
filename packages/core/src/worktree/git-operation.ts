/** Tells which operation of git is in the middle of its work, by the state files that git keeps of it. */
import { existsSync } from 'node:fs';
import path from 'node:path';

/** File or folder of this worktree's git directory, and what it says. The first that is there counts. */
const STATES: readonly (readonly [string, string])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply/applying', 'am'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
];

/** Returns such as `merge`, or undefined where nothing is in progress. */
export function gitOperation(gitDirectory: string): string | undefined {
  return STATES.find(([name]) => existsSync(path.join(gitDirectory, name)))?.[1];
}
