/** A rewind of 300 files, torn in every way. */
import {
  imagesOf,
  killRewindGroup,
  pseudoRandom,
  removeTemporaries,
  StateTrial,
  stopRewind,
  tearRewind,
  tornTree,
} from '@savepoint/testkit';
import { readWords, seed as anySeed, whole } from './words.mjs';

const CHANGES = 300;
const WAYS = [false, true];
const ERRORS = ['EIO', 'ENOSPC', 'EACCES'];
/** Programs that only read: whether they live on when their parent is killed makes no difference. */
const READS = /cat-file|rev-parse|ls-files|ls-tree|status|check-ignore|for-each-ref|diff-files|config/;

const { from, to, stride, seed, parts } = readWords({
  command: 'slow:rewind',
  about: `Tears a rewind of ${String(CHANGES)} files: creates, overwrites, deletes, changes of type. Afterwards the tree is exactly the one before or the
one after, and nothing is lost. A kill before a call that only reads or syncs leaves what the call before it left: such an n
has no round of its own, and is counted.`,
  parts: {
    kill: 'kill -9 at the n-th call by which it changes the disk or starts git, for every n: what one recorded run has on the disk then is completed by recover once, and once rolled back',
    real: 'the real program killed where something that it started goes on for a moment, and at every 100th call, with all that a user may type next',
    fail: `each of these calls failing, with ${ERRORS.join(', ')}`,
    reads: 'the same with calls that only read, every 50th',
    group: 'all its processes killed at random moments',
    stop: 'stopped, while others try',
  },
  usualParts: ['kill', 'real'],
  options: {
    from: whole(1, 'the first n'),
    to: { ...whole(Infinity, 'the last n'), unsaid: 'the end' },
    stride: whole(1, 'from one n to the next'),
    seed: anySeed(),
  },
});

const tree = await tornTree(CHANGES);
const args = ['--json', '--yes', 'rewind', tree.target, '--exact'];
const outcomes = new Map();
const counts = { rounds: 0, same: 0, failed: 0 };
let told = Date.now();

function tell(what, { problems, ...rest }) {
  counts.rounds += 1;
  const line = [what.part, rest.told, rest.outcome].filter(Boolean).join(': ');
  outcomes.set(line, (outcomes.get(line) ?? 0) + 1);
  if (problems.length > 0) {
    counts.failed += 1;
    console.error(JSON.stringify({ ...what, ...rest, problems }, undefined, 1));
  }
  if (Date.now() - told < 30_000) return;
  told = Date.now();
  console.log(
    `${what.part} ${String(what.n)}: ${String(counts.rounds)} rounds, ${String(counts.failed)} with problems`,
  );
}

/** Numbers of calls that were asked for. */
function* numbers(count, step = stride) {
  for (let n = from; n <= Math.min(count, to); n += step) yield n;
}

let recorded;
async function recording() {
  recorded ??= await StateTrial.record(tree, args);
  return recorded;
}

const goesOn = ({ children }) => children.some((command) => !READS.test(command));

async function allStates() {
  const trial = await recording();
  const { calls } = trial.recording;
  console.log(`kill: ${String(calls.length)} calls, the last being the end`);
  let n = 0;
  let former;
  for (const image of imagesOf(trial.recording)) {
    n += 1;
    if (n < from || n > to || (n - from) % stride !== 0) continue;
    if (image === former) {
      counts.same += 1;
      continue;
    }
    former = image;
    const { what } = calls[n - 1];
    for (const rollBack of WAYS) tell({ part: 'kill', n, what, rollBack }, await trial.recoverFrom(image, rollBack));
  }
}

async function realKills() {
  const trial = await recording();
  const { calls } = trial.recording;
  for (const n of numbers(calls.length - 1)) {
    if (!goesOn(calls[n - 1])) continue;
    const call = { at: n, act: 'kill', kinds: 'changes' };
    for (const rollBack of WAYS) tell({ part: 'real', n, rollBack }, await trial.killAndRecover(args, call, rollBack));
  }
  for (const n of numbers(calls.length - 1, 100 * stride)) {
    const call = { at: n, act: 'kill', kinds: 'changes' };
    for (const rollBack of WAYS) tell({ part: 'real, all', n, rollBack }, await tearRewind(tree, call, { rollBack }));
  }
}

async function failures(kinds, step) {
  const trial = await recording();
  const { count } = await trial.failAndRecover({ kinds }, false);
  console.log(`fail: ${String(count)} calls`);
  for (const n of numbers(count, step)) {
    for (const [number, act] of ERRORS.entries()) {
      const rollBack = (n + number) % 2 === 0;
      const call = { at: n, act, kinds };
      const verdict = await trial.failAndRecover(call, rollBack);
      const isHeld = verdict.outcome === 'held';
      tell({ part: `fail ${act}`, n, rollBack, isHeld }, isHeld ? await tearRewind(tree, call, { rollBack }) : verdict);
    }
  }
}

async function groupKills() {
  const start = Date.now();
  await tearRewind(tree, { kinds: 'changes' }, { rollBack: false });
  const usual = (Date.now() - start) / 4;
  const rounds = Math.max(4, Math.ceil(400 / stride));
  const random = pseudoRandom(seed, rounds);
  console.log(`group: ${String(rounds)} rounds with seed ${String(seed)}`);
  for (let n = 0; n < rounds; n += 1) {
    const after = 20 + (random[n] / 256) * usual;
    tell({ part: 'group', n, after }, await killRewindGroup(tree, after, { rollBack: n % 2 === 0 }));
  }
}

async function stops() {
  const { count } = await tearRewind(tree, { kinds: 'changes' }, { rollBack: false });
  for (const n of numbers(count, Math.max(stride, Math.ceil(count / 40))))
    tell({ part: 'stop', n }, await stopRewind(tree, n, { rollBack: n % 2 === 0 }));
}

const PARTS = {
  kill: allStates,
  real: realKills,
  fail: () => failures('changes', stride),
  reads: () => failures('all', 50 * stride),
  group: groupKills,
  stop: stops,
};

for (const name of parts) {
  const start = Date.now();
  await PARTS[name]();
  console.log(`${name}: ${String(Math.round((Date.now() - start) / 1000))} s`);
}
removeTemporaries();
for (const [outcome, count] of [...outcomes].sort()) console.log(`${String(count).padStart(6)} x ${outcome}`);
const { rounds, same, failed } = counts;
console.log(
  `${String(rounds)} rounds, ${String(same)} calls that left the disk as it was, ${String(failed)} with problems`,
);
process.exitCode = failed === 0 ? 0 : 1;
