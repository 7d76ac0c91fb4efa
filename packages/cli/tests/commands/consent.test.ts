/** Consent: who is asked what, before which call of the op. */
import { describe, expect, test } from 'vitest';
import { run, type Ran, type Setup } from '../fake-face.js';
import { PLANNED, REWOUND, UNDONE } from '../records.js';

const REMOVABLE = /Remove it too\? \[y\/N\]/;

function answer(request: unknown): unknown {
  const { dryRun, exact } = request as { dryRun?: boolean; exact?: boolean };
  const files = exact === true ? REWOUND.files.filter(({ reason }) => reason !== 'in_no_snapshot') : REWOUND.files;
  return { ...(dryRun === true ? PLANNED : REWOUND), files, plan: exact === true ? 'exact plan' : 'plain plan' };
}

function rewind(setup: Partial<Setup> & Pick<Setup, 'words'>): Promise<Ran> {
  return run({ answers: { rewind: answer, restore: answer, undo: UNDONE, redo: UNDONE }, ...setup });
}

const steps = ({ calls }: Ran): readonly unknown[] =>
  calls.map(({ request }) => ({ dryRun: request['dryRun'] === true, exact: request['exact'], plan: request['plan'] }));

describe('without a terminal', () => {
  test.each([
    [['rewind', 'a']],
    [['rewind', 'a', '--json']],
    [['rewind', 'a', '--plan', 'plain plan']],
    [['rewind', 'a', '--exact', 'path']],
  ])('%j is refused with 17 after a look at the plan', async (words) => {
    const ran = await rewind({ words });
    expect(ran.exitCode).toBe(17);
    expect(ran.out).toBe('');
    expect(ran.err).toContain('would change 5 paths');
    expect(steps(ran)).toMatchObject([{ dryRun: true }]);
  });

  test('a person at one is not asked with --json, whose output is one value', async () => {
    const ran = await rewind({ words: ['rewind', 'a', '--json'], columns: 80, typed: ['y', 'y'] });
    expect(ran.exitCode).toBe(17);
    expect(ran.out).toBe('');
  });

  test('nobody is asked where only the output is a terminal', async () => {
    expect((await rewind({ words: ['rewind', 'a'], columns: 80 })).exitCode).toBe(17);
  });

  test('--yes is the consent, and never implies --exact', async () => {
    const ran = await rewind({ words: ['rewind', 'a', '--yes'] });
    expect(steps(ran)).toEqual([{ dryRun: false, exact: false, plan: undefined }]);
    expect(ran.exitCode).toBe(3);
    expect(ran.err).toContain('incomplete: The rewind was done but left 2 paths as they were');
  });

  test.each([[['restore', 'a', 'path']], [['undo']], [['redo']]])('%j says enough', async (words) => {
    const ran = await rewind({ words });
    expect(ran.calls).toHaveLength(1);
    expect([0, 3]).toContain(ran.exitCode);
  });
});

describe('in a terminal', () => {
  const at = { columns: 100, environment: { NO_COLOR: '1' } };

  test('the plan is shown, and two times yes removes what is in no snapshot too', async () => {
    const ran = await rewind({ ...at, words: ['rewind', 'a'], typed: ['y', 'yes'] });
    expect(ran.out).toMatch(REMOVABLE);
    expect(steps(ran)).toEqual([
      { dryRun: true, exact: false, plan: undefined },
      { dryRun: true, exact: true, plan: undefined },
      { dryRun: false, exact: true, plan: 'exact plan' },
    ]);
  });

  test('no to the first question keeps these files and asks on', async () => {
    const ran = await rewind({ ...at, words: ['rewind', 'a'], typed: ['', 'Y'] });
    expect(steps(ran)).toEqual([
      { dryRun: true, exact: false, plan: undefined },
      { dryRun: false, exact: false, plan: 'plain plan' },
    ]);
  });

  test.each([[['n', 'n']], [['n', 'yep']], [['n']], [['y', 'no']]])('%j changes nothing', async (typed) => {
    const ran = await rewind({ ...at, words: ['rewind', 'a'], typed });
    expect(ran.exitCode).toBe(17);
    expect(ran.err).toContain('You did not agree');
    expect(steps(ran)).not.toContainEqual(expect.objectContaining({ dryRun: false }));
  });

  test('--exact and a token leave nothing to offer', async () => {
    const exact = await rewind({ ...at, words: ['rewind', 'a', '--exact'], typed: ['y'] });
    expect(exact.out).not.toMatch(REMOVABLE);
    expect(steps(exact)).toHaveLength(2);
    const planned = await rewind({ ...at, words: ['rewind', 'a', '--plan', 'plain plan'], typed: [] });
    expect(steps(planned)).toEqual([{ dryRun: false, exact: false, plan: 'plain plan' }]);
  });

  test('--yes asks nothing', async () => {
    const ran = await rewind({ ...at, words: ['rewind', 'a', '--yes'], typed: ['y', 'y'] });
    expect(ran.out).not.toContain('[y/N]');
    expect(steps(ran)).toEqual([{ dryRun: false, exact: false, plan: undefined }]);
  });

  test('restore asks before it changes files, but not for context or another directory', async () => {
    const files = await rewind({ ...at, words: ['restore', 'a', 'path'], typed: ['n'] });
    expect(files.exitCode).toBe(17);
    for (const words of [
      ['restore', 'a'],
      ['restore', 'a', 'path', '--to', 'out'],
    ]) {
      expect(steps(await rewind({ ...at, words, typed: [] }))).toMatchObject([{ dryRun: false }]);
    }
  });
});

test('a dry run exits 0 and prints only the token with --quiet', async () => {
  const ran = await rewind({ words: ['rewind', 'a', '--dry-run', '--quiet'] });
  expect(ran).toMatchObject({ exitCode: 0, out: 'plain plan\n', err: '' });
});
