/** Many captures at once. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import {
  auditStore,
  fixtureAt,
  gitEnvironment,
  plainRepository,
  removeTemporaries,
  savepoint,
  storedSnapshots,
} from '@savepoint/testkit';
import { readWords, whole } from './words.mjs';

const { processes, captures } = readWords({
  command: 'slow:parallel',
  about: `Many processes capture at once over two worktrees, while a user stages and commits in both: no snapshot is lost, every
chain is valid, and no command of the user fails.`,
  options: { processes: whole(50, 'how many capture at once'), captures: whole(20, 'what each of them captures') },
});
const main = plainRepository();
const linked = fixtureAt(main.base, join(main.base, 'linked'));
main.git('worktree', 'add', '-q', '-b', 'side', linked.root);

const problems = [];
const wanted = [];
const printed = [];
let active = processes;
let commits = 0;

function git(place, ...args) {
  return new Promise((resolve) => {
    const child = spawn('git', args, {
      cwd: place.root,
      env: gitEnvironment(place.home),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let text = '';
    child.stderr.on('data', (chunk) => (text += chunk));
    child.on('close', (code) => {
      if (code !== 0) problems.push(`the user's git ${args.join(' ')}: ${String(code)} ${text}`);
      resolve();
    });
  });
}

async function user(place) {
  for (let round = 0; active > 0; round += 1) {
    place.write('user.txt', `round ${String(round)}\n`);
    await git(place, 'add', 'user.txt');
    await git(place, 'commit', '-qm', `round ${String(round)}`);
    commits += 1;
  }
}

async function worker(number) {
  const place = number % 2 === 0 ? main : linked;
  for (let round = 0; round < captures; round += 1) {
    const message = `process ${String(number)} capture ${String(round)}`;
    wanted.push(message);
    place.write(`worker ${String(number)}.txt`, `${message}\n`);
    const answer = await savepoint(['--json', 'capture', '-m', message], { cwd: place.root, home: place.home });
    if (answer.code === 0) printed.push(answer.json().id);
    else problems.push(`${message}: exit ${String(answer.code)} ${answer.stderr}`);
    if (printed.length % 100 === 0) console.log(`${String(printed.length)} captures, ${String(commits)} commits`);
  }
  active -= 1;
}

const start = Date.now();
const users = [user(main), user(linked)];
await Promise.all(Array.from({ length: processes }, (_, number) => worker(number)));
await Promise.all(users);
const seconds = Math.round((Date.now() - start) / 1000);

const stored = storedSnapshots(main);
const messages = new Set(stored.map(({ body }) => body.message));
for (const message of wanted) if (!messages.has(message)) problems.push(`lost: ${message}`);
const ids = new Set(stored.map(({ id }) => id));
for (const id of printed) if (!ids.has(id)) problems.push(`printed and gone: ${id}`);
if (stored.length !== wanted.length)
  problems.push(`${String(stored.length)} snapshots instead of ${String(wanted.length)}`);
problems.push(...auditStore(main));
const verified = await savepoint(['--json', 'verify', '--all', '--deep'], { cwd: main.root, home: main.home });
const bad = verified.json().results.filter(({ verdict }) => verdict !== 'valid');
problems.push(...bad.map(({ id, verdict }) => `${id}: ${verdict}`));
removeTemporaries();
console.log(
  `${String(stored.length)} snapshots and ${String(commits)} commits in ${String(seconds)} s; ${String(problems.length)} problems`,
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
