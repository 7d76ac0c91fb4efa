/** Single hunks of one file: numbered as `diff SELECTOR` shows them, from the snapshot to the present. */
import { contextError } from '../../base/errors.js';
import { toRepoPath, type BytePath } from '../../base/path.js';
import { shortId } from '../../format/v1/body.js';
import { objectId } from '../../model/tree/object-id.js';
import type { ObjectId } from '../../model/tree/tree.js';
import { compareWorktrees } from '../../timeline/diff/compare.js';
import { textOf, type ContentSource } from '../../timeline/diff/content.js';
import { takeBackHunks } from '../../timeline/diff/patch.js';
import { presentWorktree } from '../../timeline/diff/present.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import type { Plan } from '../../timeline/rewind/plan.js';
import type { Scope } from '../../timeline/rewind/scope.js';
import type { Repository } from '../repository/repository.js';
import { worktreeOf } from './worktree-of.js';

export interface HunkChoice {
  readonly target: LoadedSnapshot;
  readonly scope: Scope;
  /** From 1. */
  readonly numbers: readonly number[];
  /** The present content in which they were counted; absent: what is there now. */
  readonly of?: ObjectId;
}

/** The present file with some hunks as the snapshot has them. */
export interface HunkMerge {
  readonly path: BytePath;
  readonly numbers: readonly number[];
  /** What the file holds now. */
  readonly of: ObjectId;
  readonly blob: ObjectId;
  readonly bytes: Uint8Array;
}

/** @throws argument_malformed; worktree_changed where the hunks were counted in something else; what a scan throws */
export async function mergeHunks(repository: Repository, choice: HunkChoice): Promise<HunkMerge> {
  const { store, worktree, settings } = repository;
  const { target, scope, numbers, of } = choice;
  const [path, ...others] = scope.paths ?? [];
  if (path === undefined || others.length > 0) throw refused(numbers, 'hunks are those of exactly one file');
  const present = await presentWorktree(store, worktree, settings);
  const { files } = await compareWorktrees(await worktreeOf(store, target), present);
  const found = files.find((file) => file.path === path);
  const { before, after } = found ?? {};
  const isThere = before !== undefined && after !== undefined && found?.change !== 'type';
  if (!isThere || [before, after].some(({ mode }) => !/^\d/.test(mode))) {
    const name = toRepoPath(path).path;
    throw refused(numbers, `${name} is no file both in ${shortId(target.id)} and here, or does not differ`);
  }
  if (of !== undefined && of !== after.blob) {
    throw contextError('worktree_changed', { count: 1, path: toRepoPath(path).path, paths: [toRepoPath(path)] });
  }
  const { content } = present;
  const [then, now] = await Promise.all([textIn(content, before.blob), textIn(content, after.blob)]);
  if (then === undefined || now === undefined) throw refused(numbers, 'the file is not text, or too large');
  const { text, count } = takeBackHunks(then, now, new Set(numbers));
  const unknown = numbers.find((number) => number > count);
  if (unknown !== undefined) throw refused(numbers, `the file has ${String(count)} of them`);
  const bytes = Buffer.from(text, 'utf8');
  return { path, numbers, of: after.blob, blob: objectId(store.objectFormat, 'blob', bytes), bytes };
}

async function textIn(content: ContentSource, blob: ObjectId): Promise<string | undefined> {
  const { binary, text } = await textOf(content, blob);
  return binary ? undefined : text;
}

function refused(numbers: readonly number[], reason: string): Error {
  return contextError('argument_malformed', { value: numbers.join(','), argument: 'the hunks', reason });
}

/** Puts the merged file in the place of the target's; what speaks against the path speaks against its hunks. @throws worktree_changed */
export function planWithHunks(plan: Plan, { path, of, blob, bytes }: HunkMerge): Plan {
  const changes = plan.changes.map((change) => {
    if (change.path !== path || change.after.kind !== 'file') return change;
    const { before } = change;
    if (before.kind !== 'file' || before.blob !== of) {
      throw contextError('worktree_changed', { count: 1, path: toRepoPath(path).path, paths: [toRepoPath(path)] });
    }
    return { ...change, after: { ...before, blob, size: bytes.length } };
  });
  const files = plan.files.map((file) =>
    file.bytePath === path && file.reason === undefined
      ? { ...file, action: 'write' as const, bytes: bytes.length }
      : file,
  );
  return { changes, files };
}
