/** The end of an operation, also of one that another process began: the files, the snapshot that follows, the record. */
import { ContextError, contextError, reasonOf } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import { fromRepoPath, toRepoPath, type BytePath } from '../../base/path.js';
import { shortId } from '../../format/v1/body.js';
import type { FileOutcome, FileReason } from '../../model/operation.js';
import type { StagedRecord } from '../../model/tree/staged.js';
import { blobOf } from '../../model/tree/tree-change.js';
import {
  appendOperation,
  draftRecord,
  type JournalWriter,
  type OperationDraft,
} from '../../timeline/operations/journal.js';
import type { ContextPlan } from '../../timeline/merge/context-plan.js';
import { operationNote } from '../../timeline/operations/note.js';
import type { CommitDraft } from '../../store/store.js';
import type { ChangeOutcome, ConflictReason, Replacement } from '../../worktree/replace/replacement.js';
import type { EarlyLook, OwnChanges } from '../../worktree/worktree.js';
import { captureStep } from '../capture-step/capture-step.js';
import type { FoundTranscript } from '../capture-step/capture-transcript.js';
import { amendment } from './merge.js';
import { isPartial, reported, totalsOf, type OperationResult } from './operation-result.js';
import type { Repository } from '../repository/repository.js';

/** What a replacement carries along, so that any process can finish the operation. */
export interface OperationNote {
  readonly record: OperationDraft;
  readonly token: string;
  readonly target: OperationResult['target'];
  readonly of?: NonNullable<OperationResult['of']>;
  readonly unsaved?: number;
  /** What the index is to say, where it was asked for. */
  readonly staged?: StagedRecord;
}

export function encodeNote(note: OperationNote): JsonObject {
  return JSON.parse(JSON.stringify(note)) as JsonObject;
}

/** Reads back what `encodeNote` gave; the journal checks that its bytes are whole. */
export function decodeNote(note: JsonObject): OperationNote {
  return note as unknown as OperationNote;
}

export interface Ending {
  readonly note: OperationNote;
  /** Absent where no file had to be changed. */
  readonly replacement?: Replacement;
  /** Began before the files were changed, for the snapshot that follows. */
  readonly look?: EarlyLook | undefined;
  readonly found: FoundTranscript;
  /** Paths that are only listed: kept by design. */
  readonly listed: readonly FileOutcome[];
  readonly notes: readonly string[];
  /** What is added to the context, or taken back, in the snapshot that follows. */
  readonly context?: ContextPlan;
}

/**
 * Applies; captures what is there then and records; lets go, in this order: whoever dies in between, or cannot go on,
 * leaves a replacement that any process can finish.
 * @throws what `Replacement.apply` does; restore_interrupted where the record cannot be written
 */
export async function finishOperation(repository: Repository, ending: Ending): Promise<OperationResult> {
  try {
    return await finish(repository, ending);
  } catch (error) {
    ending.replacement?.leave();
    throw error;
  } finally {
    await ending.look?.end();
  }
}

async function finish(repository: Repository, ending: Ending): Promise<OperationResult> {
  const { note, replacement } = ending;
  const outcomes = (await replacement?.apply()) ?? [];
  const record = { ...note.record, files: settledFiles(note.record.files, outcomes) };
  const staged = await restoreStaged(repository, note);
  const { at, ...after } = await captureAndRecord(repository, record, ending);
  const late = (await replacement?.close()) ?? [];
  const problems = [staged, after.problem, ...outcomes.map(lostBits)].filter((problem) => problem !== undefined);
  const notes = [...ending.notes, ...problems, ...[...outcomes, ...late].flatMap(lateEdit)];
  const described = describeRecord({ ...record, at }, ending);
  return {
    ...described,
    ...(staged !== undefined && { stagedLeft: true, note: `${described.note}\nThe staged tree was not restored.` }),
    ...(after.id !== undefined && { snapshot: after.id }),
    ...(problems.length > 0 && { partial: true }),
    notes,
  };
}

function describeRecord(
  record: OperationDraft & { readonly at: string },
  { note, listed, context }: Ending,
): Omit<OperationResult, 'notes'> {
  const { kind, id, safety, options } = record;
  const files = inOrder([...record.files, ...listed]).map(reported);
  return {
    kind,
    dryRun: false,
    plan: note.token,
    operation: id,
    safety,
    ...(note.unsaved !== undefined && { unsaved: note.unsaved }),
    target: note.target,
    options,
    files,
    totals: totalsOf(files),
    ...(context !== undefined && { context: context.changes }),
    partial: isPartial(files),
    ...(note.of !== undefined && { of: note.of }),
    note: operationNote(record),
  };
}

const REASONS: Readonly<Record<Exclude<ConflictReason, 'permissions'>, FileReason>> = {
  changed: 'changed',
  no_directory: 'no_directory',
  not_empty: 'occupied',
  mounted: 'mounted',
};

