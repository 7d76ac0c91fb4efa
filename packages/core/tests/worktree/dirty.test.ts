/** Whether the worktree is dirty, through a series of captures that remember: always what a capture from nothing says. */
import { cleanEnvironment, unbornRepository, type FixtureRepository } from '@savepoint/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openRepository } from '../../src/open/open-repository.js';
import { capture } from '../../src/ops/capture.js';
import { rmSync } from 'node:fs';

type Step = (fixture: FixtureRepository) => void;

const STEPS: Readonly<Record<string, Step>> = {
  edit: (fixture) => fixture.write('a.txt', `edited ${String(Math.random())}\n`),
  back: (fixture) => fixture.write('a.txt', 'a\n'),
  other: (fixture) => fixture.write('dir/b.txt', 'other\n'),
  otherBack: (fixture) => fixture.write('dir/b.txt', 'b\n'),
  add: (fixture) => fixture.write('new.txt', 'new\n'),
  drop: (fixture) => rmSync(fixture.path('new.txt'), { force: true }),
  stage: (fixture) => fixture.git('add', '-A'),
  commit: (fixture) => fixture.git('commit', '-qam', 'More', '--allow-empty'),
  hide: (fixture) => fixture.git('update-index', '--assume-unchanged', 'dir/b.txt'),
  show: (fixture) => fixture.git('update-index', '--no-assume-unchanged', 'dir/b.txt'),
};

async function isDirty(fixture: FixtureRepository, fresh: boolean): Promise<boolean> {
  const env = cleanEnvironment(fixture.home);
  const { repository } = await openRepository({ directory: fixture.root, env, home: fixture.home });
  try {
    return (await capture({ repository, transcript: false, fresh, message: 'x' })).anchor.dirty;
  } finally {
    await repository.close();
  }
}

test('is what a capture that remembers nothing says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...Object.keys(STEPS)), { minLength: 2, maxLength: 7 }),
      async (names) => {
        const fixture = unbornRepository();
        fixture.write('a.txt', 'a\n');
        fixture.write('dir/b.txt', 'b\n');
        fixture.git('add', '-A');
        fixture.git('commit', '-qm', 'First');
        for (const name of names) {
          STEPS[name]?.(fixture);
          const remembered = await isDirty(fixture, false);
          expect([name, remembered]).toEqual([name, await isDirty(fixture, true)]);
        }
      },
    ),
    { numRuns: 6 },
  );
}, 60_000);
