/** The same verbs by the real program: its options, its JSON, its errors. Paths go by `--paths0`. */
import type { OperationResult, OperationsResult, RecoverResult, RestoreResult } from '@savepoint/core';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startNumbered, type NumberedRun } from '../../crash/numbered-calls.js';
import { untilNobodyWorksIn } from '../../power/recovery.js';
import { savepoint, type ErrorOutput } from '../../processes/program.js';
import type { FixtureRepository } from '../../repositories/repository.js';
import { sessionOf } from '../script/agents-model.js';
import { isReturn, type OperationStep } from '../script/steps.js';
import { Refusal, type OperationDetail, type Subject } from './subject.js';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function programIn(fixture: FixtureRepository): Subject {
  const { root: cwd, home } = fixture;
  const run = async <T>(...args: readonly string[]): Promise<T> =>
    answerOf<T>(await savepoint(['--json', ...args], { cwd, home }));
  return {
    capture: () => run('capture', '--no-transcript'),
    operate: (step, detail) => run<OperationResult>(...operationArguments(fixture, step, detail)),
    elsewhere: ({ paths }, target, directory) => {
      const what = paths === undefined ? ['--slice', 'worktree'] : listed(fixture, paths);
      return run<RestoreResult>('restore', target, '--to', directory, ...what);
    },
    recover: (rollBack) => run<RecoverResult>('recover', ...(rollBack ? ['--roll-back'] : [])),
    operations: async () => (await run<OperationsResult>('operations')).operations,
  };
}

/** Starts an operation in the real program, and kills it at a call. */
export async function tearOperation(
  fixture: FixtureRepository,
  step: OperationStep,
  detail: OperationDetail,
): Promise<NumberedRun> {
  const args = ['--json', ...operationArguments(fixture, step, detail)];
  const at = step.torn?.at ?? 1;
  const run = await startNumbered(fixture, args, { at, act: 'kill', kinds: 'changes' }).end;
  await untilNobodyWorksIn(join(fixture.root, '.git'));
  return run;
}

/** Returns what the program printed. @throws Refusal */
export function answerOf<T>({ code, stdout, stderr }: Ended): T {
  if (code === 0 || code === 3) return JSON.parse(stdout) as T;
  const { error } = JSON.parse(stderr) as { readonly error: ErrorOutput };
  throw new Refusal(error.code, error.message);
}

function operationArguments(
  fixture: FixtureRepository,
  step: OperationStep,
  { target, dryRun = false, plan }: OperationDetail,
): readonly string[] {
  const { session, force = false } = step;
  const flags = [
    ...(session === undefined ? [] : ['--session', sessionOf(session)]),
    ...(plan === undefined ? [] : ['--plan', plan]),
    ...(dryRun ? ['--dry-run'] : ['--yes']),
    ...(force ? ['--force'] : []),
  ];
  if (isReturn(step)) return [step.do, ...flags];
  const { exact, index = false, paths } = step;
  const whole = step.do === 'restore' ? ['--slice', 'worktree'] : [];
  const what = paths === undefined ? whole : listed(fixture, paths);
  return [
    step.do,
    target,
    ...flags,
    ...(exact ? ['--exact'] : []),
    ...(index && step.do === 'rewind' ? ['--index'] : []),
    ...what,
  ];
}

function listed({ base }: FixtureRepository, paths: readonly string[]): readonly string[] {
  const file = join(base, 'paths0');
  writeFileSync(file, paths.map((path) => `${path}\0`).join(''));
  return ['--paths0', file];
}
