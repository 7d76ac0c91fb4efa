/**
 * Part `rewind`: Savepoint against `git stash push -u` and `git checkout`, turn by turn, each in a repository of its own,
 * from the same state to the same state.
 */
import * as fs from 'node:fs';
import path from 'node:path';
import { git, memoryOf, run, savepoint, sleep, untilIdle } from './measure.mjs';
import { syncShare } from './sync-share.mjs';
import { copyRepository, edit, makeRepository, remove, settle, write } from './trees.mjs';

const CHANGED = [1, 20, 1_000];
const WARM_UPS = 2;
const SYNC_RUNS = 3;

export async function measureRewind({ base, plan, progress }) {
  const sizes = [];
  for (const files of plan.sizes) sizes.push(await measureSize({ base, plan, files, progress }));
  return { sizes };
}

async function measureSize({ base, plan, files, progress }) {
  const title = `rewind, ${files.toLocaleString('en-US')} files`;
  progress(`${title}: making the repositories`);
  const own = makeRepository({ base, name: `rewind-${files}`, files });
  const cases = [];
  const places = {
    savepoint: own,
    elsewhere: copyRepository(own, `rewind-elsewhere-${files}`),
    head: copyRepository(own, `rewind-head-${files}`),
  };
  for (const changed of CHANGED) {
    const paths = choosePaths(own, changed);
    const contestants = {
      savepoint: savepointContestant(places.savepoint, paths),
      elsewhere: elsewhereContestant(places.elsewhere, paths),
      head: headContestant(places.head, paths),
    };
    await settle();
    for (const place of Object.values(places)) git(place, 'status', '--porcelain');
    progress(`${title}, ${changed} changed: ${plan.runs} runs of each`);
    cases.push({ changed, ...(await measureTurns({ contestants, runs: plan.runs })) });
  }
  checkOperations(own, cases.length * (plan.runs + WARM_UPS + SYNC_RUNS + 1));
  remove(...Object.values(places));
  return { files, cases };
}

/** Of ten files that differ, one was born since, one has gone, and the others were changed. */
function choosePaths(place, count) {
  const few = Math.floor(count / 10);
  // The very first file has permissions of its own, which git would not bring back.
  const step = Math.max(1, Math.floor((place.files.length - 1) / count));
  const known = place.files.slice(1).filter((_, at) => at % step === 0);
  const edited = known.slice(0, count - 2 * few);
  const gone = known.slice(edited.length, edited.length + few);
  const born = Array.from({ length: few }, (_, at) => `${path.posix.dirname(edited[at])}/born-${at}.ts`);
  return { edited, gone, born };
}

let turns = 0;

function leave(place, { edited, gone, born }) {
  edit(place, edited);
  for (const name of gone) fs.rmSync(path.join(place.root, name));
  for (const name of born) write(place, name, `// born in turn ${(turns += 1)}\n`.repeat(40));
}

/** What has to be there again, byte for byte. */
function remember(place, { edited, gone, born }) {
  const contents = [...edited, ...gone].map((name) => [name, fs.readFileSync(path.join(place.root, name))]);
  return () => {
    const wrong = contents.find(([name, bytes]) => !fs.readFileSync(path.join(place.root, name)).equals(bytes));
    if (wrong !== undefined) throw new Error(`${wrong[0]} is not as it was`);
    const left = born.find((name) => fs.existsSync(path.join(place.root, name)));
    if (left !== undefined) throw new Error(`${left} is still there`);
  };
}

function savepointContestant(place, paths) {
  edit(place, [...paths.edited, ...paths.gone]);
  const { id } = JSON.parse(run(savepoint('--json', 'capture'), place).stdout);
  return {
    place,
    check: remember(place, paths),
    // Files born since are in no snapshot: without `--exact` they would be kept.
    command: savepoint('--quiet', '--yes', 'rewind', id, '--exact'),
    leave: () => leave(place, paths),
  };
}

/** The state to go to is a commit, and HEAD is another one, as where the state was none when it was there. */
function elsewhereContestant(place, paths) {
  commitTarget(place, paths);
  const check = remember(place, paths);
  git(place, 'checkout', '-q', 'main~1', '--detach');
  return {
    place,
    check,
    command: ['sh', '-c', 'git stash push -q -u && git checkout -q main'],
    leave: () => {
      git(place, 'checkout', '-q', 'main~1', '--detach');
      git(place, 'stash', 'clear');
      leave(place, paths);
    },
  };
}

/** The state to go to is HEAD, so that git has to write each file once only. */
function headContestant(place, paths) {
  commitTarget(place, paths);
  return {
    place,
    check: remember(place, paths),
    command: ['sh', '-c', 'git stash push -q -u && git checkout -q HEAD'],
    leave: () => {
      git(place, 'stash', 'clear');
      leave(place, paths);
    },
  };
}

function commitTarget(place, paths) {
  git(place, 'checkout', '-q', 'main');
  git(place, 'stash', 'clear');
  edit(place, [...paths.edited, ...paths.gone]);
  git(place, 'commit', '-q', '-a', '-m', 'The state to go to');
}

async function measureTurns({ contestants, runs }) {
  const times = { savepoint: [], elsewhere: [], head: [] };
  const turn = async (name, measure) => {
    const { place, check, command, leave } = contestants[name];
    leave();
    await sleep(50);
    const result = await measure(command, place);
    check();
    if (name === 'savepoint') await untilIdle(place.root);
    return result;
  };
  for (let round = -WARM_UPS; round < runs; round += 1) {
    for (const name of Object.keys(contestants)) {
      const { milliseconds } = await turn(name, run);
      if (round >= 0) times[name].push(milliseconds);
    }
  }
  const syncs = [];
  for (let count = 0; count < SYNC_RUNS; count += 1) syncs.push(await turn('savepoint', syncShare));
  return { times, syncs, memory: await turn('savepoint', memoryOf) };
}

/** Each of them took back something, so each has to be an operation. */
function checkOperations(place, expected) {
  const { operations } = JSON.parse(run(savepoint('--json', 'operations', '--limit', '1000'), place).stdout);
  if (operations.length !== expected) throw new Error(`${expected} rewinds made ${operations.length} operations`);
  const verified = JSON.parse(run(savepoint('--json', 'verify', 'head'), place).stdout);
  if (verified.results[0]?.verdict !== 'valid')
    throw new Error(`the newest snapshot is ${verified.results[0]?.verdict}`);
}
