/** Checks a commit out with the user's own git, which refuses where anything would be lost. */
import { contextError } from '../base/errors.js';
import type { WorktreePlace } from './place/place.js';

export interface CheckOutRequest {
  readonly commit: string;
  /** Taken only where it still is at that commit. */
  readonly branch?: string;
}

/** @throws worktree_dirty where git refuses: nothing was changed */
export async function checkOut(
  place: WorktreePlace,
  { commit, branch }: CheckOutRequest,
): Promise<{ readonly branch?: string }> {
  if (!/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(commit)) {
    throw contextError('invariant_broken', { reason: 'a commit to check out is no object id' });
  }
  const ref = branch === undefined ? undefined : `refs/heads/${branch}`;
  const at = ref === undefined ? '' : await resolve(place, ref);
  const onBranch = branch !== undefined && at === commit;
  // A branch's name never stands where an option could: a snapshot may come from somebody else.
  const args = onBranch ? ['symbolic-ref', '-m', 'savepoint restore --git', 'HEAD', `refs/heads/${branch}`] : [];
  const detached = await place.userGit.run({ args: ['checkout', '--quiet', '--detach', commit], accept: [1, 128] });
  if (detached.code !== 0) throw contextError('worktree_dirty', { reason: firstLine(detached.stderr) });
  if (onBranch) await place.userGit.run({ args });
  return onBranch ? { branch } : {};
}

async function resolve({ userGit }: WorktreePlace, ref: string): Promise<string> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const { code, stdout } = await userGit.run({ args, accept: [1, 128] });
  return code === 0 ? stdout.toString('latin1').trim() : '';
}

function firstLine(text: string): string {
  return (text.split('\n').find((line) => line.trim() !== '') ?? 'git refused').trim().replace(/\.$/, '');
}
