/** Random steps: few names, so that they meet, and what they do to each other is often awkward. */
import type { CaptureStep, FileStep, GitStep, OperationStep, Step } from '@savepoint/testkit';
import fc from 'fast-check';

const NAMES = ['a', 'b', 'd', 'd/a', 'd/b', 'd/e', 'd/e/a', 'x.log', 'd/x.log', 'n', 'n/a', 'n/e/b', 'ä ö', 'A'];
const IGNORE_FILES = ['.gitignore', 'd/.gitignore', 'n/.gitignore', '.git/info/exclude'];
const PATTERNS = ['*.log', 'd/', '/a', '!x.log', '.gitignore', '*', 'e/', 'n', '!d/e/a', 'd/e/*'];
const TARGETS = ['a', 'd', '../beside/victim.txt', '../../beside', '.', 'nowhere'];
const MODES = [0o600, 0o400, 0o755, 0o644, 0o700];
const TEXTS = ['', 'one\n', 'two\n', 'tri\n', 'a longer text\r\n', '\0\u00ff'];
const GIT: readonly (readonly string[])[] = [
  ['add', '-A'],
  ['commit', '-qm', 'random'],
  ['commit', '-qam', 'all', '--allow-empty'],
  ['commit', '-q', '--amend', '-m', 'amended', '--allow-empty'],
  ['stash', 'push', '-q', '-u'],
  ['stash', 'pop', '-q'],
  ['checkout', '-q', '-b', 'side'],
  ['switch', '-q', 'main'],
  ['switch', '-q', 'side'],
  ['switch', '-q', '--detach'],
  ['merge', '-q', 'side'],
  ['merge', '-q', 'main'],
  ['merge', '--abort'],
  ['rebase', '-q', 'main'],
  ['rebase', '--abort'],
  ['reset', '-q', '--hard'],
  ['rm', '-q', '--cached', '-r', 'd'],
];

const name = fc.constantFrom(...NAMES);
const text = fc.constantFrom(...TEXTS);
const session = fc.option(fc.constantFrom('one', 'two'), { nil: undefined, freq: 3 });
const planned = fc.boolean();

const fileStep: fc.Arbitrary<FileStep> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('write' as const), name, text }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('append' as const), name, text }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('delete' as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('directory' as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('fifo' as const, 'nest' as const), name }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('rename' as const), name, to: name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('chmod' as const), name, mode: fc.constantFrom(...MODES) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('link' as const), name, target: fc.constantFrom(...TARGETS) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('ignore' as const),
      file: fc.constantFrom(...IGNORE_FILES),
      patterns: fc.array(fc.constantFrom(...PATTERNS), { maxLength: 2 }),
    }),
  },
);

const gitStep: fc.Arbitrary<GitStep> = fc.record({ do: fc.constant('git' as const), args: fc.constantFrom(...GIT) });
const captureStep: fc.Arbitrary<CaptureStep> = fc.record({ do: fc.constant('capture' as const) });

const operationStep: fc.Arbitrary<OperationStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .record({
        do: fc.constantFrom('rewind' as const, 'rewind' as const, 'restore' as const),
        back: fc.nat({ max: 11 }),
        paths: fc.option(fc.array(name, { minLength: 1, maxLength: 2 }), { nil: undefined, freq: 3 }),
        exact: fc.boolean(),
        session,
        planned,
      })
      .map(withoutUndefined),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ do: fc.constantFrom('undo' as const, 'undo' as const, 'redo' as const), session, planned })
      .map(withoutUndefined),
  },
);

function withoutUndefined<T extends object>(step: T): T & OperationStep {
  return Object.fromEntries(Object.entries(step).filter(([, value]) => value !== undefined)) as T & OperationStep;
}

export const randomSteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: fileStep },
    { weight: 2, arbitrary: gitStep },
    { weight: 2, arbitrary: captureStep },
    { weight: 5, arbitrary: operationStep },
  ),
  { minLength: 10, maxLength: 40, size: 'max' },
);
