/** What a snapshot says of the worktree, as the planner reads it. */
import { WORKTREE_FOLDER } from '../../format/v1/layout.js';
import type { Store } from '../../store/store.js';
import type { WorktreeState } from '../../timeline/diff/worktree-files.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import { folderTree, readFilesystem } from '../../timeline/snapshot/slices.js';

/** The worktree that a snapshot holds. @throws object_missing; format_unreadable */
export async function worktreeOf(store: Store, snapshot: LoadedSnapshot): Promise<WorktreeState> {
  const tree = folderTree(snapshot, WORKTREE_FOLDER);
  return { tree, filesystem: await readFilesystem(store, snapshot), read: (id) => store.tree(id) };
}
