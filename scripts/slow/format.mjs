/** Runs the campaign of packages/core/tests/format/campaign.ts, on every core. */
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { readWords, seed as anySeed, whole } from './words.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

async function work({ bundle, count, seed }) {
  const { runCampaign } = await import(pathToFileURL(bundle).href);
  const progress = (done) => parentPort.postMessage({ done });
  parentPort.postMessage({ result: await runCampaign({ count, seed, progress }) });
}

async function main() {
  const { count, seed } = readWords({
    command: 'slow:format',
    about:
      'Makes bodies of snapshots, stores, loads and writes each again: the same bytes, the same id, and it verifies.',
    options: { count: whole(1_000_000, 'bodies'), seed: anySeed() },
  });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'savepoint-campaign-'));
  try {
    const bundle = path.join(folder, 'campaign.mjs');
    const { build } = await import('esbuild');
    const entryPoints = [path.join(root, 'packages/core/tests/format/campaign.ts')];
    await build({ entryPoints, bundle: true, platform: 'node', format: 'esm', outfile: bundle, logLevel: 'error' });
    const workers = Math.max(1, os.availableParallelism());
    console.log(`${count} bodies on ${workers} cores, seed ${seed}`);
    const started = performance.now();
    const results = await runAll({ bundle, count, seed, workers });
    const sum = (name) => results.reduce((total, result) => total + result[name], 0);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(`${sum('bodies')} bodies (${sum('bytes')} bytes) kept the law, in ${seconds} s`);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function runAll({ bundle, count, seed, workers }) {
  const share = Math.ceil(count / workers);
  const done = new Array(workers).fill(0);
  let told = 0;
  const tell = () => {
    const total = done.reduce((a, b) => a + b, 0);
    if (total - told < count / 20) return;
    told = total;
    console.log(`  ${total} of ${count}`);
  };
  const runs = done.map((_, index) => {
    const size = Math.min(share, count - index * share);
    // Far enough apart that no two workers ever use the same seed.
    const data = { bundle, count: Math.max(0, size), seed: seed + index * 10_000_000 };
    return new Promise((resolve, reject) => {
      const worker = new Worker(fileURLToPath(import.meta.url), { workerData: data });
      worker.on('error', reject);
      worker.on('message', (message) => {
        if (message.result !== undefined) resolve(message.result);
        else done[index] = message.done;
        tell();
      });
    });
  });
  return Promise.all(runs);
}

if (isMainThread) await main();
else await work(workerData);
