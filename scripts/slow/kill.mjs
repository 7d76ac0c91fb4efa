/** Captures killed at random moments. */
import {
  auditStore,
  plainRepository,
  pseudoRandom,
  removeTemporaries,
  savepoint,
  storedSnapshots,
} from '@savepoint/testkit';
import { readWords, seed as anySeed, whole } from './words.mjs';

const { rounds, seed } = readWords({
  command: 'slow:kill',
  about: `Kills captures (kill -9) at random moments. Every id that was printed is there, complete and valid; nothing half-written
is visible; nothing of ours is left behind.`,
  options: { rounds: whole(500, 'captures, of which some seven in eight are to be killed'), seed: anySeed() },
});
console.log(`${String(rounds)} rounds with seed ${String(seed)}`);

const fixture = plainRepository();
const random = pseudoRandom(seed, rounds * 2);
const place = { cwd: fixture.root, home: fixture.home };
const printed = new Set();
/** Of captures that follow another, as those that are killed do; the very first one takes longer. */
const times = [];
for (let count = 0; count < 6; count += 1) {
  fixture.write('src/two.txt', `before, ${String(count)}\n`);
  const start = Date.now();
  const answer = await savepoint(['--json', 'capture', '-m', 'before'], place);
  if (answer.code !== 0) throw new Error(answer.stderr);
  times.push(Date.now() - start);
  printed.add(answer.json().id);
}
const usual = times.slice(1).sort((a, b) => a - b)[2];
const problems = [];
let killed = 0;

for (let round = 0; round < rounds; round += 1) {
  fixture.write('src/two.txt', `round ${String(round)}\n`);
  if (round % 5 === 0) fixture.write(`born/${String(round)}.bin`, pseudoRandom(round + 1, 100_000));
  const killAfter = 5 + Math.floor((random[round] / 256) * usual * 1.6);
  // Now and then one lives: what was never captured piles up, and then each takes too long to come to its end.
  const spared = round % 8 === 7;
  const options = spared ? place : { ...place, killAfter, killGroup: random[rounds + round] % 2 === 0 };
  const answer = await savepoint(['--json', 'capture', '-m', `round ${String(round)}`], options);
  if (answer.signal !== undefined) killed += 1;
  else if (answer.code !== 0) problems.push(`round ${String(round)}: exit ${String(answer.code)} ${answer.stderr}`);
  if (answer.stdout.endsWith('\n')) printed.add(answer.json().id);
  const stored = new Set(storedSnapshots(fixture).map(({ id }) => id));
  for (const id of printed) if (!stored.has(id)) problems.push(`round ${String(round)}: ${id} was printed and is gone`);
  // The audit reads every object: now and then is enough, the last one sees them all.
  if (round % 25 === 24) problems.push(...auditStore(fixture));
  if (round % 50 === 49)
    console.log(`${String(round + 1)} rounds, ${String(killed)} killed, ${String(printed.size)} ids`);
}

problems.push(...auditStore(fixture));
const verified = await savepoint(['--json', 'verify', '--all', '--deep'], place);
const bad = verified.json().results.filter(({ verdict }) => verdict !== 'valid');
problems.push(...bad.map(({ id, verdict }) => `${id}: ${verdict}`));
removeTemporaries();
console.log(
  `killed ${String(killed)} of ${String(rounds)}; ${String(printed.size)} ids printed; ${String(problems.length)} problems`,
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
