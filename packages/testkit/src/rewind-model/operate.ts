/** One operation: what was there before and after, what it says, and whether the laws hold. */
import type { OperationResult } from '@savepoint/core';
import { nulFields } from '../processes/git.js';
import { diskManifest, manifestDifferences, type Manifest } from '../manifest.js';
import { attempt, type Outcome } from './attempt.js';
import { historyChanges, historyState } from './history-state.js';
import * as laws from './laws.js';
import { changedPaths, isSame, rawTree, type RawTree } from './raw-tree.js';
import { keyOf, reportedBy } from './reported.js';
import { isReturn, type OperationStep } from './script/steps.js';
import type { Refusal } from './subject/subject.js';
import type { Done } from './undo-model.js';
import type { World } from './world.js';

export async function operate(world: World, step: OperationStep): Promise<readonly string[]> {
  const { fixture, snapshots, undos } = world;
  const wanted = wantedBy(world, step);
  const before = rawTree(fixture.root);
  const present = diskManifest(fixture);
  const history = historyState(fixture.path('.git'));
  const beside = rawTree(fixture.beside);
  const outcome = await attempt(world, step, wanted?.target ?? '');
  const after = rawTree(fixture.root);
  const withIndex = outcome.kind === 'result' ? outcome.result.options.index : wanted?.index === true;
  const moved = [
    ...historyChanges(history, historyState(fixture.path('.git'))).filter(
      (name) => !withIndex || !/'s index /.test(name),
    ),
    ...changedPaths(beside, rawTree(fixture.beside)).map((path) => `outside of the worktree: ${path}`),
  ];
  if (outcome.kind === 'refused')
    return [...moved, ...refusalProblems(world, { step, wanted, before, after, ...outcome })];
  if (wanted === undefined) return [`${step.do} found something to do where nothing was done`];
  if (outcome.kind !== 'result')
    return [...moved, ...(await withoutResult(world, { step, wanted, before, after, outcome }))];
  const { result } = outcome;
  const { safety = '', snapshot, operation = '' } = result;
  const manifest = diskManifest(fixture);
  const taken = await takenBy(world, step, wanted);
  const observed = { ...(await observe(world, { before, after, result, present, manifest })), ...taken };
  const held = snapshot === undefined ? undefined : await world.stored.of(snapshot);
  const problems = [
    ...moved,
    ...outcome.problems,
    ...manifestDifferences(present, observed.safety).map((line) => `the safety snapshot holds something else: ${line}`),
    ...(held === undefined ? ['no snapshot follows it'] : manifestDifferences(manifest, held.manifest)).map(
      (line) => `the snapshot after it holds something else: ${line}`,
    ),
    ...lawsOfAll(world, observed, wanted),
    ...(await lawsOfOthers(world, { step, observed, wanted })),
    ...(await lawsOfIndex(world, result)),
    ...(step.do === 'undo' ? lawsOfUndo(observed, wanted) : lawsOfTarget(world, observed, wanted)),
  ];
  snapshots.push(safety, ...(snapshot === undefined ? [] : [snapshot]));
  world.newest = operation;
  undos.did(step.do, { ...wanted, operation, before, after, at: outcome.at }, step.session);
  return problems;
}

/** What the model says the step is about: what to go back to, or the operation to take back or repeat. */
function wantedBy({ snapshots, undos }: World, step: OperationStep): Done | undefined {
  if (isReturn(step)) return undos.next(step.do, step.session);
  const target = snapshots[snapshots.length - 1 - (step.back % snapshots.length)] ?? '';
  const nothing: RawTree = new Map();
  const { exact, force = false, index = false } = step;
  const about = { paths: step.paths?.map(keyOf), exact, force, index: step.do === 'rewind' && index };
  return { operation: '', target, ...about, before: nothing, after: nothing, at: 0 };
}

interface Refused {
  readonly step: OperationStep;
  readonly wanted: Done | undefined;
  readonly before: RawTree;
  readonly after: RawTree;
  readonly refusal: Refusal;
}

function refusalProblems(world: World, { step, wanted, before, after, refusal }: Refused): readonly string[] {
  const { code, message } = refusal;
  const changed = changedPaths(before, after).map((path) => `refused, and yet it changed ${path}`);
  const isBusy = world.agents.isBusyFor(step.session) && step.force !== true;
  const isRight =
    wanted === undefined
      ? code === 'nothing_to_undo' || code === 'nothing_to_redo'
      : (code === 'path_unknown' && wanted.paths !== undefined) || (code === 'agent_at_work' && isBusy);
  return isRight ? changed : [...changed, `refused with ${code}: ${message}`];
}

interface Resultless extends Omit<Refused, 'refusal' | 'wanted'> {
  readonly wanted: Done;
  readonly outcome: Extract<Outcome, { readonly kind: 'untouched' | 'unseen' }>;
}

/** A torn one that was taken back or had not begun, or that had come to its end without having been able to say so. */
async function withoutResult(
  world: World,
  { step, wanted, before, after, outcome }: Resultless,
): Promise<readonly string[]> {
  const { undos, stored } = world;
  const { recorded } = outcome;
  const done = { ...wanted, before, after, at: outcome.at, operation: recorded?.id ?? '' };
  if (recorded !== undefined) undos.did(step.do, done, step.session);
  if (outcome.kind === 'unseen') {
    const { manifest: safety } = await stored.of(outcome.recorded.safety);
    return laws.nothingIsLost({ before, after, safety, ...(await takenBy(world, step, wanted)) });
  }
  if (recorded !== undefined) undos.takenBack(step.do, step.session);
  const moved = [...before].filter(
    ([path, { type, modified }]) => type === 'file' && after.get(path)?.modified !== modified,
  );
  return [...changedPaths(before, after), ...moved.map(([path]) => path)].map((path) => `not taken back: ${path}`);
}

