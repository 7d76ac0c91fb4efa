/** The part of an operation that is about the context: a restore adds to it, and an undo takes exactly that back. */
import { formatTime } from '../../base/clock.js';
import {
  CONTEXT_KINDS,
  type ContextCount,
  type OperationBody,
  type OperationId,
  type OperationKind,
  type OperationOptions,
} from '../../model/operation.js';
import type { ContextPlan } from '../../timeline/merge/context-plan.js';
import { loadSnapshot, type LoadedSnapshot } from '../../timeline/load.js';
import type { RecordDraft } from '../../timeline/save/records/record-draft.js';
import { TIMELINES } from '../../timeline/view.js';
import { findTranscriptOfOperation } from '../capture-step/capture-transcript.js';
import type { Repository } from '../repository/repository.js';

/** What is asked for. */
export interface MergeTask {
  readonly kind: OperationKind;
  readonly target: LoadedSnapshot;
  readonly options: OperationOptions;
  /** The session that asks: into its context it is merged, whoever else is at work. */
  readonly session?: string;
  /** Of `undo` and `redo`: the operation that is taken back or repeated. */
  readonly of?: OperationBody;
}

/** The present, as far as records are concerned. */
export interface PresentRecords {
  /** The newest one; absent where nothing was captured yet. */
  readonly snapshot: LoadedSnapshot | undefined;
  /** The agent's session at work. */
  readonly live?: string;
}

export function asksForRecords({ kind, options, of }: MergeTask): boolean {
  return options.merge !== undefined || (kind === 'undo' && of?.options.merge !== undefined);
}

/** The records of the newest snapshot, for a plan that captures nothing. @throws object_missing; format_unreadable */
export async function recordsNow(repository: Repository): Promise<PresentRecords> {
  const { store, self } = repository;
  const head = await store.resolve(TIMELINES + self.timeline);
  const { session } = await findTranscriptOfOperation(repository);
  const snapshot = head === undefined ? undefined : await loadSnapshot(store, head);
  return { snapshot, ...(session !== undefined && { live: session.id }) };
}

/** Returns nothing where the operation is not about records. @throws object_missing; format_unreadable; digest_mismatch */
export async function planContext(
  { store }: Repository,
  task: MergeTask,
  records: PresentRecords | undefined,
): Promise<ContextPlan | undefined> {
  if (!asksForRecords(task)) return undefined;
  const { target, options, of, session } = task;
  const { snapshot: present, live: found } = records ?? { snapshot: undefined };
  const live = session ?? found;
  const { merge } = options;
  const { planMerge, planTakeBack } = await import('../../timeline/merge/context-plan.js');
  if (merge === undefined) return of && planTakeBack(store, present, of.id);
  return planMerge(store, { target, slices: merge, present, ...(live !== undefined && { live }) });
}

/** Returns how many of each kind, for the record of the operation. */
export function countChanges({ action, changes }: ContextPlan): readonly ContextCount[] {
  return CONTEXT_KINDS.flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [{ action, kind, count }];
  });
}

export interface Amendment {
  readonly plan: ContextPlan;
  readonly operation: OperationId;
}

/** Returns what changes the records of the snapshot that follows. */
export function amendment(
  { clock }: Repository,
  { plan, operation }: Amendment,
): (draft: RecordDraft) => Promise<void> {
  return async (draft) => {
    const { mergeContext } = await import('../../timeline/save/records/merged-context.js');
    await mergeContext(draft, { plan, operation, at: formatTime(clock.now()) });
  };
}
