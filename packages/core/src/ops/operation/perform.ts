/** What `rewind`, `restore`, `undo` and `redo` have in common: their result, and the order in which they work. */
import { contextError } from '../../base/errors.js';
import { shortId } from '../../format/v1/body.js';
import { SAFETY_TRIGGER, type FileOutcome } from '../../model/operation.js';
import { presentWorktree } from '../../timeline/diff/present.js';
import { signatureState } from '../../timeline/judge.js';
import { loadSnapshot, type LoadedSnapshot } from '../../timeline/snapshot/load.js';
import type { PlannedFile } from '../../timeline/rewind/plan.js';
import { isByDesign } from '../../timeline/rewind/token.js';
import { readFilesystem } from '../../timeline/snapshot/slices.js';
import { openReplacementError, type Replacement } from '../../worktree/replace/replacement.js';
import type { EarlyLook } from '../../worktree/worktree.js';
import { captureStep, WAIT_MILLISECONDS, type TakenSnapshot } from '../capture-step/capture-step.js';
import { findTranscriptOfOperation } from '../capture-step/capture-transcript.js';
import { encodeNote, finishOperation, type OperationNote } from './finish-operation.js';
import { asksForRecords, countChanges, recordsNow } from './merge.js';
import {
  describeTarget,
  isPartial,
  reported,
  totalsOf,
  unsavedIn,
  type OperationRequest,
  type OperationResult,
} from './operation-result.js';
import {
  demandPaths,
  demandSound,
  planOperation,
  refuseTurn,
  sessionsAtWork,
  type OperationTask,
  type PlannedOperation,
  type Present,
} from './plan-operation.js';
import type { Repository } from '../repository/repository.js';
import { worktreeOf } from './worktree-of.js';

/** So few changes are made within a moment. */
const FEW = 100;

/**
 * Carries an operation out: everything is captured and verified first, then planned, prepared and applied; then the
 * snapshot that follows, and the record. Until the first file is touched, nothing but that first snapshot was made.
 */
export async function perform(request: OperationRequest, task: OperationTask): Promise<OperationResult> {
  await demandReady(request, task);
  if (request.dryRun === true) return tried(await preview(request, task), request.plan);
  return carryOut({ ...request, repository: await request.repository.enrol() }, task);
}

/**
 * Refuses what can be refused before anything is captured.
 * @throws restore_running; restore_interrupted; path_unknown; path_refused; plan_changed; what `demandSound` throws
 */
export async function demandReady(request: OperationRequest, task: OperationTask): Promise<void> {
  const { repository, plan, dryRun } = request;
  await refuseOpen(repository);
  await demandSound(repository, task.target, task.options);
  await demandPaths(repository, task);
  if (plan !== undefined && dryRun !== true) demandPlan(plan, (await preview(request, task)).plan);
}

/** Whoever tries an earlier plan wants to know whether it would still be carried out. @throws plan_changed */
function tried(result: OperationResult, plan: string | undefined): OperationResult {
  if (plan === undefined) return result;
  demandPlan(plan, result.plan);
  return { ...result, notes: [...result.notes, `The plan ${plan.slice(0, 12)} still fits.`] };
}

/** @throws plan_changed */
function demandPlan(wanted: string, token: string): void {
  if (wanted !== token) throw contextError('plan_changed', { plan: wanted.slice(0, 12) });
}

/** @throws restore_running; restore_interrupted */
export async function refuseOpen({ worktree }: Repository): Promise<void> {
  const open = await worktree.replacements.find();
  if (open !== undefined) throw openReplacementError(open);
}

async function preview({ repository }: OperationRequest, task: OperationTask): Promise<OperationResult> {
  const [looked, live] = await Promise.all([lookAtPresent(repository), sessionsAtWork(repository, task)]);
  const present = asksForRecords(task) ? { ...looked, records: await recordsNow(repository) } : looked;
  const planned = await planOperation(repository, task, { present, live });
  const busy = live.find(({ inTurn, id }) => inTurn && id !== task.session);
  const notes = [
    ...(busy === undefined ? [] : [`The ${busy.agent} session at work here is in the middle of a turn.`]),
    ...gitNotes(repository),
  ];
  const note = 'Nothing was changed: this is what would be done.';
  return { ...describePlan(task, planned), dryRun: true, note, notes };
}

export async function lookAtPresent({ store, worktree, settings }: Repository): Promise<Present> {
  const present = await presentWorktree(store, worktree, settings);
  const { headTree } = present.anchor;
  const size = (blob: string) => present.content.size(blob);
  return { state: present, size, ...(headTree !== undefined && { headTree }) };
}

