/** Plays steps in a real repository and holds every operation against the laws. */
import { asContextError, type OperationResult } from '@savepoint/core';
import { diskManifest, manifestDifferences, snapshotManifest, storedFilesystem, type Manifest } from '../manifest.js';
import type { FixtureRepository } from '../repository.js';
import { storedSnapshots } from '../stored.js';
import { historyChanges, historyState } from './history-state.js';
import * as laws from './laws.js';
import { changedPaths, isSame, rawTree, type RawTree } from './raw-tree.js';
import { reportedBy } from './reported.js';
import { isReturn, type OperationStep, type Step } from './steps.js';
import type { Subject } from './subject.js';
import { undoModel, type Done, type UndoModel } from './undo-model.js';
import { actAsUser } from './user.js';

export interface Played {
  /** What broke a law, empty where all held. The first step that does ends the play. */
  readonly problems: readonly string[];
  /** Operations and captures that were carried out. */
  readonly operations: number;
}

interface World {
  readonly fixture: FixtureRepository;
  readonly subject: Subject;
  readonly undos: UndoModel;
  /** Ids, the newest last. */
  readonly snapshots: string[];
  /** Paths of files that a capture of the user holds. */
  readonly captured: Set<string>;
}

export async function play(fixture: FixtureRepository, subject: Subject, steps: readonly Step[]): Promise<Played> {
  const world: World = { fixture, subject, undos: undoModel(), snapshots: [], captured: new Set() };
  let operations = 0;
  await captureAll(world);
  for (const [at, step] of steps.entries()) {
    const problems = await playStep(world, step);
    if (problems === undefined) continue;
    operations += 1;
    if (problems.length > 0) {
      return { problems: problems.map((problem) => `step ${String(at)} (${step.do}): ${problem}`), operations };
    }
  }
  return { problems: [], operations };
}

async function playStep(world: World, step: Step): Promise<readonly string[] | undefined> {
  if (step.do === 'capture') return captureAll(world);
  if (isOperation(step)) return operate(world, step);
  actAsUser(world.fixture, step);
  return undefined;
}

function isOperation(step: Step): step is OperationStep {
  return step.do === 'rewind' || step.do === 'restore' || step.do === 'undo' || step.do === 'redo';
}

async function captureAll({ fixture, subject, snapshots, captured }: World): Promise<readonly string[]> {
  const before = diskManifest(fixture);
  const { id, unchanged } = await subject.capture();
  const held = manifestOf(fixture, id);
  if (!unchanged) for (const [path, { type }] of held) if (type !== 'directory') captured.add(path);
  if (snapshots.at(-1) !== id) snapshots.push(id);
  return manifestDifferences(before, held).map((line) => `the capture holds something else: ${line}`);
}

function commitOf(fixture: FixtureRepository, id: string): string {
  return storedSnapshots(fixture).find((snapshot) => snapshot.id === id)?.commit ?? id;
}

function manifestOf(fixture: FixtureRepository, id: string): Manifest {
  return snapshotManifest(fixture, commitOf(fixture, id));
}

async function operate(world: World, step: OperationStep): Promise<readonly string[] | undefined> {
  const { fixture, undos, snapshots } = world;
  const wanted = wantedBy(world, step);
  const before = rawTree(fixture.root);
  const present = diskManifest(fixture);
  const history = historyState(fixture.path('.git'));
  const beside = rawTree(fixture.beside);
  const outcome = await attempt(world, step, wanted?.target ?? '');
  const after = rawTree(fixture.root);
  const moved = [
    ...historyChanges(history, historyState(fixture.path('.git'))),
    ...changedPaths(beside, rawTree(fixture.beside)).map((path) => `outside of the worktree: ${path}`),
  ];
  if ('code' in outcome) return [...moved, ...refusalProblems(outcome, { before, after, next: wanted })];
  const { result } = outcome;
  if (wanted === undefined) return [`${step.do} found something to do where nothing was done`];
  const { safety = '', snapshot = '', operation = '' } = result;
  const manifest = diskManifest(fixture);
  const observed = observe(world, { before, after, result, present, manifest });
  const problems = [
    ...moved,
    ...outcome.problems,
    ...manifestDifferences(present, observed.safety).map((line) => `the safety snapshot holds something else: ${line}`),
    ...manifestDifferences(manifest, manifestOf(fixture, snapshot)).map(
      (line) => `the snapshot after it holds something else: ${line}`,
    ),
    ...lawsOfAll(world, observed, wanted),
    ...(step.do === 'undo' ? lawsOfUndo(observed, wanted) : lawsOfTarget(world, observed, wanted)),
  ];
  snapshots.push(safety, snapshot);
  undos.did(step.do, { ...wanted, operation, before, after }, step.session);
  return problems;
}

