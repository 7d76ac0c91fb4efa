/** The verbs of core, each in a repository opened anew, as a process of its own would have it. */
import {
  asContextError,
  capture,
  openRepository,
  operations,
  recover,
  redo,
  restore,
  rewind,
  undo,
  type OperationRequest,
  type OperationResult,
  type Repository,
} from '@savepoint/core';
import { gitEnvironment } from '../../processes/environment.js';
import type { FixtureRepository } from '../../repositories/repository.js';
import { sessionOf } from '../script/agents-model.js';
import { isReturn, type OperationStep } from '../script/steps.js';
import { Refusal, type OperationDetail, type Subject } from './subject.js';

export function subjectIn({ root, home }: FixtureRepository): Subject {
  const within = async <T>(work: (repository: Repository) => Promise<T>): Promise<T> => {
    const { repository } = await openRepository({ directory: root, env: gitEnvironment(home), home });
    try {
      return await work(repository);
    } catch (error) {
      const { code, message, stack = '' } = asContextError(error);
      throw new Refusal(code, code === 'invariant_broken' ? `${message}\n${stack}` : message);
    } finally {
      await repository.close();
    }
  };
  return {
    capture: () => within((repository) => capture({ repository, transcript: false })),
    operate: (step, detail) => within((repository) => operate(repository, step, detail)),
    elsewhere: ({ paths }, selector, to) =>
      within((repository) => restore({ repository, selector, to, ...(paths !== undefined && { paths }) })),
    recover: (rollBack) => within((repository) => recover({ repository, rollBack })),
    operations: () => within(async (repository) => (await operations({ repository })).operations),
  };
}

function operate(
  repository: Repository,
  step: OperationStep,
  { target, ...more }: OperationDetail,
): Promise<OperationResult> {
  const { session, force = false } = step;
  const request: OperationRequest = {
    repository,
    ...more,
    force,
    ...(session !== undefined && { session: sessionOf(session) }),
  };
  if (isReturn(step)) return step.do === 'undo' ? undo(request) : redo(request);
  const { exact, paths, index = false } = step;
  const named = { ...request, selector: target, exact, ...(paths !== undefined && { paths }) };
  if (step.do === 'rewind') return rewind({ ...named, index });
  return restore(paths === undefined ? { ...named, slice: 'worktree' } : named);
}
