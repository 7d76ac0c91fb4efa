/** Part `list`: the newest 50 of 10,000 snapshots, and single ones, each as a process of its own. */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { environment, git, memoryOf, ROOT, run, savepoint, untilIdle } from './measure.mjs';
import { makeRepository, remove, settle, write } from './trees.mjs';

const FILES = 1_000;
const WARM_UPS = 2;
const COUNTER = 'counter.txt';

export async function measureList({ base, plan, progress }) {
  const place = makeRepository({ base, name: 'history', files: FILES });
  const count = plan.snapshots;
  progress(`list: writing ${count.toLocaleString('en-US')} signed snapshots`);
  await writeHistory(place, count);
  progress('list: verifying a sample of them');
  const sample = [1, 2, Math.ceil(count / 3), Math.ceil(count / 2), count - 1, count];
  for (const sequence of sample) checkVerdict(place, sequence);
  await settle();

  const id = JSON.parse(run(savepoint('--json', 'show', `seq:${Math.ceil(count / 2)}`), place).stdout).id;
  const commands = {
    'list --limit 50': savepoint('list', '--limit', '50'),
    'list --limit 50 --json': savepoint('--json', 'list', '--limit', '50'),
    'show head': savepoint('show', 'head'),
    [`show seq:${Math.ceil(count / 2)}`]: savepoint('show', `seq:${Math.ceil(count / 2)}`),
    'show ID': savepoint('show', id.slice(0, 12)),
  };
  const cold = await measureWithoutCache({ place, plan, progress, id });
  const listed = JSON.parse(run(commands['list --limit 50 --json'], place).stdout).snapshots;
  const sequences = listed.map(({ sequence, verdict }) => (verdict === 'valid' ? sequence : verdict));
  if (sequences.join() !== Array.from({ length: 50 }, (_, at) => count - at).join())
    throw new Error(`listed: ${sequences}`);

  progress(`list: ${plan.runs} runs of ${Object.keys(commands).length} commands`);
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let round = -WARM_UPS; round < plan.runs; round += 1) {
    for (const [name, command] of Object.entries(commands)) {
      const { milliseconds } = run(command, place);
      if (round >= 0) times[name].push(milliseconds);
    }
  }
  const memory = {};
  for (const [name, command] of Object.entries(commands)) memory[name] = await memoryOf(command, place);
  await untilIdle(place.root);
  remove(place);
  return { snapshots: count, sample: sample.length, cold, times, memory };
}

/** The cache can be deleted at any time; what needs it then reads every snapshot once. */
async function measureWithoutCache({ place, plan, progress, id }) {
  const commands = {
    'list --limit 50': savepoint('list', '--limit', '50'),
    'show ID': savepoint('show', id.slice(0, 12)),
  };
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  const memory = {};
  for (const [name, command] of Object.entries(commands)) {
    for (let round = 0; round <= plan.coldRuns; round += 1) {
      progress(
        `list: ${name} without the cache, ${round < plan.coldRuns ? `run ${round + 1} of ${plan.coldRuns}` : 'memory'}`,
      );
      fs.rmSync(path.join(place.root, '.git/savepoint/cache'), { recursive: true, force: true });
      if (round < plan.coldRuns) times[name].push(run(command, place).milliseconds);
      else memory[name] = await memoryOf(command, place);
    }
  }
  return { times, memory };
}

function checkVerdict(place, sequence) {
  const { results } = JSON.parse(run(savepoint('--json', 'verify', `seq:${sequence}`), place).stdout);
  if (results[0]?.verdict !== 'valid') throw new Error(`snapshot ${sequence} is ${JSON.stringify(results[0])}`);
}

const core = (file) => import(pathToFileURL(path.join(ROOT, 'packages/core/dist', file)).href);

/**
 * Takes one snapshot with the program and writes a whole timeline in its place: the same form, each with another file
 * content, encoded and signed by the library, stored by one `git fast-import`.
 */
