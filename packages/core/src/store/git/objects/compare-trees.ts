/** What differs between two trees, by `git diff-tree` in its raw form (git-diff-tree(1), "Raw output format"). */
import { ContextError, contextError } from '../../../base/errors.js';
import type { Git } from '../../../base/git-command.js';
import type { ObjectId, TreeMode } from '../../../model/tree/tree.js';
import type { TreeDifference } from '../../store.js';

/** Hands out the differences in the byte order of their paths. @throws object_missing */
export async function* compareTrees(git: Git, a: ObjectId, b: ObjectId): AsyncIterable<TreeDifference> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', a, b];
  const { stdout } = await git.run({ args }).catch(missingTree);
  let at = 0;
  while (at < stdout.length) {
    const middle = stdout.indexOf(0, at);
    const end = stdout.indexOf(0, middle + 1);
    const [modeA = '', modeB = '', idA = '', idB = ''] = stdout.toString('latin1', at + 1, middle).split(' ');
    const difference = { path: stdout.toString('latin1', middle + 1, end) };
    const before = modeA === '000000' ? {} : { before: { mode: modeA as TreeMode, id: idA } };
    const after = modeB === '000000' ? {} : { after: { mode: modeB as TreeMode, id: idB } };
    yield { ...difference, ...before, ...after };
    at = end + 1;
  }
}

/** A tree that is gone ends git with a fatal error; newer versions put its name in parentheses. */
function missingTree(error: unknown): never {
  if (error instanceof ContextError && error.code === 'git_failed') {
    const named = /(?:unable to read tree|bad object) \(?([0-9a-f]{40,64})/.exec(String(error.data['reason']));
    const [, object] = named ?? [];
    if (object !== undefined) throw contextError('object_missing', { object, owner: 'the snapshot' }, error);
  }
  throw error;
}