/** What the model says the step is about: what to go back to, or the operation to take back or repeat. */
function wantedBy({ snapshots, undos }: World, step: OperationStep): Done | undefined {
  if (isReturn(step)) return undos.next(step.do, step.session);
  const target = snapshots[snapshots.length - 1 - (step.back % snapshots.length)] ?? '';
  const nothing: RawTree = new Map();
  return { operation: '', target, paths: step.paths, exact: step.exact, before: nothing, after: nothing };
}

interface Refusal {
  readonly code: string;
  readonly message: string;
}

async function attempt(
  { subject, fixture }: World,
  step: OperationStep,
  target: string,
): Promise<Refusal | { readonly result: OperationResult; readonly problems: readonly string[] }> {
  try {
    if (step.planned !== true) return { result: await subject.operate(step, { target }), problems: [] };
    const before = rawTree(fixture.root);
    const { plan, files } = await subject.operate(step, { target, dryRun: true });
    const strayed = changedPaths(before, rawTree(fixture.root)).map((path) => `the dry run changed ${path}`);
    const result = await subject.operate(step, { target, plan });
    const isExact = JSON.stringify(files) === JSON.stringify(result.files);
    return { result, problems: isExact ? strayed : [...strayed, 'it did something else than its plan said'] };
  } catch (error) {
    const { code, message, stack = '' } = asContextError(error);
    return { code, message: code === 'invariant_broken' ? `${message}\n${stack}` : message };
  }
}

function refusalProblems(
  { code, message }: Refusal,
  { before, after, next }: { readonly before: RawTree; readonly after: RawTree; readonly next: Done | undefined },
): readonly string[] {
  const changed = changedPaths(before, after).map((path) => `refused, and yet it changed ${path}`);
  const isRight =
    next === undefined
      ? code === 'nothing_to_undo' || code === 'nothing_to_redo'
      : code === 'path_unknown' && next.paths !== undefined;
  return isRight ? changed : [...changed, `refused with ${code}: ${message}`];
}

interface Around {
  /** What a snapshot must hold, before and after. */
  readonly present: Manifest;
  readonly manifest: Manifest;
  readonly before: RawTree;
  readonly after: RawTree;
  readonly result: OperationResult;
}

function observe({ fixture }: World, around: Around): laws.Observed {
  const { safety = '', target } = around.result;
  return {
    ...around,
    reported: reportedBy(around.result),
    safety: manifestOf(fixture, safety),
    target: manifestOf(fixture, target.id),
    targetFilesystem: storedFilesystem(fixture, commitOf(fixture, target.id)),
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

/** What the operation had changed is as it was before it; straight after it, that goes for directories too. */
function lawsOfUndo({ before, after, result, reported, anyMode }: laws.Observed, taken: Done): readonly string[] {
  const isStraight = changedPaths(taken.after, before).length === 0;
  const wrong = changedPaths(taken.before, taken.after).filter((path) => {
    const [was, is] = [taken.before.get(path), after.get(path)];
    if (isSame(was, is) || reported.isExcused(path)) return false;
    if (anyMode.has(path) && was?.type === is?.type) return false;
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
