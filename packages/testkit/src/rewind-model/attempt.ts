/** Asks the subject for an operation: at once, by a plan that it made before, or torn in the middle and recovered. */
import type { OperationResult } from '@savepoint/core';
import { changedPaths, rawTree } from './raw-tree.js';
import type { OperationStep } from './script/steps.js';
import { answerOf, tearOperation } from './subject/program.js';
import { Refusal } from './subject/subject.js';
import type { World } from './world.js';

interface Recorded {
  readonly id: string;
  readonly safety: string;
}

export type Outcome =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** `at` is a time while it was at work, in milliseconds since 1970 UTC. */
  | {
      readonly kind: 'result';
      readonly result: OperationResult;
      readonly problems: readonly string[];
      readonly at: number;
    }
  /** Torn, and as if it had never begun; recorded where it had come that far, and then also as taken back. */
  | { readonly kind: 'untouched'; readonly recorded?: Recorded; readonly at: number }
  /** Torn after its end. */
  | { readonly kind: 'unseen'; readonly recorded: Recorded; readonly at: number };

export async function attempt(world: World, step: OperationStep, target: string): Promise<Outcome> {
  const at = Date.now();
  try {
    if (step.torn !== undefined) return { ...(await tear(world, step, target)), at };
    return { kind: 'result', at, ...(await carryOut(world, step, target)) };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return { kind: 'refused', refusal };
  }
}

interface Carried {
  readonly result: OperationResult;
  readonly problems: readonly string[];
}

async function carryOut({ subject, fixture }: World, step: OperationStep, target: string): Promise<Carried> {
  if (step.planned !== true) return { result: await subject.operate(step, { target }), problems: [] };
  const before = rawTree(fixture.root);
  const { plan, files } = await subject.operate(step, { target, dryRun: true });
  const strayed = changedPaths(before, rawTree(fixture.root)).map((path) => `the dry run changed ${path}`);
  const result = await subject.operate(step, { target, plan });
  const isExact = JSON.stringify(files) === JSON.stringify(result.files);
  return { result, problems: isExact ? strayed : [...strayed, 'it did something else than its plan said'] };
}

type Torn =
  | { readonly kind: 'result'; readonly result: OperationResult; readonly problems: readonly string[] }
  | { readonly kind: 'untouched'; readonly recorded?: Recorded }
  | { readonly kind: 'unseen'; readonly recorded: Recorded };

async function tear({ subject, fixture, newest }: World, step: OperationStep, target: string): Promise<Torn> {
  const { files } = await subject.operate(step, { target, dryRun: true });
  const before = rawTree(fixture.root);
  const run = await tearOperation(fixture, step, { target });
  if (run.struck === undefined) return { kind: 'result', result: answerOf<OperationResult>(run), problems: [] };
  const { outcome, result, left } = await subject.recover(step.torn?.rollBack === true);
  const foretold = new Set(files.filter(({ action }) => action === 'conflict').map(({ path }) => path));
  const problems = left.filter(({ path }) => !foretold.has(path)).map(({ path }) => `recover left ${path}`);
  if (result !== undefined) {
    // What is kept by design is not looked for again.
    const known = new Set(result.files.map(({ path }) => path));
    const byDesign = files.filter(({ action, path }) => action === 'skip' && !known.has(path));
    return { kind: 'result', result: { ...result, files: [...result.files, ...byDesign] }, problems };
  }
  const recorded = (await subject.operations()).find(({ id, kind }) => kind === step.do && id !== newest);
  const [last] = await subject.operations();
  const isNew = recorded !== undefined && last !== undefined && last.id !== newest;
  if (outcome === 'nothing' && isNew) return { kind: 'unseen', recorded };
  if (outcome === 'nothing' && changedPaths(before, rawTree(fixture.root)).length > 0) return { kind: 'untouched' };
  return { kind: 'untouched', ...(isNew && { recorded }) };
}