async function carryOut(request: OperationRequest, task: OperationTask): Promise<OperationResult> {
  const { repository, signal } = request;
  const { local, self } = repository;
  const found = await findTranscriptOfOperation(repository);
  let begun = false;
  try {
    return await local.locked(`worktree-${self.id}`, WAIT_MILLISECONDS, async () => {
      // Whoever held the lock may have died in the middle of an operation.
      await refuseOpen(repository);
      const live = await sessionsAtWork(repository, task);
      refuseTurn(live, task);
      const message = `Before ${task.kind} to ${shortId(task.target.id)}`;
      const also = task.hunks === undefined ? [] : [task.hunks.bytes];
      const whole = { ...request, found, trigger: SAFETY_TRIGGER, message, followed: true };
      const safety = await captureStep({ ...whole, also });
      const present = await presentOf(repository, await verifiedSafety(repository, safety));
      const planned = await planOperation(repository, task, { present, live });
      if (request.plan !== undefined) demandPlan(request.plan, planned.token);
      const listed = planned.plan.files.filter(({ reason }) => isByDesign(reason)).map(plainFile);
      const note = noteOf(repository, { task, planned, safety });
      const names = planned.plan.files.some(({ creates }) => creates === true);
      const look = repository.worktree.lookEarly({ names, brief: planned.plan.changes.length <= FEW });
      const replacement = await prepare(repository, { task, planned, note }).catch(endingLook(look));
      if (signal?.aborted === true) {
        await Promise.all([replacement?.close(), look?.end()]);
        signal.throwIfAborted();
      }
      begun = true;
      const notes = [...safety.notes, ...gitNotes(repository)];
      const { context } = planned;
      const ending = {
        note,
        look,
        listed,
        notes,
        found,
        ...(context && { context }),
        ...(replacement && { replacement }),
      };
      return finishOperation(repository, ending);
    });
  } catch (error) {
    if (signal?.aborted === true && !begun) throw contextError('interrupted', {}, error);
    throw error;
  }
}

function endingLook(look: EarlyLook | undefined): (error: unknown) => Promise<never> {
  return async (error) => {
    await look?.end();
    throw error;
  };
}

/** @throws object_missing; format_unreadable; signature_broken: then no file was touched */
async function verifiedSafety({ store }: Repository, { saved }: TakenSnapshot): Promise<LoadedSnapshot> {
  const snapshot = await loadSnapshot(store, saved.commit.id);
  const broken = snapshot.id !== saved.id || signatureState(snapshot) === 'bad_signature';
  if (broken) throw contextError('signature_broken', { snapshot: shortId(saved.id) });
  return snapshot;
}

async function presentOf({ store }: Repository, safety: LoadedSnapshot): Promise<Present> {
  const state = await worktreeOf(store, safety);
  const { anchor, session } = safety.body;
  const { headTree } = anchor;
  const differences: Present['differences'] = (target) => store.compare(state.tree, target);
  const records = { snapshot: safety, ...(session !== undefined && { live: session.id }) };
  return { state, differences, records, ...(headTree !== undefined && { headTree }) };
}

interface Noting {
  readonly task: OperationTask;
  readonly planned: PlannedOperation;
  readonly safety: TakenSnapshot;
}

function noteOf({ random }: Repository, { task, planned, safety }: Noting): OperationNote {
  const { kind, session, target, of, options } = task;
  const { id, body } = safety.saved;
  const { plan, staged, token, context } = planned;
  const counted = context === undefined ? [] : countChanges(context);
  const byDesign = plan.files.filter(({ reason }) => isByDesign(reason)).length;
  const record = {
    id: random.hex(32),
    kind,
    ...(session !== undefined && { session }),
    target: target.id,
    safety: id,
    seen: [{ timeline: body.timeline, sequence: body.sequence, id }],
    ...(of !== undefined && { of: of.id }),
    options,
    files: plan.files.filter(({ reason }) => !isByDesign(reason)).map(plainFile),
    ...(byDesign > 0 && { kept: byDesign }),
    ...(counted.length > 0 && { context: counted }),
  };
  return {
    record,
    token,
    target: describeTarget(target),
    ...(of !== undefined && { of: { id: of.id, kind: of.kind, at: of.at } }),
    ...unsavedIn(body),
    ...(staged !== undefined && { staged }),
  };
}

function plainFile({ bytePath, ...file }: PlannedFile): FileOutcome {
  void bytePath;
  return file;
}

interface Preparing {
  readonly task: OperationTask;
  readonly planned: PlannedOperation;
  readonly note: OperationNote;
}

async function prepare(
  { store, worktree }: Repository,
  { task, planned, note }: Preparing,
): Promise<Replacement | undefined> {
  const { changes } = planned.plan;
  // The index is restored within the replacement, so that it is finished with it.
  if (changes.length === 0 && planned.staged === undefined) return undefined;
  const filesystem = await readFilesystem(store, task.target);
  return worktree.replacements.prepare({
    changes,
    content: planned.content,
    directoryPermissions: parseInt(filesystem?.modes.directory ?? '0755', 8),
    note: encodeNote(note),
    conflicts: 'skip',
  });
}

function gitNotes({ worktree }: Repository): readonly string[] {
  const operation = worktree.gitOperation();
  if (operation === undefined) return [];
  return [`A ${operation} of git is in progress here; its state was left as it is, so it can be finished or aborted.`];
}

function describePlan(
  { kind, target, options, of }: OperationTask,
  { plan, token, context }: Pick<PlannedOperation, 'plan' | 'token' | 'context'>,
): Omit<OperationResult, 'dryRun' | 'note' | 'notes'> {
  const files = plan.files.map((file) => reported(plainFile(file)));
  return {
    kind,
    plan: token,
    target: describeTarget(target),
    options,
    files,
    totals: totalsOf(files),
    ...(context !== undefined && { context: context.changes }),
    partial: isPartial(files),
    ...(of !== undefined && { of: { id: of.id, kind: of.kind, at: of.at } }),
  };
}
