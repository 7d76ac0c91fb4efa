/**
 * `npm run bench`: measures the built program against git and writes the figures into docs/benchmarks.md. Nothing is
 * written before everything was measured, so that an interrupted run leaves the page as it was.
 */
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as prettier from 'prettier';
import { measureCapture } from './capture-case.mjs';
import { measureList } from './list-case.mjs';
import { describeMachine } from './machine.mjs';
import { Interrupted, listenForInterruption, ROOT } from './measure.mjs';
import { readOptions } from './options.mjs';
import { measureRecords } from './records-case.mjs';
import { measureRewind } from './rewind-case.mjs';
import {
  captureSection,
  listSection,
  machineSection,
  memorySection,
  recordsSection,
  rewindSection,
  transcriptSection,
} from './tables.mjs';
import { measureTranscript } from './transcript-case.mjs';
import { makeHome } from './trees.mjs';

const PAGE = path.join(ROOT, 'docs/benchmarks.md');
const [BEGIN, END] = ['<!-- bench:begin -->', '<!-- bench:end -->'];
const MEASURE = {
  capture: measureCapture,
  rewind: measureRewind,
  list: measureList,
  transcript: measureTranscript,
  records: measureRecords,
};
const SECTION = {
  capture: captureSection,
  rewind: rewindSection,
  list: listSection,
  transcript: transcriptSection,
  records: recordsSection,
};

const plan = readOptions();
const started = performance.now();
const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'savepoint-bench-')));
let stopped = false;
listenForInterruption();

function progress(text) {
  const seconds = Math.round((performance.now() - started) / 1000);
  console.error(`${String(seconds).padStart(5)} s  ${text}`);
}

async function measureAll() {
  const results = {};
  let machine;
  try {
    machine = describeMachine({ root: base, home: makeHome(base) });
    for (const name of plan.cases) results[name] = await MEASURE[name]({ base, plan, progress });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    stopped = true;
  }
  return { machine, results };
}

function markdown({ machine, results }) {
  const seconds = (performance.now() - started) / 1000;
  const kind = plan.whole ? [] : ['A reduced run: these are not the figures of the page.'];
  return [
    '## Figures',
    ...kind,
    ...Object.keys(results).map((name) => SECTION[name](results[name], plan)),
    memorySection(results),
    ...(machine === undefined ? [] : [machineSection(machine, { seconds, loadAtEnd: os.loadavg()[0] })]),
  ].join('\n\n');
}

async function writePage(text) {
  const page = fs.readFileSync(PAGE, 'utf8');
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`${PAGE} has lost its markers ${BEGIN} and ${END}`);
  const options = await prettier.resolveConfig(PAGE);
  const whole = await prettier.format(`${before}${BEGIN}\n\n${text}\n\n${END}${after}`, {
    ...options,
    parser: 'markdown',
  });
  fs.writeFileSync(PAGE, whole);
}

try {
  const measured = await measureAll();
  const text = markdown(measured);
  if (Object.keys(measured.results).length > 0) console.log(await prettier.format(text, { parser: 'markdown' }));
  if (plan.json !== undefined)
    fs.writeFileSync(plan.json, `${JSON.stringify({ interrupted: stopped, plan, ...measured }, undefined, 1)}\n`);
  if (stopped) {
    console.error('Interrupted: no other part was finished; docs/benchmarks.md is as it was.');
    process.exitCode = 130;
  } else if (plan.whole) {
    await writePage(text);
    console.error('written: docs/benchmarks.md');
  } else console.error('A reduced run: docs/benchmarks.md is as it was.');
} finally {
  fs.rmSync(base, { recursive: true, force: true });
}
