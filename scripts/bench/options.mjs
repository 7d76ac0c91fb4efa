/** What `npm run bench -- …` accepts. */
import path from 'node:path';
import { parseArgs } from 'node:util';

/** The parts that `--only` chooses from. */
export const CASES = ['capture', 'rewind', 'list', 'transcript', 'records'];

const USAGE = `Measures the built program beside git, turn by turn, and prints the tables of docs/benchmarks.md. A whole run of at least
15 runs takes about half an hour on a quiet machine and writes that page; every other one leaves it as it is.

npm run bench -- [--quick] [--only PART]... [--runs N] [--json FILE]

  --quick      smaller trees and logs and five runs: what breaks shows in a few minutes, no figure counts
  --only PART  ${CASES.join(', ')}; can be given more than once (else: all)
  --runs N     so many runs of each (else: 25)
  --json FILE  write what was measured into FILE as well`;

const WHOLE = {
  sizes: [1_000, 10_000, 50_000],
  runs: 25,
  coldRuns: 3,
  snapshots: 10_000,
  log: { captures: 200, bytes: 20_000_000 },
  records: { log: 20_000_000, added: 50_000, bundle: 4_700_000 },
};
const QUICK = {
  sizes: [1_000, 10_000],
  runs: 5,
  coldRuns: 1,
  snapshots: 2_000,
  log: { captures: 40, bytes: 4_000_000 },
  records: { log: 4_000_000, added: 50_000, bundle: 4_700_000 },
};

export function readOptions() {
  const { help, quick, only, runs, json } = parse();
  if (help) {
    console.log(USAGE);
    process.exit(0);
  }
  const cases = only ?? CASES;
  const plan = { ...(quick ? QUICK : WHOLE), cases, quick, json: json === undefined ? undefined : path.resolve(json) };
  if (runs !== undefined) plan.runs = Number(runs);
  const unknown = cases.find((name) => !CASES.includes(name));
  if (unknown !== undefined) fail(`There is no part called ${unknown}.`);
  if (!Number.isInteger(plan.runs) || plan.runs < 1) fail(`${runs} is not a number of runs.`);
  // Only all parts, of full size and with enough runs, make figures that may replace those of the page.
  return { ...plan, whole: !quick && CASES.every((name) => cases.includes(name)) && plan.runs >= 15 };
}

function parse() {
  try {
    return parseArgs({
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        quick: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true },
        runs: { type: 'string' },
        json: { type: 'string' },
      },
    }).values;
  } catch (error) {
    return fail(error.message);
  }
}

function fail(message) {
  console.error(`${message}\n\n${USAGE}`);
  process.exit(2);
}
