/** Random steps: few names, so that they meet, and what they do to each other is often awkward. */
import type { CaptureStep, ElsewhereStep, FileStep, GitStep, OperationStep, Step, TurnStep } from '@savepoint/testkit';
import fc from 'fast-check';

const NAMES = [
  'a',
  'b',
  'd',
  'd/a',
  'd/b',
  'd/e',
  'd/e/a',
  'x.log',
  'd/x.log',
  'n',
  'n/a',
  'n/e/b',
  'ä ö',
  'A',
  'w',
  'w/a',
];
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
  ['add', '-N', '.'],
  ['add', 'a', 'd/a'],
  ['cherry-pick', '-n', 'side'],
  ['update-index', '--assume-unchanged', 'a'],
  ['update-index', '--skip-worktree', 'd/a'],
  ['worktree', 'add', '-q', '-f', '--detach', '../other tree', 'HEAD'],
  ['worktree', 'add', '-q', '-f', '--detach', 'w', 'HEAD'],
  ['worktree', 'prune'],
  ['worktree', 'remove', '--force', 'w'],
];

const name = fc.constantFrom(...NAMES);
const text = fc.constantFrom(...TEXTS);
const agent = fc.constantFrom('one' as const, 'two' as const);
const paths = fc.option(fc.array(name, { minLength: 1, maxLength: 2 }), { nil: undefined, freq: 3 });
const seldom = fc.option(fc.constant(true as const), { nil: undefined, freq: 3 });
/** Of every operation. */
const asked = {
  session: fc.option(agent, { nil: undefined, freq: 3 }),
  planned: fc.option(fc.constant(true as const), { nil: undefined }),
  force: seldom,
};
// Most are torn among the calls by which files are replaced; a small operation makes some three hundred.
const torn = fc.record({ at: fc.integer({ min: 1, max: 320 }), rollBack: fc.boolean() });

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
const turnStep: fc.Arbitrary<TurnStep> = fc.record({
  do: fc.constant('turn' as const),
  agent,
  name,
  text,
  ended: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
});
const elsewhereStep: fc.Arbitrary<ElsewhereStep> = fc
  .record({ do: fc.constant('elsewhere' as const), back: fc.nat({ max: 11 }), paths })
  .map(withoutUndefined);
const captureStep: fc.Arbitrary<CaptureStep> = fc.record({ do: fc.constant('capture' as const) });

const operationStep: fc.Arbitrary<OperationStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .record({
        do: fc.constantFrom('rewind' as const, 'rewind' as const, 'restore' as const),
        back: fc.nat({ max: 11 }),
        paths,
        exact: fc.boolean(),
        index: seldom,
        ...asked,
      })
      .map(withoutUndefined),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ do: fc.constantFrom('undo' as const, 'undo' as const, 'redo' as const), ...asked })
      .map(withoutUndefined),
  },
);

/** An operation that is killed in the middle starts the real program, which takes its time: few are. */
const tornStep = fc.tuple(operationStep, torn).map(([step, where]): OperationStep => {
  const { planned, ...rest } = step;
  void planned;
  return { ...rest, torn: where };
});

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(step: T): Defined<T> {
  return Object.fromEntries(Object.entries(step).filter(([, value]) => value !== undefined)) as Defined<T>;
}

export interface RandomPlay {
  /** `program`: every verb is a process of its own, with the options of the command line. */
  readonly face: 'library' | 'program';
  readonly steps: readonly Step[];
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: fileStep },
    { weight: 5, arbitrary: gitStep },
    { weight: 3, arbitrary: turnStep },
    { weight: 5, arbitrary: captureStep },
    { weight: 12, arbitrary: operationStep },
    { weight: 1, arbitrary: elsewhereStep },
    { weight: 1, arbitrary: tornStep },
  ),
  { minLength: 10, maxLength: 40, size: 'max' },
);

export const randomPlays: fc.Arbitrary<RandomPlay> = fc.record({
  face: fc.oneof(
    { weight: 11, arbitrary: fc.constant('library' as const) },
    { weight: 1, arbitrary: fc.constant('program' as const) },
  ),
  steps,
});
