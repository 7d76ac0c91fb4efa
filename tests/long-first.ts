/** The order in which test files begin. */
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take more than fifteen seconds, the longest first. vitest knows durations only where it ran before and begins with
 * large files elsewhere; a long one that begins last leaves all cores but one idle.
 */
export const LONG = [
  'tests/e2e/fixtures.test.ts',
  'tests/e2e/rewind/torn.test.ts',
  'packages/core/tests/worktree/replace/faults.test.ts',
  'tests/e2e/bytes.test.ts',
  'tests/house/breaks.test.ts',
  'tests/e2e/faults.test.ts',
  'tests/e2e/gc.test.ts',
  'tests/e2e/kill.test.ts',
  'tests/e2e/conversation.test.ts',
  'tests/e2e/power-cut.test.ts',
  'tests/e2e/tampering.test.ts',
  'tests/e2e/surroundings.test.ts',
  'tests/fuzz/rewind.test.ts',
  'tests/e2e/parallel.test.ts',
  'tests/e2e/rewind/preview.test.ts',
  'tests/e2e/trust.test.ts',
  'packages/core/tests/worktree/scan.test.ts',
];

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    // Stable: what is not long stays in its order, and no file leaves its group.
    return [...usual].sort((a, b) => group(a) - group(b) || this.#rank(a) - this.#rank(b));
  }

  #rank({ moduleId }: TestSpecification): number {
    const at = LONG.indexOf(path.relative(this.ctx.config.root, moduleId).replaceAll(path.sep, '/'));
    return at === -1 ? LONG.length : at;
  }
}

function group({ project }: TestSpecification): number {
  return project.config.sequence.groupOrder;
}
