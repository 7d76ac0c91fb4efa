/** Rewind, restore, undo and redo at the command line: the plan, the consent, the act, and what came of it. */
import {
  contextError,
  type ContextError,
  type OperationRequest,
  type OperationResult,
  type ScanProgress,
} from '@savepoint/core';
import type { Line } from '../../terminal/line.js';
import { isByDesign, operationView, planView, type OperationLayout } from '../../views/operation/operation.js';
import { counted } from '../../views/words/wording.js';
import type { Face, Outcome } from '../../face/command.js';
import { showScan } from '../../face/scan-progress.js';
import { operationRequest, type PlanOptions } from './request.js';

/** What this file adds to the request of an op. */
export interface OperationStep {
  readonly dryRun?: true;
  readonly plan?: string;
  readonly exact?: true;
  readonly signal?: AbortSignal;
  readonly progress: (progress: ScanProgress) => void;
}

export interface OperationCall<R extends OperationResult> {
  readonly face: Face;
  /** The verb. */
  readonly command: string;
  readonly dryRun: boolean;
  /** Token of the plan that the user has seen. */
  readonly plan: string | undefined;
  /** `demanded`: nothing is changed without a yes. `asked`: a person at a terminal is asked. `given`: the words say it. */
  readonly consent: 'demanded' | 'asked' | 'given';
  /** Whether it may be offered to remove also what is in no snapshot. */
  readonly offersExact: boolean;
  readonly perform: (step: OperationStep) => Promise<R>;
  /** Text of what was done, where it says more than that of every operation. */
  readonly view?: (result: R, layout: OperationLayout) => readonly Line[];
}

/**
 * Shows the plan, or asks where somebody is to be asked, carries it out, and says what came of it.
 * @throws consent_needed, consent_refused, and whatever the op throws: nothing was changed then
 */
export async function operationOutcome<R extends OperationResult>(call: OperationCall<R>): Promise<Outcome> {
  const { face, dryRun, perform, view = operationView } = call;
  const progress = showScan(face);
  if (dryRun) {
    const result = await perform({ dryRun: true, progress });
    return {
      data: result,
      lines: () => planView(result, face.layout),
      quiet: () => [result.plan],
      notes: result.notes,
    };
  }
  const consent = await askConsent(call);
  // Only from here on: while a question is open, Ctrl-C ends the process at once.
  const signal = face.interruption();
  const result = await perform({ ...consent, signal, progress });
  return {
    data: result,
    lines: () => view(result, { layout: face.layout, known: consent.plan !== undefined }),
    quiet: () => (result.operation === undefined ? [] : [result.operation]),
    notes: result.notes,
    problems: problemsOf(result),
    changed: true,
  };
}

interface StepCall<R extends OperationResult> {
  readonly face: Face;
  readonly command: 'undo' | 'redo';
  readonly options: PlanOptions & { readonly 'dry-run': boolean };
  readonly perform: (request: OperationRequest) => Promise<R>;
}

/** Takes one step of what the user did before. It can itself be taken back, so the word is consent enough. @throws as `operationOutcome` */
export async function stepOutcome<R extends OperationResult>(call: StepCall<R>): Promise<Outcome> {
  const { face, command, options, perform } = call;
  const request = await operationRequest(face, [], options);
  return operationOutcome({
    face,
    command,
    dryRun: options['dry-run'],
    plan: options.plan,
    consent: 'given',
    offersExact: false,
    perform: (step) => perform({ ...request, ...step }),
  });
}

type Consent = Pick<OperationStep, 'plan' | 'exact'>;

async function askConsent<R extends OperationResult>(call: OperationCall<R>): Promise<Consent> {
  const { face, consent, plan } = call;
  const given = plan === undefined ? {} : { plan };
  if (consent === 'given' || face.globals.yes) return given;
  const person = face.person();
  if (person === undefined) {
    if (consent === 'asked') return given;
    throw contextError('consent_needed', await missingConsent(call));
  }
  if (plan !== undefined) return given;
  const progress = showScan(face);
  let shown = await call.perform({ dryRun: true, progress });
  person.show(planView(shown, face.layout));
  const kept = shown.files.filter(({ reason }) => reason === 'in_no_snapshot' || reason === 'before_session');
  const exact: { exact?: true } = {};
  if (call.offersExact && kept.length > 0 && person.agrees(removalQuestion(kept.length))) {
    exact.exact = true;
    shown = await call.perform({ dryRun: true, exact: true, progress });
    person.show(planView(shown, face.layout));
  }
  if (!person.agrees('Do this?')) throw contextError('consent_refused', { command: call.command });
  return { plan: shown.plan, ...exact };
}

// The plan is worked out all the same, so that what is wrong with the words is said first.
async function missingConsent<R extends OperationResult>({
  face,
  command,
  perform,
  plan,
}: OperationCall<R>): Promise<{
  readonly command: string;
  readonly count: number;
}> {
  const { totals } = await perform({ dryRun: true, ...(plan !== undefined && { plan }), progress: showScan(face) });
  const { create, overwrite, delete: removed, mode } = totals;
  return { command: `savepoint ${command}`, count: create + overwrite + removed + mode };
}

function removalQuestion(count: number): string {
  const files = counted(count, 'file');
  return count === 1
    ? 'One file would be kept although the snapshot does not have it. Remove it too?'
    : `${files} would be kept although the snapshot does not have them. Remove them too?`;
}

/** What was asked for and not done makes it a partial success. */
export function problemsOf({ partial, kind, files }: OperationResult): readonly ContextError[] {
  if (!partial) return [];
  const left = files.filter((file) => !isByDesign(file) && (file.action === 'skip' || file.action === 'conflict'));
  if (left.length === 0) return [contextError('operation_incomplete', { operation: kind })];
  return [contextError('files_left_out', { operation: kind, count: left.length })];
}
