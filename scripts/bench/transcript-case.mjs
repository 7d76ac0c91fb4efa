/** Part `transcript`: captures of a log that grows between them; what they store, how long they take, what they need. */
import * as fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { memoryOf, run, runWithPeak, savepoint, sleep, untilIdle } from './measure.mjs';
import { edit, makeRepository, remove, settle } from './trees.mjs';
import { agentLog, growLog, SESSION } from './agent-log.mjs';

const FILES = 1_000;
const WARM_UPS = 3;

export async function measureTranscript({ base, plan, progress }) {
  const { captures, bytes } = plan.log;
  const place = makeRepository({ base, name: 'transcript', files: FILES });
  await warmUp(place);
  const log = path.join(base, `${SESSION}.jsonl`);
  const before = diskUse(place);
  const lines = agentLog();
  const command = savepoint('--quiet', 'capture', '--transcript', log);
  const [times, peaks, growth] = [[], [], []];
  let background = 0;
  for (let count = 1, size = 0; count <= captures; count += 1) {
    size = growLog(log, lines, { size, until: (bytes * count) / captures });
    await sleep(50);
    const { milliseconds, largest } = runWithPeak(command, place);
    times.push(milliseconds);
    peaks.push(largest);
    background = Math.max(background, await untilIdle(place.root));
    if (count % Math.ceil(captures / 10) !== 0) continue;
    growth.push({ captures: count, log: size, ...difference(diskUse(place), before) });
    progress(`transcript: ${count} of ${captures} captures, a log of ${(size / 1e6).toFixed(1)} MB`);
  }
  const stored = difference(diskUse(place), before);
  const said = JSON.parse(run(savepoint('--json', 'maintain'), place).stdout);
  const merged = { ...difference(diskUse(place), before), said };
  const redactions = checkStored(place, log, captures);
  const whole = await measureWhole({ base, command, progress, runs: plan.coldRuns });
  const content = fs.readFileSync(log);
  remove(place);
  fs.rmSync(log);
  const gzip = (end) => gzipSync(content.subarray(0, end), { level: 6 }).length;
  for (const row of growth) row.gzip = gzip(row.log);
  return {
    captures,
    log: content.length,
    gzip: gzip(content.length),
    stored,
    merged,
    growth,
    times,
    peaks,
    background,
    redactions,
    whole,
  };
}

// The first captures leave larger caches behind than later ones, which would hide what the log adds.
async function warmUp(place) {
  for (let count = 0; count < WARM_UPS; count += 1) {
    edit(place, place.files.slice(0, 1));
    await settle();
    run(savepoint('capture', '--no-transcript'), place);
  }
}

/** A first capture that meets the whole log at once. */
async function measureWhole({ base, command, progress, runs }) {
  const times = [];
  let memory;
  for (let count = 0; count <= runs; count += 1) {
    progress(`transcript: the whole log at once, ${count < runs ? `run ${count + 1} of ${runs}` : 'memory'}`);
    const place = makeRepository({ base, name: `whole-${count}`, files: FILES });
    run(savepoint('capture', '--no-transcript'), place);
    if (count < runs) {
      await settle();
      times.push(run(command, place).milliseconds);
    } else memory = await memoryOf(command, place);
    await untilIdle(place.root);
    remove(place);
  }
  return { times, memory };
}

function checkStored(place, log, captures) {
  const { sequence, redactions } = JSON.parse(run(savepoint('--json', 'show', 'head'), place).stdout);
  if (sequence !== captures + WARM_UPS) throw new Error(`${captures} captures made ${sequence - WARM_UPS} snapshots`);
  const { results } = JSON.parse(run(savepoint('--json', 'verify', 'head', '--deep'), place).stdout);
  if (results[0]?.verdict !== 'valid') throw new Error(`the last snapshot is ${results[0]?.verdict}`);
  if (redactions.count > 0) return redactions.count;
  const shown = run(savepoint('show', 'head', '--file', 'transcript'), place).stdout;
  if (shown !== fs.readFileSync(log, 'utf8').trim()) throw new Error('the stored log is not the one on disk');
  return 0;
}

/** Bytes in the object store and in Savepoint's own folder: as files say, and as the file system counts. */
function diskUse({ root }) {
  const total = { bytes: 0, disk: 0, files: 0 };
  const walk = (directory) => {
    for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
      const name = path.join(directory, entry.name);
      const { size, blocks } = fs.lstatSync(name);
      total.disk += blocks * 512;
      if (entry.isDirectory()) walk(name);
      else [total.bytes, total.files] = [total.bytes + size, total.files + 1];
    }
  };
  for (const name of ['objects', 'savepoint']) walk(path.join(root, '.git', name));
  return total;
}

function difference(after, before) {
  return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - before[name]]));
}
