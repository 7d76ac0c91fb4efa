/** `restore`: brings parts of a snapshot back into the present; the timeline does not move. */
import { asContextError, contextError } from '../../base/errors.js';
import type { RepoPath } from '../../base/path.js';
import { shortId } from '../../format/v1/body.js';
import type { Anchor } from '../../model/tree/anchor.js';
import { MERGED_SLICES, SAFETY_TRIGGER, type OperationOptions } from '../../model/operation.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import { makePlan } from '../../timeline/rewind/plan.js';
import { namedScope } from '../../timeline/rewind/scope.js';
import { planToken } from '../../timeline/rewind/token.js';
import { resolveSelector } from '../../timeline/select/select.js';
import { captureStep, WAIT_MILLISECONDS } from '../capture-step/capture-step.js';
import { findTranscriptOfOperation } from '../capture-step/capture-transcript.js';
import { describeTarget, isPartial, reported, totalsOf, unsavedIn } from '../operation/operation-result.js';
import type { OperationRequest, OperationResult } from '../operation/operation-result.js';
import { mergeHunks } from '../operation/hunks.js';
import { demandReady, perform, refuseOpen } from '../operation/perform.js';
import {
  demandPaths,
  demandSound,
  refuseTurn,
  sessionsAtWork,
  type OperationTask,
} from '../operation/plan-operation.js';
import { worktreeOf } from '../operation/worktree-of.js';
import type { Repository } from '../repository/repository.js';
import { pathsOf } from './rewind.js';
import { viewOf } from '../repository/view-of.js';

export interface RestoreRequest extends OperationRequest {
  readonly selector: string;
  /** Files and directories to bring back; without any, and without `slice`, it is the context that is merged. */
  readonly paths?: readonly (string | RepoPath)[];
  /** `worktree` (all files), `index` (the staged tree), `context` (the items of the window) or `session` (task, progress, touched files). */
  readonly slice?: string;
  /** Absolute path of a directory, empty or not yet there: written there, and nothing in the worktree changes. */
  readonly to?: string;
  /** First check the anchored commit out; refused where anything is not committed. */
  readonly git?: boolean;
  readonly exact?: boolean;
  /** Only these hunks of the one file that `paths` names: numbers from 1, as in the diff from the snapshot to the present. */
  readonly hunks?: readonly number[];
}

export interface RestoreResult extends OperationResult {
  /** With `to`: where it was written. */
  readonly to?: string;
  /** With `git`: what is checked out now. */
  readonly git?: { readonly commit: string; readonly branch?: string };
}

/**
 * Brings parts of a snapshot back: named files, the staged tree, or without any of these its context, which is added to the
 * present one: nothing there is removed or replaced. Everything is captured first. With `to` the files are written into another directory instead.
 * @throws argument_malformed; directory_unusable; worktree_dirty; what `rewind` throws
 * @example
 * const { files } = await restore({ repository, selector: 'seq:1', paths: ['notes.txt'] });
 * console.log(files.map(({ action, path }) => `${action} ${path}`));
 */
export async function restore(request: RestoreRequest): Promise<RestoreResult> {
  const { repository, session, to, git } = request;
  const { snapshot } = await resolveSelector(viewOf(repository), request.selector);
  const asked = { ...taskOf(request, snapshot), ...(session !== undefined && { session }) };
  const task = request.hunks === undefined ? asked : await withHunks(request, asked, request.hunks);
  if (to !== undefined) return restoreElsewhere({ request, task }, to);
  if (git === true) return restoreWithGit(request, task);
  return perform(request, task);
}

function taskOf({ paths, slice, git, to, exact, force }: RestoreRequest, target: LoadedSnapshot): OperationTask {
  const merged = MERGED_SLICES.filter((name) => slice === undefined || name === slice);
  if (slice !== undefined && slice !== 'worktree' && slice !== 'index' && merged.length === 0) {
    const reason =
      'only `worktree`, `index`, `context` and `session` can be restored; `savepoint show --slice` prints the others';
    throw contextError('argument_malformed', { value: JSON.stringify(slice), argument: 'the slice', reason });
  }
  const named = namedScope(paths);
  const whole = slice === 'worktree' || git === true || (to !== undefined && slice === undefined);
  const limited = paths !== undefined && paths.length > 0;
  const isOfFiles = slice === undefined || slice === 'worktree';
  if (!isOfFiles && (limited || to !== undefined || (git === true && merged.length > 0))) {
    const reason = 'paths, `--to` and `--git` are about files';
    throw contextError('argument_malformed', { value: JSON.stringify(slice), argument: 'the slice', reason });
  }
  const files = whole || (slice === undefined && limited);
  const context = !files && merged.length > 0;
  const options: OperationOptions = {
    files,
    context,
    index: slice === 'index',
    ...(context && { merge: merged }),
    ...pathsOf(named),
    exact: exact ?? false,
    force: force ?? false,
  };
  return { kind: 'restore', target, options, scope: named };
}

/** @throws argument_malformed; worktree_changed */
async function withHunks(
  { repository, to, git, slice }: RestoreRequest,
  task: OperationTask,
  hunks: readonly number[],
): Promise<OperationTask> {
  if (to !== undefined || git === true || slice !== undefined || hunks.length === 0) {
    const reason = 'they go with one file, and with no other way to say what is restored';
    throw contextError('argument_malformed', { value: hunks.join(','), argument: 'the hunks', reason });
  }
  await refuseOpen(repository);
  await demandSound(repository, task.target, task.options);
  await demandPaths(repository, task);
  const numbers = [...new Set(hunks)].sort((a, b) => a - b);
  const merge = await mergeHunks(repository, { target: task.target, scope: task.scope, numbers });
  return { ...task, hunks: merge, options: { ...task.options, hunks: { numbers, of: merge.of } } };
}