/** What became of the plan: a path that was found otherwise was left alone, and counts as a conflict. */
function settledFiles(planned: readonly FileOutcome[], outcomes: readonly ChangeOutcome[]): readonly FileOutcome[] {
  const left = new Map<BytePath, FileOutcome>();
  for (const { path, result, reason } of outcomes) {
    if (reason === 'permissions') continue;
    if (result === 'conflict')
      left.set(path, { ...toRepoPath(path), action: 'conflict', reason: REASONS[reason ?? 'changed'] });
    if (result === 'kept')
      left.set(path, { ...toRepoPath(path), action: 'skip', type: 'directory', reason: 'occupied' });
  }
  const known = planned.map((file) => left.get(fromRepoPath(file)) ?? file);
  const paths = new Set(planned.map(fromRepoPath));
  return inOrder([...known, ...[...left].filter(([path]) => !paths.has(path)).map(([, file]) => file)]);
}

function inOrder<T extends FileOutcome>(files: readonly T[]): readonly T[] {
  const keyed = files.map((file) => [fromRepoPath(file), file] as const);
  return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, file]) => file);
}

function lostBits({ path, reason }: ChangeOutcome): string | undefined {
  if (reason !== 'permissions') return undefined;
  return `The system did not let all permission bits of ${JSON.stringify(toRepoPath(path).path)} be set.`;
}

function lateEdit({ path, keptAs }: ChangeOutcome): readonly string[] {
  if (keptAs === undefined) return [];
  const [name, kept] = [path, keptAs].map((one) => JSON.stringify(toRepoPath(one).path));
  return [`Somebody wrote to ${name ?? ''} in the moment when it was replaced; what was written is in ${kept ?? ''}.`];
}

async function restoreStaged({ worktree }: Repository, { staged }: OperationNote): Promise<string | undefined> {
  if (staged === undefined) return undefined;
  try {
    await worktree.restoreIndex(staged);
    return undefined;
  } catch (error) {
    if (!(error instanceof ContextError)) throw error;
    // By itself it changed nothing, but the files were restored before it.
    return `The staged tree was not restored: ${reasonOf(error)}`;
  }
}

interface Concluded {
  /** When the operation was recorded. */
  readonly at: string;
  /** Of the snapshot that follows it. */
  readonly id?: string;
  readonly problem?: string;
}

/** The snapshot that follows and the record become visible in one moment; until then the replacement stays open. */
async function captureAndRecord(
  repository: Repository,
  record: OperationDraft,
  { replacement, look, found, context }: Ending,
): Promise<Concluded> {
  const { kind, id: operation, target } = record;
  const journal = journalOf(repository);
  let at = '';
  const beside = async (): Promise<CommitDraft | undefined> => {
    const { body, commit } = await draftRecord(journal, record);
    at = body.at;
    return commit;
  };
  try {
    const { saved } = await captureStep({
      repository,
      found,
      trigger: { kind: 'automatic', reason: kind },
      message: `After ${kind} to ${shortId(target)}`,
      origin: { kind, from: target, operation },
      beside,
      ...(context !== undefined && { amend: amendment(repository, { plan: context, operation }) }),
      ...(look !== undefined && { own: ownChanges(look, replacement) }),
      ...(replacement !== undefined && { replacement: replacement.id }),
    });
    return { at, id: saved.id };
  } catch (error) {
    // What is done to a context is done by that snapshot alone: where it was all that was asked for, nothing happened.
    if (!(error instanceof ContextError) || (context !== undefined && !record.options.files)) throw error;
    // By now the files are as they should be: what cannot be captured is said, and no reason to take all back.
    const { context: unset, ...done } = record;
    const recorded = await recordOperation(journal, done, replacement);
    const also = unset === undefined ? '' : ' The context was not set.';
    return { at: recorded.at, problem: `What is there now could not be captured: ${reasonOf(error)}${also}` };
  }
}

function ownChanges(look: EarlyLook, replacement: Replacement | undefined): OwnChanges {
  const changes = replacement?.changes ?? [];
  // All of it was read a moment ago, from the store.
  const stored = changes.flatMap(({ before, after }) => [before, after].flatMap((state) => blobOf(state) ?? []));
  return { look, paths: changes.map(({ path }) => path), stored };
}

function journalOf({ store, keys, clock, id, self }: Repository): JournalWriter {
  return { store, keys, clock, repository: id, worktree: self.id };
}

/** Without its record an operation could not be undone: then it stays open, until the store can be written again. */
async function recordOperation(
  journal: JournalWriter,
  record: OperationDraft,
  replacement: Replacement | undefined,
): ReturnType<typeof appendOperation> {
  try {
    return await appendOperation(journal, record);
  } catch (error) {
    replacement?.leave();
    if (replacement === undefined || !(error instanceof ContextError)) throw error;
    const reason = `it could not be recorded (${error.message.replace(/\.$/, '')})`;
    throw contextError('restore_interrupted', { createdAt: replacement.createdAt, reason }, error);
  }
}
