/** Part `records`: what items, actions and ledger of a log cost: each capture, made anew from nothing, and proven in a bundle. */
import * as fs from 'node:fs';
import path from 'node:path';
import { agentLog, growLog, SESSION } from './agent-log.mjs';
import { memoryOf, run, savepoint, sleep, untilIdle } from './measure.mjs';
import { edit, makeRepository, remove, settle } from './trees.mjs';

const FILES = 1_000;

export async function measureRecords({ base, plan, progress }) {
  const captures = await measureCaptures({ base, plan, progress });
  const bundle = await measureBundle({ base, plan, progress });
  return { ...captures, bundle };
}

async function measureCaptures({ base, plan, progress }) {
  const { records, runs, coldRuns } = plan;
  const place = makeRepository({ base, name: 'records', files: FILES });
  const log = begin(base, 'records-log', records.log);
  const without = savepoint('--quiet', 'capture', '--no-transcript');
  const with_ = savepoint('--quiet', 'capture', '--transcript', log.file);
  run(without, place);
  run(with_, place);
  await untilIdle(place.root);
  await settle();
  const times = { without: [], with: [], anew: [] };
  const prepare = async (name) => {
    edit(place, place.files.slice(0, 1));
    if (name !== 'without')
      log.size = growLog(log.file, log.lines, { size: log.size, until: log.size + records.added });
    if (name === 'anew') forget(place);
    await sleep(50);
    return name === 'without' ? without : with_;
  };
  for (let count = 0; count < runs; count += 1) {
    progress(`records: run ${count + 1} of ${runs}`);
    for (const name of count < coldRuns ? ['without', 'with', 'anew'] : ['without', 'with']) {
      const { milliseconds } = run(await prepare(name), place);
      times[name].push(milliseconds);
      await untilIdle(place.root);
    }
  }
  const memory = {};
  for (const name of Object.keys(times)) {
    progress(`records: memory, ${name}`);
    memory[name] = await memoryOf(await prepare(name), place);
    await untilIdle(place.root);
  }
  checkRecords(place, log);
  remove(place);
  fs.rmSync(path.dirname(log.file), { recursive: true });
  return { log: records.log, added: records.added, times, memory };
}

function begin(base, folder, bytes) {
  const file = path.join(base, folder, `${SESSION}.jsonl`);
  fs.mkdirSync(path.dirname(file));
  const lines = agentLog();
  return { file, lines, size: growLog(file, lines, { size: 0, until: bytes }) };
}

/** What was folded is forgotten: the next capture reads the whole log from the store and folds it from its first line. */
function forget({ root }) {
  const folder = path.join(root, '.git/savepoint/cache/records');
  const names = fs.readdirSync(folder);
  if (names.length === 0) throw new Error('nothing was remembered of the records');
  for (const name of names) fs.rmSync(path.join(folder, name));
}

// Every answer of the log is a request: nothing may be missing from the ledger, or stand in it twice.
function checkRecords(place, { file }) {
  const requests = new Set();
  for (const line of fs.readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { type, requestId, message } = JSON.parse(line);
    if (type === 'assistant' && message.model !== '<synthetic>') requests.add(requestId ?? message.id);
  }
  const { totals } = JSON.parse(run(savepoint('--json', 'ledger'), place).stdout);
  if (totals.requests !== requests.size)
    throw new Error(`the ledger has ${totals.requests} requests, the log ${requests.size}`);
}

/** A bundle is verified where there is no repository, by somebody who never saw it. */
async function measureBundle({ base, plan, progress }) {
  progress('records: a bundle');
  const place = makeRepository({ base, name: 'bundle', files: FILES });
  const log = begin(base, 'bundle-log', plan.records.bundle);
  run(savepoint('capture', '--transcript', log.file), place);
  const file = path.join(base, 'bundle.savepoint');
  run(savepoint('publish', 'head', '--out', file), place);
  await untilIdle(place.root);
  const elsewhere = { root: path.join(base, 'elsewhere'), home: path.join(base, 'elsewhere-home') };
  for (const folder of [elsewhere.root, elsewhere.home]) fs.mkdirSync(folder);
  const command = savepoint('--json', 'verify', file);
  const { results } = JSON.parse(run(command, elsewhere).stdout);
  if (results[0]?.verdict !== 'valid_unknown_signer') throw new Error(`the bundle is ${results[0]?.verdict}`);
  const times = Array.from({ length: plan.runs }, () => run(command, elsewhere).milliseconds);
  const memory = await memoryOf(command, elsewhere);
  const { size } = fs.statSync(file);
  remove(place);
  for (const one of [path.dirname(log.file), file, elsewhere.root, elsewhere.home]) fs.rmSync(one, { recursive: true });
  return { bytes: size, times, memory };
}
