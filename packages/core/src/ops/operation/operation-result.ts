/** What a verb that changes the worktree takes and gives, and how its result is put together. */
import { shortId } from '../../format/v1/body.js';
import type { FileOutcome, OperationKind, OperationOptions } from '../../model/operation.js';
import type { SnapshotBody } from '../../model/snapshot.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import type { ContextChange } from '../../timeline/merge/context-plan.js';
import { sentenceFor } from '../../timeline/rewind/reasons.js';
import { isByDesign } from '../../timeline/rewind/token.js';
import type { ScanProgress } from '../../worktree/worktree.js';
import type { Repository } from '../repository/repository.js';

/** What every operation on the worktree can be told. */
export interface OperationRequest {
  readonly repository: Repository;
  /** Work out the plan and change nothing: no snapshot, no operation. */
  readonly dryRun?: boolean;
  /** Token of an earlier dry run: exactly that plan is carried out, or nothing; a dry run says whether it still fits. */
  readonly plan?: string;
  /** Also over files that another live session changed, and while an agent's turn is in progress. */
  readonly force?: boolean;
  /** The agent's session that asks; absent for a person. Its own turn is no obstacle to it. */
  readonly session?: string;
  readonly progress?: (progress: ScanProgress) => void;
  readonly signal?: AbortSignal;
}

/** One path of the plan or of what was done. */
export interface ReportedFile extends FileOutcome {
  /** Why, as a sentence for people; always beside `reason`. */
  readonly why?: string;
}

/** Paths by what happens to them; `bytes` is the size of all that is written. */
export interface FileTotals {
  readonly create: number;
  readonly overwrite: number;
  readonly delete: number;
  readonly mode: number;
  readonly skip: number;
  readonly conflict: number;
  readonly bytes: number;
}

/** What an operation does to the worktree, as a plan or as done. */
export interface OperationResult {
  readonly kind: OperationKind;
  readonly dryRun: boolean;
  /** Token of the plan, for `plan` of a later request. */
  readonly plan: string;
  /** Id of the operation that was recorded; absent for a dry run. */
  readonly operation?: string;
  /** Id of the snapshot that holds everything as it was just before; absent for a dry run. */
  readonly safety?: string;
  /** How many paths that snapshot had to leave out; none of them was touched. Absent where it holds everything. */
  readonly unsaved?: number;
  /** Id of the snapshot that follows the operation, whose `origin` names it; absent for a dry run. */
  readonly snapshot?: string;
  /** The snapshot whose state is brought back. */
  readonly target: {
    readonly id: string;
    readonly shortId: string;
    readonly createdAt: string;
    readonly message: string;
  };
  /** What was asked for. */
  readonly options: OperationOptions;
  /** True where the staged tree was asked for and could not be restored; `notes` says why. */
  readonly stagedLeft?: boolean;
  /** In byte order of the paths; what is right already is not listed. */
  readonly files: readonly ReportedFile[];
  readonly totals: FileTotals;
  /** What is added to the context, or taken back from it; absent where that was not asked for. */
  readonly context?: readonly ContextChange[];
  /** True where something was skipped or in conflict that is not ignored and no boundary: exit code 3. */
  readonly partial: boolean;
  /** Of `undo` and `redo`: the operation that was taken back or repeated. */
  readonly of?: { readonly id: string; readonly kind: OperationKind; readonly at: string };
  /** Facts for the agent whose files these are: what was done, from where to where, what was left out. */
  readonly note: string;
  /** Sentences for the user. */
  readonly notes: readonly string[];
}

export function describeTarget({ id, body }: LoadedSnapshot): OperationResult['target'] {
  return { id, shortId: shortId(id), createdAt: body.createdAt, message: body.message };
}

export function reported(file: FileOutcome): ReportedFile {
  return file.reason === undefined ? file : { ...file, why: sentenceFor(file.reason) };
}

/** What a safety snapshot had to leave out, for whoever relies on it. */
export function unsavedIn({ omitted }: Pick<SnapshotBody, 'omitted'>): Pick<OperationResult, 'unsaved'> {
  return omitted.length === 0 ? {} : { unsaved: omitted.length };
}

export function isPartial(files: readonly FileOutcome[]): boolean {
  return files.some(({ reason }) => reason !== undefined && !isByDesign(reason));
}

export function totalsOf(files: readonly FileOutcome[]): FileTotals {
  const count = (fits: (file: FileOutcome) => boolean) => files.filter(fits).length;
  const written = files.filter(({ action }) => action === 'write');
  return {
    create: written.filter(({ creates }) => creates === true).length,
    overwrite: written.filter(({ creates }) => creates !== true).length,
    delete: count(({ action }) => action === 'delete'),
    mode: count(({ action }) => action === 'mode'),
    skip: count(({ action }) => action === 'skip'),
    conflict: count(({ action }) => action === 'conflict'),
    bytes: written.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
  };
}
