/** Turns measurements into Markdown, with each target beside its figure. */
import { median, p95 } from './measure.mjs';

const CAPTURE_TARGETS = { 10_000: { ratio: 1.8, milliseconds: 100 }, 50_000: { ratio: 0.8 } };
/** By the number of changed files; without `files` for every tree. */
const REWIND_TARGETS = { 20: { files: 10_000, ratio: 1.5, milliseconds: 200 }, 1000: { ratio: 3 } };
const LIST_MILLISECONDS = 60;
const MEMORY_BYTES = 150e6;
/** Beside a capture without the log; from the first line on; of a bundle. */
const RECORDS = { more: 60, anew: 1500, anewBytes: 200e6, verify: 100 };
const STORED = { factor: 1.2, perCapture: 4000 };

const number = (value) => value.toLocaleString('en-US');
const milliseconds = (value) =>
  value < 10 ? value.toFixed(1) : value < 10_000 ? value.toFixed(0) : number(Math.round(value));
const time = (values) => `${milliseconds(median(values))} (${milliseconds(p95(values))})`;
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(bytes < 10e6 ? 2 : 0)} MB`;
const verdict = (met) => (met ? 'met' : '**not met**');

function table(titles, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const right = titles.map((title) => (/^(?:what|command|target)/i.test(title) ? '---' : '--:'));
  return [line(titles), line(right), ...rows.map(line)].join('\n');
}

export function captureSection({ sizes }, { runs }) {
  const rows = sizes.flatMap(({ files, cases }) =>
    cases.map(({ dirty, changed, times, untilId }) => {
      const [own, stash, copied] = [times.savepoint, times.stash, times.copied].map(median);
      const cells = [untilId, times.savepoint, times.stash, times.copied].map(time);
      const target = captureTarget(files, median(untilId), own / stash);
      const ratios = [own / stash, own / copied].map((ratio) => ratio.toFixed(2));
      return [number(files), dirty, changed, ...cells, ...ratios, target];
    }),
  );
  const titles = [
    'files',
    'dirty',
    'changed',
    'id printed',
    'Savepoint',
    'stash create',
    'copied index',
    '÷ stash',
    '÷ copied',
    'target',
  ];
  const first = sizes.map(({ files, cold }) => [number(files), time(cold.times), cold.times.length]);
  return [
    '### Capture',
    `Median milliseconds of the whole process (95th percentile) over ${runs} runs of each, turn by turn, after warm-up; _id printed_ is the time from the start of the process until the id is there. Every run had something new to capture.`,
    table(titles, rows),
    'The first capture of a repository, which knows nothing of earlier ones (30 files dirty):',
    table(['files', 'Savepoint, first', 'runs'], first),
  ].join('\n\n');
}

function captureTarget(files, untilId, ratio) {
  const target = CAPTURE_TARGETS[files];
  if (target === undefined) return 'none';
  const parts = [`÷ stash ≤ ${target.ratio}: ${verdict(ratio <= target.ratio)}`];
  if (target.milliseconds !== undefined)
    parts.push(`id < ${target.milliseconds} ms: ${verdict(untilId < target.milliseconds)}`);
  return parts.join('; ');
}

export function rewindSection({ sizes }, { runs }) {
  const rows = sizes.flatMap(({ files, cases }) =>
    cases.map(({ changed, times, syncs }) => {
      const [own, elsewhere, head] = [times.savepoint, times.elsewhere, times.head].map(median);
      const cells = [times.savepoint, times.elsewhere, times.head].map(time);
      const ratios = [own / elsewhere, own / head].map((ratio) => ratio.toFixed(2));
      const target = rewindTarget({ files, changed, own, ratio: own / elsewhere });
      return [number(files), number(changed), ...cells, ...ratios, syncText(syncs), target];
    }),
  );
  const titles = [
    'files',
    'changed',
    'Savepoint',
    'git',
    'git to HEAD',
    '÷ git',
    '÷ git to HEAD',
    'in syncs',
    'target',
  ];
  return [
    '### Rewind',
    `Median milliseconds of the whole process (95th percentile) over ${runs} runs of each, turn by turn, after warm-up. Savepoint's time holds the safety snapshot, the snapshot after it, and the record that undo needs. _git_ is \`git stash push -u\` and \`git checkout\` of a commit other than HEAD, _git to HEAD_ the same where the stash alone brings the state back.`,
    table(titles, rows),
  ].join('\n\n');
}