interface Elsewhere {
  readonly request: RestoreRequest;
  readonly task: OperationTask;
}

/** Writes files into a directory of their own: nothing here changes, so there is nothing to undo. */
async function restoreElsewhere({ request, task }: Elsewhere, to: string): Promise<RestoreResult> {
  const { repository, dryRun = false } = request;
  const { target, options, kind } = task;
  await refuseOpen(repository);
  await demandSound(repository, target, options);
  await demandPaths(repository, task);
  const { plan, directoryPermissions } = await planElsewhere(repository, task);
  const token = planToken({ kind, target: target.id, options }, plan);
  if (request.plan !== undefined && request.plan !== token) {
    throw contextError('plan_changed', { plan: request.plan.slice(0, 12) });
  }
  const files = plan.files.map(({ bytePath, ...file }) => (void bytePath, reported(file)));
  const told = {
    kind,
    dryRun,
    plan: token,
    target: describeTarget(target),
    options,
    files,
    totals: totalsOf(files),
    partial: isPartial(files),
    to,
  };
  if (dryRun) return { ...told, note: 'Nothing was changed: this is what would be written.', notes: [] };
  const enrolled = await repository.enrol();
  const replacements = enrolled.elsewhere(to);
  const safety = await captureSafety(enrolled, request);
  const { changes } = plan;
  const replacement = await replacements.prepare({
    changes,
    content: enrolled.store,
    directoryPermissions,
    note: {},
    conflicts: 'refuse',
  });
  await replacement.apply();
  await replacement.close();
  const note = `Files of the snapshot ${shortId(target.id)} were written into another directory; nothing else changed.`;
  return { ...told, safety: safety.saved.id, ...unsavedIn(safety.saved.body), note, notes: safety.notes };
}

async function planElsewhere(repository: Repository, { target, scope }: OperationTask) {
  const { store } = repository;
  const state = await worktreeOf(store, target);
  const nothing = () => Promise.resolve(new Set<string>());
  const plan = await makePlan({
    present: { tree: undefined, filesystem: undefined, read: (id) => store.tree(id) },
    target: state,
    scope,
    exact: true,
    force: true,
    knowledge: {
      held: nothing,
      fromBefore: nothing,
      foreign: nothing,
      seen: () => Promise.resolve(new Map()),
      listed: () => Promise.resolve(new Map()),
      sizes: async (blobs) => (await store.info(blobs)).map((info) => info?.size),
    },
  });
  return { plan, directoryPermissions: parseInt(state.filesystem?.modes.directory ?? '0755', 8) };
}

async function captureSafety(repository: Repository, request: RestoreRequest): ReturnType<typeof captureStep> {
  const { local, self } = repository;
  const found = await findTranscriptOfOperation(repository);
  const { progress, signal } = request;
  const options = { ...(progress !== undefined && { progress }), ...(signal !== undefined && { signal }) };
  return local.locked(`worktree-${self.id}`, WAIT_MILLISECONDS, () =>
    captureStep({ repository, found, trigger: SAFETY_TRIGGER, message: 'Before restore', ...options }),
  );
}

/** Checks the anchored commit out, where nothing can be lost by it, and then restores what differs from it. */
async function restoreWithGit(request: RestoreRequest, task: OperationTask): Promise<RestoreResult> {
  const { repository } = request;
  const { commit, branch } = task.target.body.anchor;
  if (commit === undefined) throw contextError('worktree_dirty', { reason: 'the snapshot is anchored at no commit' });
  await demandReady(request, task);
  const busy = repository.worktree.gitOperation();
  if (busy !== undefined) throw contextError('worktree_dirty', { reason: `a ${busy} is in progress` });
  if (request.dryRun === true) {
    const result = await perform(request, task);
    return { ...result, notes: [...result.notes, `The commit ${commit.slice(0, 12)} would be checked out first.`] };
  }
  refuseTurn(await sessionsAtWork(repository, task), task);
  const enrolled = await repository.enrol();
  const { saved } = await captureSafety(enrolled, request);
  if (saved.body.anchor.dirty) {
    throw contextError('worktree_dirty', { reason: 'something in the worktree is not committed' });
  }
  const checkedOut = await enrolled.worktree.checkOut({ commit, ...(branch !== undefined && { branch }) });
  // The plan was compared above: it told what differs from the present, not from the commit that is there now.
  const { plan, ...asked } = { ...request, repository: enrolled };
  void plan;
  const result = await perform(asked, task).catch(goingBack(enrolled, saved.body.anchor));
  return {
    ...result,
    git: { commit, ...checkedOut },
    notes: [...result.notes, `HEAD was at ${nameOf(saved.body.anchor)} before.`],
  };
}

/** What fails after the checkout has changed nothing either, so HEAD goes back to where it was. */
function goingBack({ worktree }: Repository, former: Anchor): (error: unknown) => Promise<never> {
  return async (error) => {
    // An open operation is completed or taken back by `recover`, in the commit that it began in.
    if ((await worktree.replacements.find()) !== undefined) throw error;
    const { commit, branch } = former;
    try {
      if (commit === undefined) throw error;
      await worktree.checkOut({ commit, ...(branch !== undefined && { branch }) });
    } catch {
      const reason = asContextError(error).message;
      throw contextError('checkout_left', { from: nameOf(former), reason }, error);
    }
    throw error;
  };
}

function nameOf({ branch, commit }: Anchor): string {
  return branch ?? commit ?? 'an unborn branch';
}
