/** Which of the user's remotes a plain `git push` would send every ref to. */
import type { Git } from '../../base/git-command.js';

// A mirror, or a push refspec whose source covers `refs/savepoint/`.
const PUSH_SETTINGS = '^remote\\..*\\.(mirror|push)$';
const COVERS_ALL = /^\+?refs\/(?:\*|savepoint\/)/;

export async function mirrorRemotes(git: Git): Promise<readonly string[]> {
  const { stdout } = await git.run({ args: ['config', '-z', '--get-regexp', PUSH_SETTINGS], accept: [1] });
  const remotes = stdout
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry.includes('\n'))
    .flatMap((entry) => {
      const [key = '', value = ''] = entry.split('\n', 2);
      const name = key.slice('remote.'.length, key.lastIndexOf('.'));
      const sendsAll = key.endsWith('.mirror') ? /^(?:true|yes|on|1)$/i.test(value) : COVERS_ALL.test(value);
      return sendsAll ? [name] : [];
    });
  return [...new Set(remotes)];
}