function rewindTarget({ files, changed, own, ratio }) {
  const target = REWIND_TARGETS[changed];
  if (target === undefined || (target.files ?? files) !== files) return 'none';
  const parts = [`÷ git ≤ ${target.ratio}: ${verdict(ratio <= target.ratio)}`];
  if (target.milliseconds !== undefined)
    parts.push(`< ${target.milliseconds} ms: ${verdict(own < target.milliseconds)}`);
  return parts.join('; ');
}

function syncText(syncs) {
  const known = syncs.filter((one) => one !== undefined);
  if (known.length === 0) return 'not measured';
  const middle = (of) => median(known.map(of));
  const [share, waited] = [middle((one) => one.share), middle((one) => one.milliseconds)];
  return `${(100 * share).toFixed(0)} %: ${milliseconds(waited)} ms, ${Math.round(middle((one) => one.count))} syncs`;
}

export function listSection({ snapshots, sample, times, cold }, { runs }) {
  const target = (name, values) =>
    name.startsWith('list') ? `< ${LIST_MILLISECONDS} ms: ${verdict(median(values) < LIST_MILLISECONDS)}` : 'none';
  const rows = Object.entries(times).map(([name, values]) => [
    `\`savepoint ${name}\``,
    time(values),
    target(name, values),
  ]);
  return [
    `### List and show, with ${number(snapshots)} snapshots`,
    `Median milliseconds of the whole process (95th percentile) over ${runs} runs. The snapshots were written and signed by the library; ${sample} of them were verified.`,
    table(['command', 'milliseconds', 'target'], rows),
    'When `.git/savepoint/cache` was deleted just before:',
    table(
      ['command', 'milliseconds', 'runs'],
      Object.entries(cold.times).map(([name, values]) => [`\`savepoint ${name}\``, time(values), values.length]),
    ),
  ].join('\n\n');
}

const allowedBytes = (gzip, captures) => STORED.factor * gzip + STORED.perCapture * captures;

export function transcriptSection(result) {
  return [
    `### ${result.captures} captures of a log growing to ${megabytes(result.log)}`,
    transcriptFigures(result),
    'How it grew:',
    transcriptGrowth(result),
  ].join('\n\n');
}

function transcriptFigures({ captures, gzip, stored, merged, times, background, redactions, whole }) {
  const limit = allowedBytes(gzip, captures);
  const share = (bytes) => `${((100 * bytes) / limit).toFixed(0)} %`;
  const tenth = Math.ceil(captures / 10);
  return table(
    ['what', 'figure', 'target'],
    [
      ['gzip -6 of the log', megabytes(gzip), ''],
      [`allowed: ${STORED.factor} × gzip + ${STORED.perCapture} bytes a capture`, megabytes(limit), ''],
      [
        'stored, sum of file sizes',
        `${megabytes(stored.bytes)} (${share(stored.bytes)} of allowed)`,
        verdict(stored.bytes < limit),
      ],
      [
        'stored, blocks of the file system (`du`)',
        `${megabytes(stored.disk)} (${share(stored.disk)} of allowed)`,
        verdict(stored.disk < limit),
      ],
      ['the same after `savepoint maintain`', `${megabytes(merged.bytes)}; \`du\` ${megabytes(merged.disk)}`, ''],
      ['time of a capture, all', `${time(times)} ms`, ''],
      ['time, first tenth', `${time(times.slice(0, tenth))} ms`, ''],
      ['time, last tenth', `${time(times.slice(-tenth))} ms`, ''],
      ['longest work in the background after one', `${milliseconds(background)} ms`, ''],
      [`first capture of the whole log (${whole.times.length} runs)`, `${time(whole.times)} ms`, ''],
      ['secrets found by the redactor (there are none)', redactions, ''],
    ],
  );
}

function transcriptGrowth({ growth }) {
  const rows = growth.map((row) => [
    row.captures,
    ...[row.log, allowedBytes(row.gzip, row.captures), row.bytes, row.disk].map(megabytes),
    number(row.files),
  ]);
  return table(['captures', 'log', 'allowed', 'stored', 'du', 'more files'], rows);
}

