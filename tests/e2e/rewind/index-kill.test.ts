/** A rewind with --index that is killed while it writes the index: the next command ends it, and git can go on. */
import { recordCalls, savepoint, startNumbered, tornTree, untilNobodyWorksIn } from '@savepoint/testkit';
import { expect, it } from 'vitest';

const CHANGES = 12;
/** One of so many of the twenty calls; 1 for each. */
const EVERY = Number(process.env['SAVEPOINT_KILL_STEP'] ?? 3);
const AT_THE_INDEX = /\.git\/index(?!\.html)|read-tree|update-index/;

it('leaves one of two staged trees when it is killed around the index', async () => {
  const tree = await tornTree(CHANGES);
  const { fixture, target } = tree;
  const place = { cwd: fixture.root, home: fixture.home };
  const staged = (): string => fixture.git('ls-files', '--stage');
  const args = ['--json', '--yes', 'rewind', target, '--exact', '--index'];
  tree.reset();
  const before = staged();
  const { calls, code } = await recordCalls(fixture, args, [fixture.root]);
  expect(code).toBe(0);
  const after = staged();
  expect(after).not.toBe(before);
  const numbers = calls.flatMap(({ what }, at) => (AT_THE_INDEX.test(what) ? [at + 1] : []));
  // The lock, the draft, git and the rename.
  expect(numbers.length).toBeGreaterThan(6);
  const ends = new Set<string>();
  for (const [round, at] of numbers.filter((_, place) => place % EVERY === 0).entries()) {
    tree.reset();
    const run = await startNumbered(fixture, args, { at, act: 'kill', kinds: 'changes' }).end;
    expect(run.signal, calls[at - 1]?.what).toBe('SIGKILL');
    await untilNobodyWorksIn(fixture.base);
    const rollBack = round % 2 === 0;
    const answer = await savepoint(['--json', 'recover', ...(rollBack ? ['--roll-back'] : [])], place);
    expect(answer.code, `${calls[at - 1]?.what ?? ''}: ${answer.stderr}`).toBe(0);
    expect(staged()).toBe(rollBack ? before : after);
    ends.add(String(answer.json()['outcome' as never]));
    fixture.git('add', '-A');
    expect(fixture.git('ls-files', '--stage')).not.toBe('');
  }
  expect([...ends].sort()).toEqual(['completed', 'rolled_back']);
});
