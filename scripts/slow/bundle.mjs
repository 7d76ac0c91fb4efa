/** Bundles that were damaged, and one that is large. */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readWords, seed as anySeed, whole } from './words.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const {
  mutations: count,
  seed,
  megabytes,
} = readWords({
  command: 'slow:bundle',
  about: `Changes every byte of a bundle, in its lowest bit and in all, cuts off every end, and lets somebody who knows how bundles
are made change them: each is refused, or is a bundle of less. Then publishes, verifies and imports one with a long log, and
says the memory that this takes.`,
  options: {
    mutations: whole(10_000, 'changes by somebody who knows the form; 0 leaves out all damage', 0),
    seed: anySeed(),
    megabytes: whole(300, 'length of the long log; 0 leaves it out', 0),
  },
});
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'savepoint-bundle-'));

async function campaign() {
  const outfile = path.join(folder, 'campaign.mjs');
  const { build } = await import('esbuild');
  const entry = ["export * from './mutations.ts';", "export * from './damage.ts';"].join('\n');
  const stdin = { contents: entry, resolveDir: path.join(root, 'packages/core/tests/timeline/bundle'), loader: 'ts' };
  await build({ stdin, bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'error' });
  return import(pathToFileURL(outfile).href);
}

async function damage({ sampleBundle, unnoticedFlips, unnoticedCuts, runMutations }) {
  const bundle = await sampleBundle();
  const flips = await unnoticedFlips(bundle, { stride: 1, seed: 0 }, [0x01, 0xff]);
  console.log(`${bundle.length} bytes changed in two ways: ${flips.length} not noticed`);
  const cuts = await unnoticedCuts(bundle, { stride: 1, seed: 0 });
  console.log(`${bundle.length} cuts: ${cuts.length} not noticed`);
  const progress = (done) => done % 2500 === 0 && console.log(`  ${done} of ${count}`);
  const result = await runMutations({ count, seed, progress });
  console.log(
    `${result.mutations} mutations of seed ${seed}: ${result.refused} refused, ${result.taken} were bundles of less`,
  );
  console.log(`  refused as ${JSON.stringify(result.codes)}`);
  if (flips.length + cuts.length > 0) process.exitCode = 1;
}

/** One user with a home and a repository of their own. */
function user(name) {
  const home = path.join(folder, name, 'home');
  const repository = path.join(folder, name, 'repository');
  fs.mkdirSync(home, { recursive: true });
  fs.mkdirSync(repository, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: path.join(home, '.config'), LC_ALL: 'C.UTF-8' };
  spawnSync('git', ['init', '-q'], { cwd: repository, env });
  return { repository, env };
}

const MEASURE = path.join(folder, 'measure.cjs');
const MEASURED = path.join(folder, 'measured');
fs.writeFileSync(
  MEASURE,
  `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(MEASURED)}, String(process.resourceUsage().maxRSS)));`,
);

function run({ repository, env }, ...args) {
  const started = performance.now();
  const program = path.join(root, 'packages/cli/bin/savepoint.cjs');
  const { status, stderr, stdout } = spawnSync(process.execPath, ['--require', MEASURE, program, ...args], {
    cwd: repository,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const memory = (Number(fs.readFileSync(MEASURED, 'utf8')) / 1024).toFixed(0);
  console.log(
    `savepoint ${args[0]}: exit ${status}, ${seconds} s, at most ${memory} MiB of memory ${stderr.trim().slice(0, 200)}`,
  );
  if (status !== 0) process.exitCode = 1;
  return stdout;
}

function stream() {
  const author = user('author');
  const log = path.join(folder, 'long.jsonl');
  const session = '11111111-2222-4333-8444-555555555555';
  const words = ['the', 'tests', 'pass', 'now', 'because', 'we', 'changed', 'one', 'line', 'of', 'it'];
  const file = fs.openSync(log, 'w');
  for (let written = 0, line = 0; written < megabytes * 1e6; line += 1) {
    const text = Array.from({ length: 400 }, (_, at) => words[(line * 7 + at * (line % 5)) % words.length]).join(' ');
    const uuid = `00000000-0000-4000-8000-${String(line).padStart(12, '0')}`;
    const record = {
      type: 'user',
      sessionId: session,
      uuid,
      cwd: author.repository,
      message: { role: 'user', content: text },
    };
    written += fs.writeSync(file, `${JSON.stringify(record)}\n`);
  }
  fs.closeSync(file);
  run(author, 'capture', '--transcript', log);
  const bundle = path.join(folder, 'long.savepoint');
  run(author, 'publish', '--out', bundle);
  console.log(`the bundle has ${fs.statSync(bundle).size} bytes`);
  const reader = user('reader');
  run(reader, 'verify', bundle);
  run(reader, 'import', bundle);
  run(reader, 'import', bundle);
}

try {
  if (count > 0) await damage(await campaign());
  if (megabytes > 0) stream();
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