export function recordsSection({ log, added, times, memory, bundle }) {
  const [without, with_, anew] = [times.without, times.with, times.anew].map(median);
  const peak = memory.anew.largest;
  const rows = [
    ['a capture without the log', `${time(times.without)} ms`, 'none'],
    [`a capture with ${number(added / 1000)} kB of the log that are new`, `${time(times.with)} ms`, 'none'],
    ['more than without', `${milliseconds(with_ - without)} ms`, below(with_ - without, RECORDS.more)],
    [`the same, all records made anew (${times.anew.length} runs)`, `${time(times.anew)} ms`, 'none'],
    ['more than with: the fold from nothing', `${milliseconds(anew - with_)} ms`, below(anew - with_, RECORDS.anew)],
    [
      'peak memory of that process',
      kilobytes(peak),
      peak === undefined ? 'none' : `< ${megabytes(RECORDS.anewBytes)}: ${verdict(peak * 1024 < RECORDS.anewBytes)}`,
    ],
    [
      `\`savepoint verify FILE\` of a bundle of ${megabytes(bundle.bytes)}`,
      `${time(bundle.times)} ms`,
      below(median(bundle.times), RECORDS.verify),
    ],
  ];
  return [
    `### Records of a log of ${megabytes(log)}`,
    `Median milliseconds of the whole process (95th percentile) over ${times.with.length} runs, turn by turn.`,
    table(['what', 'figure', 'target'], rows),
  ].join('\n\n');
}

const below = (value, limit) => `≤ ${limit} ms: ${verdict(value <= limit)}`;

/** `results` has the parts that were measured. */
export function memorySection({ capture, rewind, list, transcript, records }) {
  const rows = [];
  const add = (what, { largest, together }) =>
    rows.push([what, kilobytes(largest), kilobytes(together), memoryTarget(largest, together)]);
  for (const { files, cold, cases } of capture?.sizes ?? []) {
    add(`first capture, ${number(files)} files`, cold.memory);
    for (const { dirty, changed, memory } of cases)
      add(`capture, ${number(files)} files, ${dirty} dirty, ${changed} changed`, memory);
  }
  for (const { files, cases } of rewind?.sizes ?? []) {
    for (const { changed, memory } of cases) add(`rewind, ${number(files)} files, ${number(changed)} changed`, memory);
  }
  for (const [name, memory] of Object.entries(list?.memory ?? {})) add(`\`savepoint ${name}\``, memory);
  for (const [name, memory] of Object.entries(list?.cold.memory ?? {}))
    add(`\`savepoint ${name}\`, cache deleted`, memory);
  if (transcript !== undefined) {
    const peaks = transcript.peaks.filter((peak) => peak !== undefined);
    add(`capture of the growing log, the most of ${transcript.captures}`, {
      largest: peaks.length > 0 ? Math.max(...peaks) : undefined,
    });
    add('first capture of the whole log', transcript.whole.memory);
  }
  if (records !== undefined) {
    add('capture with a log of which 50 kB are new', records.memory.with);
    add('the same, all records made anew', records.memory.anew);
    add('`savepoint verify FILE` of a bundle', records.bundle.memory);
  }
  return [
    '### Memory',
    'Peak resident memory of the largest process, and the most that Savepoint and the git processes that it starts had together: sampled every few milliseconds, and counting shared pages more than once.',
    table(['what', 'largest process', 'all together', `target < ${megabytes(MEMORY_BYTES)}`], rows),
  ].join('\n\n');
}

const kilobytes = (value) => (value === undefined ? 'not measured' : megabytes(value * 1024));

function memoryTarget(largest, together) {
  const judge = (name, value) => (value === undefined ? [] : [`${name}: ${verdict(value * 1024 < MEMORY_BYTES)}`]);
  return [...judge('largest', largest), ...judge('together', together)].join('; ') || 'none';
}

export function machineSection(machine, { seconds, loadAtEnd }) {
  const rows = [
    ['date', machine.date],
    ['Savepoint', `commit ${machine.version}`],
    ['CPU', `${machine.cpu}, ${machine.cores} cores`],
    ['memory', `${(machine.memory / 1e9).toFixed(0)} GB`],
    ['kernel', machine.kernel],
    ['file system', machine.fileSystem],
    ['Node', machine.node],
    ['git', machine.git],
    ['an empty Node process', `${milliseconds(machine.emptyNode)} ms`],
    ['`git --version`', `${milliseconds(machine.emptyGit)} ms`],
    ['4 KiB written and synced', `${milliseconds(machine.sync)} ms`],
    ['load average, before and after', `${machine.load.toFixed(2)}, ${loadAtEnd.toFixed(2)}`],
    ['duration', `${Math.round(seconds / 60)} min`],
  ];
  return ['### Machine', table(['what', 'target'], rows).replace('| what | target |', '|  |  |')].join('\n\n');
}
