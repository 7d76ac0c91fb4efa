/** What `git fsck --full --strict` complains about, so that a test can demand that nothing was added. */
import { runGit } from './processes/git.js';

export interface FsckPlace {
  readonly root: string;
  readonly home: string;
}

/** Returns the complaints, sorted. Dangling objects are none: every staged and unstaged file leaves some. */
export function fsckComplaints({ root, home }: FsckPlace): readonly string[] {
  const args = ['-c', 'core.fsmonitor=false', 'fsck', '--full', '--strict', '--no-progress', '--no-dangling'];
  const { code, stdout, stderr } = runGit({ cwd: root, home, args, accept: 'any' });
  const lines = `${stdout.toString('utf8')}\n${stderr}`.split('\n').filter((line) => line !== '' && !isNotice(line));
  return code === 0 ? lines.sort() : [...lines, `exit ${String(code)}`].sort();
}

/** Returns the complaints of `after` that `before` did not have. */
export function addedComplaints(before: readonly string[], after: readonly string[]): readonly string[] {
  const known = new Set(before);
  return after.filter((line) => !known.has(line));
}

// "notice: HEAD points to an unborn branch", "notice: No default references".
function isNotice(line: string): boolean {
  return line.startsWith('notice: ');
}