async function writeHistory(place, count) {
  write(place, COUNTER, counterText(0));
  run(savepoint('capture'), place);
  const [ref, commit] = git(
    place,
    'for-each-ref',
    '--format=%(refname) %(objectname)',
    'refs/savepoint/v1/timelines',
  ).split(' ');
  const stream = await historyStream({ place, count, ref, commit });
  const { status, stderr } = spawnSync('git', ['fast-import', '--quiet', '--force', '--done'], {
    cwd: place.root,
    env: environment(place.home),
    input: stream,
  });
  if (status !== 0) throw new Error(`git fast-import: ${String(stderr)}`);
  fs.rmSync(path.join(place.root, '.git/savepoint/cache'), { recursive: true, force: true });
}

async function historyStream({ place, count, ref, commit }) {
  const { encodeBody } = await core('format/v1/body.js');
  const { encodeSignature } = await core('format/v1/signature.js');
  const { commitMessage, BODY_FILE, SIGNATURE_FILE, WORKTREE_FOLDER } = await core('format/v1/layout.js');
  const { encodeTree, parseTree, COMMIT_IDENTITY } = await core('store/git-objects.js');
  const { objectId } = await core('model/tree/object-id.js');
  const { signText } = await core('trust/signature.js');
  const { openKeys } = await core('index.js');
  const key = await openKeys({ env: environment(place.home) }).signingKey();
  const { base, tree } = readFirst(place, commit, { parseTree, WORKTREE_FOLDER });

  const pieces = [];
  const data = (bytes) => pieces.push(`data ${bytes.length}\n`, bytes, '\n');
  const started = Date.now() - count * 60_000;
  let parents = [];
  for (let sequence = 1; sequence <= count; sequence += 1) {
    const content = Buffer.from(counterText(sequence));
    const blob = objectId('sha1', 'blob', content);
    const digest = objectId(
      'sha1',
      'tree',
      encodeTree(tree.map((entry) => (entry.name === COUNTER ? { ...entry, id: blob } : entry))),
    );
    const { bytes, id } = encodeBody({
      ...base,
      sequence,
      parents,
      createdAt: new Date(started + sequence * 60_000).toISOString(),
      message: `turn ${sequence}`,
      slices: base.slices.map((slice) => (slice.name === WORKTREE_FOLDER ? { ...slice, digest } : slice)),
    });
    const message = Buffer.from(commitMessage(sequence));
    pieces.push(`commit ${ref}\nmark :${sequence}\ncommitter ${COMMIT_IDENTITY}\n`);
    data(message);
    // The first has no parent: its files come from the snapshot that the program took.
    if (sequence === 1) pieces.push(...firstFiles(place, commit));
    else pieces.push(`from :${sequence - 1}\n`);
    pieces.push(`M 100644 inline ${WORKTREE_FOLDER}/${COUNTER}\n`);
    data(content);
    pieces.push(`M 100644 inline ${BODY_FILE}\n`);
    data(Buffer.from(bytes));
    pieces.push(`M 100644 inline ${SIGNATURE_FILE}\n`);
    data(Buffer.from(encodeSignature(signText(key, base.format, id))));
    parents = [id];
  }
  pieces.push('done\n');
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}

function readFirst(place, commit, { parseTree, WORKTREE_FOLDER }) {
  const base = JSON.parse(git(place, 'cat-file', 'blob', `${commit}:snapshot.json`));
  const name = git(place, 'rev-parse', `${commit}:${WORKTREE_FOLDER}`);
  const { stdout } = spawnSync('git', ['cat-file', 'tree', name], { cwd: place.root, env: environment(place.home) });
  return { base, tree: parseTree('sha1', stdout, name) };
}

function firstFiles(place, commit) {
  const lines = git(place, 'ls-tree', commit).split('\n');
  return lines.map((line) => {
    const [, mode, id, name] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/.exec(line);
    return `M ${mode} ${id} ${name}\n`;
  });
}

// Of one length, so that the body's total of bytes holds for all of them.
function counterText(sequence) {
  return `${String(sequence).padStart(8, '0')}\n`;
}
