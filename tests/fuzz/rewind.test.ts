/**
 * A random user, two agents and git between random captures, rewinds, restores, undos and redos, held against an
 * independent model. A small budget here; `npm run fuzz` for as long as one likes.
 */
import { play, programIn, removeTree, subjectIn, unbornRepository, type Played } from '@savepoint/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomPlays, type RandomPlay } from './random-steps.js';
import { REGRESSIONS } from './regressions.js';

const SEED = Number(process.env['SAVEPOINT_FUZZ_SEED'] ?? 20_261_121);
const SECONDS = Number(process.env['SAVEPOINT_FUZZ_SECONDS'] ?? 0);
const PROGRESS_MILLISECONDS = 60_000;

async function playOf({ face, steps }: RandomPlay): Promise<Played> {
  const fixture = unbornRepository();
  try {
    fixture.write('a', 'first\n');
    fixture.write('d/a', 'first\n');
    fixture.git('add', '-A');
    fixture.git('commit', '-qm', 'First');
    return await play(fixture, face === 'program' ? programIn(fixture) : subjectIn(fixture), steps);
  } finally {
    removeTree(fixture.base);
  }
}

test.each(Object.entries(REGRESSIONS))('once found: %s', async (_, steps) => {
  expect((await playOf({ face: 'library', steps })).problems).toEqual([]);
});

test(
  'no operation loses a byte, changes what it does not list, or misses its target',
  { timeout: (SECONDS + 600) * 1000 },
  async () => {
    let operations = 0;
    let told = Date.now();
    const property = fc.asyncProperty(randomPlays, async (random) => {
      const played = await playOf(random);
      operations += played.operations;
      expect(played.problems).toEqual([]);
      if (Date.now() - told < PROGRESS_MILLISECONDS) return;
      told = Date.now();
      console.log(`${String(operations)} operations so far`);
    });
    const budget = SECONDS > 0 ? { numRuns: 1_000_000, interruptAfterTimeLimit: SECONDS * 1000 } : { numRuns: 6 };
    const details = await fc.check(property, {
      seed: SEED,
      ...budget,
      interruptAfterTimeLimit: (SECONDS || 25) * 1000,
    });
    console.log(`seed ${String(SEED)}: ${String(operations)} operations in ${String(details.numRuns)} runs`);
    if (details.failed && details.counterexample !== null) {
      const [random] = details.counterexample;
      const { problems } = await playOf(random);
      const { face, steps } = random;
      const again = problems.length > 0 ? problems : ['It does not happen each time. The first time it was:'];
      const first = problems.length > 0 ? [] : [String(details.errorInstance)];
      throw new Error([...again, ...first, face, ...steps.map((step) => JSON.stringify(step))].join('\n'));
    }
    expect(operations).toBeGreaterThan(0);
  },
);