/** What is taken back, of an undo. */
async function takenBy(
  { stored }: World,
  { do: verb }: OperationStep,
  { target, before, after }: Done,
): Promise<Pick<laws.Observed, 'taken'>> {
  return verb === 'undo' ? { taken: { brought: (await stored.of(target)).manifest, before, after } } : {};
}

interface Around {
  /** What a snapshot must hold, before and after. */
  readonly present: Manifest;
  readonly manifest: Manifest;
  readonly before: RawTree;
  readonly after: RawTree;
  readonly result: OperationResult;
}

async function observe({ stored }: World, around: Around): Promise<laws.Observed> {
  const { safety = '', target } = around.result;
  const { manifest, filesystem } = await stored.of(target.id);
  return {
    ...around,
    reported: reportedBy(around.result),
    safety: (await stored.of(safety)).manifest,
    target: manifest,
    targetFilesystem: filesystem,
    anyMode: new Set([...around.present, ...around.manifest].flatMap(([path, { anyMode }]) => (anyMode ? [path] : []))),
  };
}

function lawsOfAll({ captured }: World, observed: laws.Observed, { exact }: Done): readonly string[] {
  const isUndo = observed.result.kind === 'undo';
  return [
    ...laws.nothingIsLost(observed),
    ...laws.onlyListedChanged(observed),
    ...laws.listedIsDone(observed),
    ...laws.partialIsHonest(observed),
    ...laws.absenceIsPositive(observed, { exact: exact || isUndo, captured }),
  ];
}

function lawsOfTarget({ captured }: World, observed: laws.Observed, wanted: Done): readonly string[] {
  const { result } = observed;
  return [
    ...(result.target.id === wanted.target ? [] : ['it went back to another snapshot']),
    ...(result.of === undefined || result.of.id === wanted.operation ? [] : ['it repeated another operation']),
    ...laws.scopeEqualsTarget(observed, wanted.paths),
    ...laws.keptIsUnknown(observed, captured),
  ];
}

interface Other {
  readonly step: OperationStep;
  readonly observed: laws.Observed;
  readonly wanted: Done;
}

/** Nobody's turn is disturbed, and no session takes another's work back, unless told to. */
async function lawsOfOthers({ agents, stored }: World, { step, observed, wanted }: Other): Promise<readonly string[]> {
  const { session, force = false } = step;
  const forced = force || (step.do === 'redo' && wanted.force);
  if (forced) return laws.foreignIsKept(observed, new Set());
  const { session: ofTarget, createdAt } = await stored.of(observed.result.target.id);
  const foreign = agents.foreignTo({ session, ofTarget, since: step.do === 'undo' ? wanted.at : createdAt });
  const busy = agents.isBusyFor(session) ? ["it went on in the middle of an agent's turn"] : [];
  return [...busy, ...laws.foreignIsKept(observed, foreign)];
}

/** Where it was asked for, what is staged is as it was then. */
async function lawsOfIndex(
  { fixture, stored }: World,
  { options, target, notes }: OperationResult,
): Promise<readonly string[]> {
  if (!options.index || notes.some((note) => note.startsWith('The staged tree was not restored'))) return [];
  const { staged } = await stored.of(target.id);
  const found = new Set(nulFields(fixture.run({ args: ['ls-files', '-s', '-z'] }).stdout));
  const tail = (line: string): string => line.slice(line.indexOf(' '));
  const tails = new Set([...staged].filter((line) => line.startsWith('intended')).map(tail));
  const missing = [...staged].filter((line) => !line.startsWith('intended') && !found.has(line));
  const extra = [...found].filter((line) => !staged.has(line) && !tails.has(tail(line)));
  return [
    ...missing.map((line) => `not staged: ${line}`),
    ...extra.map((line) => `staged, and should not be: ${line}`),
  ];
}

/** What the operation had changed is as it was before it; straight after it, that goes for directories too. */
function lawsOfUndo({ before, after, result, reported, anyMode }: laws.Observed, taken: Done): readonly string[] {
  const isStraight = changedPaths(taken.after, before).length === 0;
  const wrong = changedPaths(taken.before, taken.after).filter((path) => {
    const [was, is] = [taken.before.get(path), after.get(path)];
    if (isSame(was, is)) return false;
    // Nobody touched what the operation wrote: that it is ignored is no reason to keep it.
    const isLeft = isStraight && reported.kept.get(path) === 'ignored' && taken.after.get(path)?.type !== 'directory';
    if (isLeft) return true;
    if (reported.isExcused(path)) return false;
    if (anyMode.has(path) && was?.type === is?.type) return false;
    // Where it made a directory and there is something else now, that is somebody's, and nothing that it changed.
    if (!isStraight && taken.after.get(path)?.type === 'directory') return false;
    return isStraight || (was?.type !== 'directory' && is?.type !== 'directory');
  });
  return [
    ...(result.of?.id === taken.operation ? [] : ['it took another operation back']),
    ...wrong.map(
      (path) =>
        `not undone: ${path} is ${after.get(path)?.type ?? 'absent'}, was ${taken.before.get(path)?.type ?? 'absent'}`,
    ),
  ];
}
