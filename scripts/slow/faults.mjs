/** Captures of which each system call fails once. */
import {
  faultMoments,
  noStrace,
  plainRepository,
  pseudoRandom,
  removeTemporaries,
  savepoint,
  tryFault,
} from '@savepoint/testkit';
import { oneOf, readWords } from './words.mjs';

const FAULTS = {
  write: ['EIO', 'ENOSPC', 'EDQUOT'],
  pwrite64: ['EIO', 'ENOSPC'],
  fsync: ['EIO', 'ENOSPC'],
  rename: ['EIO', 'ENOSPC', 'EACCES', 'EROFS'],
  link: ['EIO', 'ENOSPC', 'EACCES'],
  unlink: ['EIO', 'EACCES'],
  mkdir: ['EIO', 'ENOSPC', 'EACCES', 'EROFS'],
  rmdir: ['EIO'],
  close: ['EIO'],
  chmod: ['EIO', 'EACCES'],
  fchmod: ['EIO'],
  lseek: ['EIO'],
  ftruncate: ['EIO', 'ENOSPC'],
  utimensat: ['EIO', 'EACCES'],
  openat: ['EIO', 'ENOSPC', 'EACCES', 'EMFILE'],
  read: ['EIO'],
  getdents64: ['EIO'],
};
const { call: onlyCall, error: onlyError } = readWords({
  command: 'slow:faults',
  about: `Makes every system call of a kind fail once, over real captures: each ends in a whole snapshot or a clear error, and the
next capture works. Needs Linux and strace.`,
  options: {
    call: oneOf(Object.keys(FAULTS), 'only this'),
    error: oneOf([...new Set(Object.values(FAULTS).flat())].sort(), 'only this, of those that the call can have'),
  },
});
const missing = noStrace();
if (missing !== undefined) {
  console.error(missing);
  process.exit(2);
}

/** So that a fault can strike a file that is known and a new one. */
function change(fixture, text) {
  fixture.write('src/two.txt', text);
  fixture.write(`born/${text.trim().replaceAll(' ', '-')}.bin`, pseudoRandom(text.length, 5000));
}

async function campaign(call, error) {
  const fixture = plainRepository();
  const place = { cwd: fixture.root, home: fixture.home };
  const first = await savepoint(['--json', 'capture', '-m', 'first'], place);
  if (first.code !== 0) throw new Error(first.stderr);
  change(fixture, `${call} ${error}\n`);
  for (const when of faultMoments(fixture, call)) {
    change(fixture, `${call} ${error} ${String(when)}\n`);
    tell({ call, error, when }, await tryFault(fixture, { call, error, when }));
  }
}

let tried = 0;
let failed = 0;
const outcomes = new Map();

function tell(fault, trial) {
  if (!trial.struck) return;
  tried += 1;
  const ending = trial.code === 0 ? 'a snapshot' : `exit ${String(trial.code)} ${trial.errorCode ?? ''}`;
  const outcome = `${fault.call} ${fault.error}: ${ending}`;
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  if (trial.problems.length === 0) return;
  failed += 1;
  console.error(JSON.stringify({ ...fault, ...trial }, undefined, 2));
}

for (const [call, errors] of Object.entries(FAULTS)) {
  if (onlyCall !== undefined && onlyCall !== call) continue;
  for (const error of errors) {
    if (onlyError !== undefined && onlyError !== error) continue;
    await campaign(call, error);
    removeTemporaries();
  }
}
for (const [outcome, count] of outcomes) console.log(`${String(count).padStart(5)} x ${outcome}`);
console.log(`${String(tried)} faults, ${String(failed)} with problems`);
// A call and an error that do not go together try nothing.
process.exitCode = failed === 0 && tried > 0 ? 0 : 1;
