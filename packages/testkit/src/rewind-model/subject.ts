/** What the model looks at: the verbs of core, each in a repository opened anew, as a process of its own would have it. */
import {
  capture,
  openRepository,
  redo,
  restore,
  rewind,
  undo,
  type OperationResult,
  type Repository,
} from '@savepoint/core';
import { gitEnvironment } from '../environment.js';
import type { FixtureRepository } from '../repository.js';
import { isReturn, type OperationStep } from './steps.js';

export interface Subject {
  capture(): Promise<{ readonly id: string; readonly unchanged: boolean }>;
  /** `target` is the id of the snapshot for steps that name one. */
  operate(
    step: OperationStep,
    more: { readonly target: string; readonly dryRun?: boolean; readonly plan?: string },
  ): Promise<OperationResult>;
}

export function subjectIn({ root, home }: FixtureRepository): Subject {
  const within = async <T>(work: (repository: Repository) => Promise<T>): Promise<T> => {
    const { repository } = await openRepository({ directory: root, env: gitEnvironment(home), home });
    try {
      return await work(repository);
    } finally {
      await repository.close();
    }
  };
  return {
    capture: () => within((repository) => capture({ repository, transcript: false })),
    operate: (step, { target, ...more }) =>
      within((repository) => {
        const { session } = step;
        const request = { repository, ...more, ...(session !== undefined && { session }) };
        if (isReturn(step)) return step.do === 'undo' ? undo(request) : redo(request);
        const { exact, paths } = step;
        const named = { ...request, selector: target, exact, ...(paths !== undefined && { paths }) };
        if (step.do === 'rewind') return rewind(named);
        return restore(paths === undefined ? { ...named, slice: 'worktree' } : named);
      }),
  };
}
