/** The power goes in the middle of a capture or a rewind: what was not made durable is lost, every printed snapshot is there. */
import { rmSync } from 'node:fs';
import {
  diskManifest,
  noStrace,
  plainRepository,
  powerCuts,
  PowerTrial,
  Recorder,
  rewindRecovery,
  unbornRepository,
} from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { capture } from './support/acts.js';

const missing = noStrace();
const because = missing === undefined ? '' : ` (skipped: ${missing})`;
const SEED = 11;

describe.skipIf(missing !== undefined)('a power cut', () => {
  it(`takes no printed snapshot and leaves nothing that the next capture stumbles over${because}`, async () => {
    const fixture = plainRepository();
    const recorder = new Recorder(fixture);
    recorder.capture('-m', 'first');
    fixture.write('src/two.txt', 'changed\n');
    recorder.capture('-m', 'second');
    const cuts = powerCuts(recorder, 0, SEED);
    // The first one, in which nothing is there yet, one amid the second capture, and the last, in which both were printed.
    const amid = cuts.filter(({ acknowledged }) => acknowledged.length === 1);
    const chosen = [cuts[0], amid[Math.floor(amid.length / 2)], cuts.at(-1)];
    const trial = new PowerTrial(fixture, recorder);
    const printed = new Set<number>();
    for (const cut of chosen) {
      if (cut === undefined) throw new Error('there are too few cuts');
      printed.add(cut.acknowledged.length);
      expect(await trial.try(cut, true)).toBeUndefined();
    }
    expect([...printed].sort()).toEqual([0, 1, 2]);
  });

  it(`in a rewind leaves one of two trees, at once or after recover${because}`, async () => {
    const { recorder, trial } = await recordedRewind();
    const cuts = powerCuts(recorder, 0, SEED);
    const ends = new Set<number>();
    // The journal is in the middle of it.
    for (const share of [0.3, 0.5, 0.6, 0.7, 1]) {
      const cut = cuts.at(Math.floor(share * (cuts.length - 1))) ?? raise();
      ends.add(cut.acknowledged.length);
      expect(await trial.try(cut, false)).toBeUndefined();
    }
    expect([...ends].sort()).toEqual([0, 1]);
  });

  it(`in a rewind that syncs nothing does harm, which the trial has to see${because}`, async () => {
    const { recorder, trial } = await recordedRewind();
    const careless = recorder.operations.filter(({ kind }) => kind !== 'sync');
    recorder.operations.splice(0, recorder.operations.length, ...careless);
    const last = powerCuts(recorder, 0, SEED).filter(({ after }) => after === recorder.operations.length);
    const found = await trial.try(last[0] ?? raise(), false);
    expect(found?.problems.join('\n')).toMatch(/told as done: |a file was changed, and /);
  });

  it(`after a capture that syncs nothing does harm, which the trial has to see${because}`, async () => {
    const fixture = plainRepository();
    const recorder = new Recorder(fixture);
    recorder.capture('-m', 'first');
    // As if the program had never synced anything.
    const careless = recorder.operations.filter(({ kind }) => kind !== 'sync');
    recorder.operations.splice(0, recorder.operations.length, ...careless);
    const last = powerCuts(recorder, 0, SEED).filter(({ after }) => after === recorder.operations.length);
    const trial = new PowerTrial(fixture, recorder);
    const found = await trial.try(last[0] ?? raise(), false);
    expect(found?.problems.join('\n')).toMatch(/the next capture: exit|was printed and is gone/);
  });
});

/** Records a rewind that writes, removes and makes a file. */
async function recordedRewind(): Promise<{ readonly recorder: Recorder; readonly trial: PowerTrial }> {
  const fixture = unbornRepository();
  for (const name of ['changed', 'gone', 'same']) fixture.write(`src/${name}.txt`, `${name} then\n`);
  const { id } = await capture(fixture);
  const after = diskManifest(fixture);
  fixture.write('src/changed.txt', 'changed now\n');
  rmSync(fixture.path('src/gone.txt'));
  fixture.write('born/since.txt', 'born\n');
  const before = diskManifest(fixture);
  const recorder = new Recorder(fixture, 'worktree');
  recorder.rewind(id, '--exact');
  const check = rewindRecovery({ fixture, before, after, captures: 0 });
  return { recorder, trial: new PowerTrial(fixture, recorder, check) };
}

function raise(): never {
  throw new Error('there is no cut at the end');
}
