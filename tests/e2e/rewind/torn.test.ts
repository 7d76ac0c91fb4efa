/**
 * A rewind that is killed, stopped, or refused by the system at one of its calls: the tree is one of two, nothing is lost.
 * A selection; `npm run slow:rewind` tries every call of a larger one.
 */
import {
  imagesOf,
  killRewindGroup,
  StateTrial,
  stopRewind,
  tearRewind,
  tornTree,
  type TornTrial,
} from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';

const CHANGES = 14;

/** Numbers from 1 to `count`, evenly, the last one too. */
function spread(count: number, rounds: number): readonly number[] {
  return Array.from({ length: rounds }, (_, at) => 1 + Math.floor((at * (count - 1)) / (rounds - 1)));
}

const outcomes = (trials: readonly TornTrial[]): readonly string[] => [
  ...new Set(trials.map(({ outcome }) => outcome)),
];

describe('a torn rewind', () => {
  it('is completed or rolled back from what is on the disk before a call', async () => {
    const tree = await tornTree(CHANGES);
    const trial = await StateTrial.record(tree, ['--json', '--yes', 'rewind', tree.target, '--exact']);
    const images = [...new Set(imagesOf(trial.recording))];
    const ends = new Set<string>();
    for (const at of spread(images.length, 14)) {
      for (const rollBack of [false, true]) {
        const { outcome, problems } = await trial.recoverFrom(images[at - 1] ?? new Map(), rollBack);
        expect(problems, `${String(at)} of ${String(images.length)}`).toEqual([]);
        ends.add(outcome);
      }
    }
    expect([...ends].sort()).toEqual(['after', 'before', 'completed', 'rolled back']);
    // A disk that fills up amid the content of one of many files: those that were asked for with it are not waited for.
    const { calls } = trial.recording;
    const at = calls.findIndex(({ what }) => /^writeSync .*-after-staged-/.test(what)) + 1;
    const full = await tearRewind(tree, { at, act: 'ENOSPC', kinds: 'changes' }, { rollBack: false });
    expect(full).toMatchObject({ struck: true, outcome: 'before', problems: [], told: 'exit 17 worktree_full' });
  });

  it('leaves one of two trees when it is killed at a call', async () => {
    const tree = await tornTree(CHANGES);
    const { count } = await tearRewind(tree, { kinds: 'changes' }, { rollBack: false });
    const trials: TornTrial[] = [];
    for (const [round, at] of spread(count, 6).entries()) {
      const trial = await tearRewind(tree, { at, act: 'kill', kinds: 'changes' }, { rollBack: round % 2 === 0 });
      expect(trial.problems, `${String(at)}: ${trial.at ?? ''}`).toEqual([]);
      trials.push(trial);
    }
    expect(outcomes(trials)).toEqual(expect.arrayContaining(['before', 'completed', 'rolled back']));
  });

  it('is done, refused or open when a call fails', async () => {
    const tree = await tornTree(CHANGES);
    const { count } = await tearRewind(tree, { kinds: 'all' }, { rollBack: false });
    const errors = ['EIO', 'ENOSPC', 'EACCES'] as const;
    const trials: TornTrial[] = [];
    for (const [round, at] of spread(count, 6).entries()) {
      const act = errors[round % errors.length] ?? 'EIO';
      const trial = await tearRewind(tree, { at, act, kinds: 'all' }, { rollBack: round % 2 === 0 });
      expect(trial.problems, `${act} at ${String(at)}: ${trial.at ?? ''}, ${trial.told}`).toEqual([]);
      trials.push(trial);
    }
    expect(trials.filter(({ struck }) => struck).length).toBeGreaterThan(3);
    expect(trials.some(({ told }) => told !== 'exit 0')).toBe(true);
  });

  it('keeps others out as long as it lives, and with all its children killed leaves one of two trees', async () => {
    const tree = await tornTree(CHANGES);
    const { count } = await tearRewind(tree, { kinds: 'changes' }, { rollBack: false });
    const stop = await stopRewind(tree, Math.floor(count / 2), { rollBack: true });
    expect(stop).toMatchObject({ struck: true, outcome: 'rolled back', problems: [] });
    for (const after of [90, 200]) {
      expect(await killRewindGroup(tree, after, { rollBack: after === 200 })).toMatchObject({ problems: [] });
    }
  });
});
