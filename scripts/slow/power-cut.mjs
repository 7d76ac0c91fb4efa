/** Power cuts of captures and a rewind. */
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  diskManifest,
  fakeAgent,
  noStrace,
  plainRepository,
  powerCuts,
  PowerTrial,
  pseudoRandom,
  Recorder,
  removeTemporaries,
  rewindRecovery,
  savepoint,
} from '@savepoint/testkit';
import { oneOf, readWords, seed as anySeed, whole } from './words.mjs';

const MINIMISED = 6;

const RECORDINGS = {
  'first captures': (fixture, recorder) => {
    recorder.capture('-m', 'first');
    fixture.write('src/two.txt', 'changed\n');
    recorder.capture('-m', 'second');
    fixture.write('born/new.bin', pseudoRandom(3, 20_000));
    fixture.git('status', '--short');
    recorder.capture('-m', 'third');
  },
  'objects of git that are not synced': (fixture, recorder) => {
    for (let at = 0; at < 60; at += 1) fixture.write(`many/${String(at)}.txt`, `${String(at)}\n`.repeat(at + 1));
    recorder.git('add', '-A');
    recorder.git('commit', '-qm', 'Many');
    fixture.write('many/3.txt', 'staged\n');
    recorder.git('add', 'many/3.txt');
    recorder.settle('objects');
    recorder.capture('-m', 'first');
    fixture.write('many/deep/one.txt', 'one\n');
    recorder.git('add', '-A');
    recorder.git('commit', '-qm', 'More');
    fixture.write('many/4.txt', 'staged too\n');
    recorder.git('add', 'many/4.txt');
    recorder.settle('objects');
    recorder.capture('-m', 'second');
  },
  'a transcript, packed refs, a gc': (fixture, recorder) => {
    const agent = fakeAgent({ configDirectory: join(fixture.base, 'claude'), cwd: fixture.root });
    agent.play(3);
    recorder.capture('--transcript', agent.file);
    recorder.git('pack-refs', '--all', '--prune');
    recorder.git('gc', '-q');
    recorder.settle();
    agent.play();
    recorder.capture('--transcript', agent.file);
  },
  'packs that are merged': async (fixture) => {
    const place = { cwd: fixture.root, home: fixture.home };
    for (let at = 0; at < 16; at += 1) {
      fixture.write('src/two.txt', `${String(at)}\n`);
      const { code, stderr } = await savepoint(['--json', 'capture', '-m', String(at)], place);
      if (code !== 0) throw new Error(stderr);
    }
    const again = new Recorder(fixture);
    again.capture('-m', 'merges');
    again.capture('-m', 'after it');
    return again;
  },
};

/** Of the recording that is not of captures alone: what its disks have to be besides. */
const CHECKS = {};

RECORDINGS['a rewind'] = async (fixture) => {
  const place = { cwd: fixture.root, home: fixture.home };
  // The model of a disk has no links.
  rmSync(fixture.path('link'));
  for (let at = 0; at < 12; at += 1)
    fixture.write(`many/${String(at)}.txt`, `then ${String(at)}\n`.repeat(at * 40 + 1));
  const first = await savepoint(['--json', 'capture'], place);
  if (first.code !== 0) throw new Error(first.stderr);
  const after = diskManifest(fixture);
  for (let at = 0; at < 6; at += 1) fixture.write(`many/${String(at)}.txt`, `now ${String(at)}\n`.repeat(at * 30 + 1));
  rmSync(fixture.path('many/7.txt'));
  rmSync(fixture.path('many/8.txt'));
  fixture.write('many/8.txt/inside.txt', 'a directory where a file was\n');
  chmodSync(fixture.path('many/9.txt'), 0o755);
  fixture.write('born/since.txt', 'born\n');
  const before = diskManifest(fixture);
  const recorder = new Recorder(fixture, 'worktree');
  recorder.rewind(first.json().id, '--exact');
  CHECKS['a rewind'] = rewindRecovery({ fixture, before, after, captures: 0 });
  return recorder;
};

const {
  cuts: budget,
  seed,
  recording: only,
} = readWords({
  command: 'slow:power',
  about: `Records what captures and a rewind write, cuts the power at every moment, loses in many ways what was not made durable, and
looks whether every printed snapshot is there and the next capture works. Needs Linux and strace.`,
  options: {
    cuts: whole(400, 'disks of each recording'),
    seed: anySeed(),
    recording: oneOf(Object.keys(RECORDINGS), 'only this'),
  },
});
const missing = noStrace();
if (missing !== undefined) {
  console.error(missing);
  process.exit(2);
}
console.log(`seed ${String(seed)}`);
let tried = 0;
let violations = 0;
for (const [name, record] of Object.entries(RECORDINGS)) {
  if (only !== undefined && only !== name) continue;
  const fixture = plainRepository();
  const first = new Recorder(fixture);
  const recorder = (await record(fixture, first)) ?? first;
  const cuts = powerCuts(recorder, 3, seed);
  const chosen = sample(cuts, budget);
  console.log(
    `${name}: ${String(recorder.operations.length)} operations, ${String(chosen.length)} of ${String(cuts.length)} disks`,
  );
  const trial = new PowerTrial(fixture, recorder, CHECKS[name]);
  const told = new Map();
  for (const cut of chosen) {
    tried += 1;
    if (tried % 50 === 0) console.log(`${String(tried)} tried, ${String(violations)} violations`);
    const found = await trial.try(cut, told.size < MINIMISED);
    if (found === undefined) continue;
    violations += 1;
    const key = found.problems[0]?.replace(/[0-9a-f]{12,}/g, '…');
    told.set(key, (told.get(key) ?? 0) + 1);
    if (told.get(key) === 1)
      console.error(
        JSON.stringify(
          { recording: name, ...found, cut: undefined, policy: found.cut.policy, after: found.cut.after },
          undefined,
          2,
        ),
      );
  }
  for (const [key, count] of told) console.error(`${String(count)} x ${key}`);
}
removeTemporaries();
console.log(`${String(tried)} cuts tried, ${String(violations)} violations`);
process.exitCode = violations === 0 ? 0 : 1;

/** Returns so many of the cuts, evenly. */
function sample(cuts, count) {
  if (cuts.length <= count) return cuts;
  return Array.from({ length: count }, (_, at) => cuts[Math.floor((at * cuts.length) / count)]);
}
