/**
 * Tears a rewind of 300 files in every way: kill -9 at the n-th call by which it touches the disk or starts git, for every
 * n, once completed and once rolled back; each call failing; the whole process group killed at random moments; stopped,
 * while others try. `npm run slow:rewind [STRIDE] [PART] [SEED]`: every STRIDE-th call only; PART is one of those below.
 */
import { killRewindGroup, pseudoRandom, removeTemporaries, stopRewind, tearRewind, tornTree } from '@savepoint/testkit';

const CHANGES = 300;
const stride = Number(process.argv[2] ?? 1);
const only = process.argv[3];
const seed = Number(process.argv[4] ?? Date.now() % 1_000_000);
const ERRORS = ['EIO', 'ENOSPC', 'EACCES'];

const tree = await tornTree(CHANGES);
const outcomes = new Map();
let tried = 0;
let failed = 0;

function tell(what, { struck, at, outcome, told, problems }) {
  if (!struck && problems.length === 0) return;
  tried += 1;
  const line = `${what.part}: ${told}, then ${outcome}`;
  outcomes.set(line, (outcomes.get(line) ?? 0) + 1);
  if (problems.length > 0) {
    failed += 1;
    console.error(JSON.stringify({ ...what, at, outcome, told, problems }, undefined, 1));
  }
  if (tried % 20 === 0) console.log(`${String(tried)} tried, ${String(failed)} with problems`);
}

/** How many calls a rewind makes to which nothing happens. */
async function countCalls(kinds) {
  const { count, problems, outcome } = await tearRewind(tree, { kinds }, { rollBack: false });
  if (problems.length > 0 || outcome !== 'after') throw new Error(`undisturbed: ${outcome} ${problems.join('\n')}`);
  return count;
}

// Another call in each round, so that several strided runs together see them all.
const first = 1 + (seed % stride);

const PARTS = {
  kill: async () => {
    const count = await countCalls('changes');
    console.log(`kill: ${String(count)} calls, every ${String(stride)}. from ${String(first)}`);
    for (let at = first; at <= count; at += stride) {
      for (const rollBack of [false, true])
        tell(
          { part: 'kill', n: at, rollBack },
          await tearRewind(tree, { at, act: 'kill', kinds: 'changes' }, { rollBack }),
        );
    }
  },
  fail: async () => {
    const count = await countCalls('all');
    console.log(`fail: ${String(count)} calls, every ${String(stride)}. from ${String(first)}`);
    for (let at = first; at <= count; at += stride) {
      for (const [number, act] of ERRORS.entries()) {
        const rollBack = (at + number) % 2 === 0;
        tell({ part: `fail ${act}`, n: at, rollBack }, await tearRewind(tree, { at, act, kinds: 'all' }, { rollBack }));
      }
    }
  },
  group: async () => {
    const start = Date.now();
    await tearRewind(tree, { kinds: 'changes' }, { rollBack: false });
    const usual = (Date.now() - start) / 4;
    const rounds = Math.max(4, Math.ceil(400 / stride));
    const random = pseudoRandom(seed, rounds);
    console.log(`group: ${String(rounds)} rounds with seed ${String(seed)}`);
    for (let round = 0; round < rounds; round += 1) {
      const after = 20 + (random[round] / 256) * usual;
      tell({ part: 'group', after }, await killRewindGroup(tree, after, { rollBack: round % 2 === 0 }));
    }
  },
  stop: async () => {
    const count = await countCalls('changes');
    for (let at = first; at <= count; at += Math.max(stride, Math.ceil(count / 40)))
      tell({ part: 'stop', n: at }, await stopRewind(tree, at, { rollBack: at % 2 === 0 }));
  },
};

console.log(`seed ${String(seed)}`);
for (const [name, part] of Object.entries(PARTS)) if (only === undefined || only === name) await part();
removeTemporaries();
for (const [outcome, count] of [...outcomes].sort()) console.log(`${String(count).padStart(6)} x ${outcome}`);
console.log(`${String(tried)} tried, ${String(failed)} with problems`);
process.exitCode = failed === 0 ? 0 : 1;
