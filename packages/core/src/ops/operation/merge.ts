/** The part of an operation that is about the context: a restore adds to it, a rewind sets its windows; an undo takes exactly that back. */
import { formatTime } from '../../base/clock.js';
import { CONTEXT_FOLDER, TRANSCRIPT_FOLDER } from '../../format/v1/layout.js';
import {
  CONTEXT_KINDS,
  type ContextCount,
  type OperationBody,
  type OperationId,
  type OperationKind,
  type OperationOptions,
} from '../../model/operation.js';
import type { ContextPlan } from '../../timeline/merge/context-plan.js';
import { loadSnapshot, type LoadedSnapshot } from '../../timeline/snapshot/load.js';
import type { Store } from '../../store/store.js';
import type { RecordDraft } from '../../timeline/save/records/record-draft.js';
import { folderTree } from '../../timeline/snapshot/slices.js';
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

export function asksForRecords({ options }: MergeTask): boolean {
  return options.context || options.merge !== undefined;
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
  const { kind, target, options, of, session } = task;
  const { snapshot: present, live: found } = records ?? { snapshot: undefined };
  const live = session ?? found;
  const { merge } = options;
  const isUndo = kind === 'undo' && of !== undefined;
  if (merge === undefined && of?.options.merge === undefined) {
    // Mostly it is the same, and then nothing of it need be read.
    if (present === undefined || isSameContext(present, target)) return undefined;
    return windowsOf(store, { present, target, ...(isUndo && { operation: of.id }) });
  }
  const { planMerge, planTakeBack } = await import('../../timeline/merge/context-plan.js');
  if (merge === undefined) return of && planTakeBack(store, present, of.id);
  return planMerge(store, { target, slices: merge, present, ...(live !== undefined && { live }) });
}

interface Windows {
  readonly present: LoadedSnapshot;
  readonly target: LoadedSnapshot;
  /** Of an undo. */
  readonly operation?: OperationId;
}

/** Returns nothing where the windows are right already. */
async function windowsOf(store: Store, { present, target, operation }: Windows): Promise<ContextPlan | undefined> {
  const { planFormerWindows, planWindows } = await import('../../timeline/merge/window-plan.js');
  const { demandRecords } = await import('./sound-records.js');
  await demandRecords(store, target, [CONTEXT_FOLDER]);
  const plan =
    operation === undefined
      ? await planWindows(store, { present, target })
      : await planFormerWindows(store, { present, target, operation });
  // What is named again stands in the present's own log.
  if (plan.contents.size > 0) await demandRecords(store, target, [TRANSCRIPT_FOLDER]);
  return plan.windows?.length === 0 && plan.sessions.length === 0 ? undefined : plan;
}

function isSameContext(a: LoadedSnapshot, b: LoadedSnapshot): boolean {
  return folderTree(a, CONTEXT_FOLDER) === folderTree(b, CONTEXT_FOLDER);
}

/** Returns how many of each kind, for the record of the operation. */
export function countChanges({ changes }: ContextPlan): readonly ContextCount[] {
  return CONTEXT_KINDS.flatMap((kind) =>
    (['add', 'remove'] as const).flatMap((action) => {
      const count = changes.filter((change) => change.kind === kind && change.action === action).length;
      return count === 0 ? [] : [{ action, kind, count }];
    }),
  );
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
