/** Makes the user's index say what a snapshot says; this is done only where the user asked for it by name. */
import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, renameSync } from 'node:fs';
import path from 'node:path';
import { fromRepoPath, pathBytes, type BytePath } from '../../base/path.js';
import { emptyTreeId } from '../../model/tree/object-id.js';
import type { FlaggedEntry, StagedFlag, StagedRecord } from '../../model/tree/staged.js';
import { lookAt } from '../place/file-stat.js';
import type { WorktreePlace } from '../place/place.js';
import { IndexLock } from './index-lock.js';
import { splitNul } from './user-index.js';

const SWITCHES: Readonly<Record<Exclude<StagedFlag, 'intent_to_add'>, string>> = {
  assume_unchanged: '--assume-unchanged',
  skip_worktree: '--skip-worktree',
};

/**
 * Writes the index beside itself and renames it while holding git's own lock on it. Only for who holds the lock of the worktree.
 * @throws index_locked; git_failed: nothing was changed
 */
export async function restoreIndex(place: WorktreePlace, { tree, unmerged, flagged }: StagedRecord): Promise<void> {
  const index = path.join(place.gitDirectory, 'index');
  const lock = new IndexLock(index);
  const { draft } = lock;
  try {
    // What git knows of the files' status is kept, so that the next `git status` need not read them all.
    if (existsSync(index)) copyFileSync(index, draft);
    const env = { GIT_INDEX_FILE: draft };
    const run: RunGit = async (args, input) =>
      (await place.userGit.run({ args, env, ...(input !== undefined && { input }) })).stdout;
    // `-i`: else git refuses to touch an entry that is flagged and whose file is another one, as it is after a rewind.
    const empty = tree === emptyTreeId(place.objectFormat);
    await run(['read-tree', ...(empty ? ['--empty'] : ['--reset', '-i', tree])]);
    const stages = unmerged.map((entry) =>
      line(`${entry.mode} ${entry.blob} ${String(entry.stage)}\t`, fromRepoPath(entry)),
    );
    const zero = '0'.repeat(tree.length);
    const cleared = [...new Set(unmerged.map(fromRepoPath))].map((file) => line(`0 ${zero} 0\t`, file));
    const info = Buffer.concat([...cleared, ...stages]);
    if (info.length > 0) await run(['update-index', '-z', '--index-info'], info);
    await restoreFlags(flagged, run);
    await restoreIntentions(place, flagged, run);
    syncFile(draft);
    renameSync(draft, index);
  } finally {
    lock.release();
  }
}

type RunGit = (args: readonly string[], input?: Uint8Array) => Promise<Buffer>;

function flaggedPaths(flagged: readonly FlaggedEntry[], flag: StagedFlag): readonly BytePath[] {
  return flagged.filter(({ flags }) => flags.includes(flag)).map(fromRepoPath);
}

async function restoreFlags(flagged: readonly FlaggedEntry[], run: RunGit): Promise<void> {
  for (const flag of ['assume_unchanged', 'skip_worktree'] as const) {
    const named = flaggedPaths(flagged, flag);
    if (named.length === 0) continue;
    const paths = named.some((one) => one.endsWith('/')) ? expanded(named, await run(['ls-files', '-z'])) : named;
    await run(['update-index', SWITCHES[flag], '-z', '--stdin'], lines(paths));
  }
}

/** A directory stands for all entries below it. */
function expanded(named: readonly BytePath[], entries: Buffer): readonly BytePath[] {
  const [files, folders] = [new Set(named), named.filter((one) => one.endsWith('/'))];
  return splitNul(entries).filter((file) => files.has(file) || folders.some((folder) => file.startsWith(folder)));
}

/** Git marks only what is there: an entry for a file that is not has nothing to stand for, and is left out. */
async function restoreIntentions(
  { root }: WorktreePlace,
  flagged: readonly FlaggedEntry[],
  run: RunGit,
): Promise<void> {
  const paths = flaggedPaths(flagged, 'intent_to_add').filter((file) => {
    const status = lookAt(root, file);
    return status?.isFile() === true || status?.isSymbolicLink() === true;
  });
  if (paths.length === 0) return;
  const args = ['--literal-pathspecs', 'add', '--intent-to-add', '--force', '--sparse', '--pathspec-from-file=-'];
  await run([...args, '--pathspec-file-nul'], lines(paths));
}

function lines(paths: readonly BytePath[]): Buffer {
  return Buffer.concat(paths.map((file) => line('', file)));
}

function line(prefix: string, file: BytePath): Buffer {
  return Buffer.concat([Buffer.from(prefix), pathBytes(file), Buffer.from([0])]);
}

function syncFile(file: string): void {
  const descriptor = openSync(file, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
