/** Part `capture`: Savepoint, `git stash create` and a copied index, turn by turn, each in a repository of its own. */
import { git, memoryOf, run, runUntilPrinted, savepoint, sleep, untilIdle } from './measure.mjs';
import { copyRepository, edit, makeDirty, makeRepository, remove, settle } from './trees.mjs';

const DIRTY = [30, 500];
const CHANGED = [1, 20];
const WARM_UPS = 3;

const CAPTURE = savepoint('--quiet', 'capture');

// `cp -p` keeps the modification time: without it git misses edits of the same size.
const COPIED_INDEX = `set -e
cp -p .git/index .git/bench-index
export GIT_INDEX_FILE=.git/bench-index
git add -A
tree=$(git write-tree)
commit=$(git commit-tree -p HEAD -m bench "$tree")
git update-ref refs/bench/head "$commit"
echo "$commit"`;

export const CONTESTANTS = {
  savepoint: CAPTURE,
  stash: ['git', 'stash', 'create'],
  copied: ['sh', '-c', COPIED_INDEX],
};

export async function measureCapture({ base, plan, progress }) {
  const sizes = [];
  for (const files of plan.sizes) sizes.push(await measureSize({ base, plan, files, progress }));
  return { sizes };
}

async function measureSize({ base, plan, files, progress }) {
  const title = `capture, ${files.toLocaleString('en-US')} files`;
  progress(`${title}: making the repositories`);
  const own = makeRepository({ base, name: `savepoint-${files}`, files });
  makeDirty(own, DIRTY[0]);
  const places = {
    savepoint: own,
    stash: copyRepository(own, `stash-${files}`),
    copied: copyRepository(own, `copied-${files}`),
  };
  const cold = await measureCold({ own, plan, progress, title });
  const cases = [];
  for (const dirty of DIRTY) {
    const names = Object.values(places).map((place) => makeDirty(place, dirty))[0];
    await settle();
    for (const place of Object.values(places)) git(place, 'status', '--porcelain');
    for (const changed of CHANGED) {
      const step = Math.floor(dirty / changed);
      const edited = names.filter((_, at) => at % step === 0).slice(0, changed);
      progress(`${title}, ${dirty} dirty, ${changed} changed: ${plan.runs} runs of each`);
      cases.push({ dirty, changed, ...(await measureTurns({ places, edited, runs: plan.runs })) });
    }
  }
  checkSnapshots(own, cases.length * (plan.runs + WARM_UPS + 1));
  remove(...Object.values(places));
  return { files, cold, cases };
}

/** The first capture of a repository knows nothing: it reads every file that HEAD's tree does not answer for. */
async function measureCold({ own, plan, progress, title }) {
  const times = [];
  let memory;
  for (let count = 0; count <= plan.coldRuns; count += 1) {
    progress(`${title}, first capture: ${count < plan.coldRuns ? `run ${count + 1} of ${plan.coldRuns}` : 'memory'}`);
    const place = copyRepository(own, `cold-${count}`);
    if (count < plan.coldRuns) {
      await settle();
      times.push(run(CAPTURE, place).milliseconds);
    } else memory = await memoryOf(CAPTURE, place);
    await untilIdle(place.root);
    checkSnapshots(place, 1);
    remove(place);
  }
  return { times, memory };
}

async function measureTurns({ places, edited, runs }) {
  const times = { savepoint: [], stash: [], copied: [] };
  const untilId = [];
  const printed = new Set();
  let background = 0;
  const turn = async (name, measure) => {
    edit(places[name], edited);
    await sleep(50);
    const result = await measure(CONTESTANTS[name], places[name]);
    // Merging packs in the background would otherwise be paid for by the next contestant.
    if (name === 'savepoint') background = Math.max(background, await untilIdle(places[name].root));
    return result;
  };
  for (let round = -WARM_UPS; round < runs; round += 1) {
    for (const name of Object.keys(CONTESTANTS)) {
      const { milliseconds, printed: first, stdout } = await turn(name, runUntilPrinted);
      if (!/^[0-9a-f]{40,64}$/.test(stdout) || printed.has(stdout))
        throw new Error(`${name} captured nothing: ${stdout}`);
      printed.add(stdout);
      if (round < 0) continue;
      times[name].push(milliseconds);
      if (name === 'savepoint') untilId.push(first);
    }
  }
  return { times, untilId, background, memory: await turn('savepoint', memoryOf) };
}

/** Every capture had a change, so there has to be a snapshot for each. */
function checkSnapshots(place, expected) {
  const [head = ''] = git(place, 'for-each-ref', '--format=%(objectname)', 'refs/savepoint/v1/timelines').split('\n');
  const count = Number(git(place, 'rev-list', '--count', head));
  if (count !== expected) throw new Error(`${expected} captures made ${count} snapshots`);
  const verified = JSON.parse(run(savepoint('--json', 'verify', 'head'), place).stdout);
  if (verified.results[0]?.verdict !== 'valid')
    throw new Error(`the newest snapshot is ${verified.results[0]?.verdict}`);
}
