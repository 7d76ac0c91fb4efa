/** Logs that are bad to take in. */
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readWords, whole } from './words.mjs';

const MEGABYTE = 1024 * 1024;
/** No log may take more. */
const MOST_MEMORY = 400;
const root = fileURLToPath(new URL('../../', import.meta.url));
const program = path.join(root, 'packages/cli/bin/savepoint.cjs');
const { megabytes, line } = readWords({
  command: 'slow:logs',
  about: `Takes in logs that are bad, with the built program: an empty one, a torn last line, invalid UTF-8, another agent's, one
with a very long line, a very long one. Of each: that it is taken, that the store has every byte, how long it took, and that
it took at most ${String(MOST_MEMORY)} MiB of memory.`,
  options: {
    megabytes: whole(300, 'length of the long log, in MiB'),
    line: whole(50, 'length of the long line, in MiB'),
  },
});
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'savepoint-logs-'));
const measured = path.join(folder, 'measured');
const measure = path.join(folder, 'measure.cjs');
fs.writeFileSync(
  measure,
  `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(measured)}, String(process.resourceUsage().maxRSS)));`,
);

const prompt = (number, text) =>
  `${JSON.stringify({ type: 'user', uuid: `u${number}`, sessionId: 'bad', message: { role: 'user', content: text } })}\n`;

function* pieces(name) {
  const words = 'some words that are no secret and stand in a row '.repeat(150);
  if (name === 'long')
    for (let at = 0, size = 0; size < megabytes * MEGABYTE; at += 1) {
      const piece = prompt(at, words);
      size += piece.length;
      yield piece;
    }
  if (name === 'one line') {
    yield prompt(1, 'before');
    yield prompt(2, 'one two '.repeat((line * MEGABYTE) / 8));
    yield prompt(3, 'after');
  }
  if (name === 'not UTF-8')
    yield* [prompt(1, 'before'), Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x0a]), prompt(3, 'after')];
  if (name === 'torn') yield* [prompt(1, 'before'), prompt(2, 'cut off').slice(0, -20)];
  if (name === "another agent's")
    yield '{"sessionId":"g","projectHash":"0"}\n{"id":"1","type":"user","content":"hello"}\n';
}

function run(place, ...args) {
  const started = performance.now();
  const env = { PATH: process.env.PATH, HOME: place, LC_ALL: 'C.UTF-8', NODE_OPTIONS: `--require ${measure}` };
  const out = spawnSync(process.execPath, [program, ...args], {
    cwd: place,
    env,
    maxBuffer: 2 ** 30,
    encoding: 'buffer',
  });
  const memory = Number(fs.readFileSync(measured, 'utf8')) / 1024;
  return { ...out, seconds: (performance.now() - started) / 1000, memory };
}

const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');

function take(name) {
  const place = path.join(folder, name.replaceAll(/\W/g, '-'));
  fs.mkdirSync(place);
  spawnSync('git', ['init', '-q'], { cwd: place });
  const log = path.join(place, 'bad.jsonl');
  const file = fs.openSync(log, 'w');
  for (const piece of pieces(name)) fs.writeSync(file, piece);
  fs.closeSync(file);
  fs.writeFileSync(path.join(place, '.gitignore'), 'bad.jsonl\n.config\n.cache\n');
  const { status, stderr, seconds, memory } = run(place, '--json', 'capture', '--transcript', 'bad.jsonl');
  const size = fs.statSync(log).size;
  const shown = size === 0 ? Buffer.alloc(0) : run(place, 'show', 'head', '--file', 'transcript').stdout;
  const whole = digest(shown) === digest(fs.readFileSync(log));
  const told = `${seconds.toFixed(1)} s, ${memory.toFixed(0)} MiB`;
  console.log(
    `${name}: ${(size / MEGABYTE).toFixed(1)} MiB in ${told}, exit ${status}, ${whole ? 'every byte is there' : 'NOT WHOLE'}`,
  );
  if (status !== 0) console.log(stderr.toString());
  if (status !== 0 || !whole || memory > MOST_MEMORY) process.exitCode = 1;
  fs.rmSync(place, { recursive: true });
}

try {
  for (const name of ['empty', 'torn', 'not UTF-8', "another agent's", 'one line', 'long']) take(name);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
