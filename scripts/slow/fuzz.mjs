/** The model-based fuzzer of rewinds, for as long as one likes. */
import { spawnSync } from 'node:child_process';
import { readWords, seed as anySeed, whole } from './words.mjs';

const { seconds, seed } = readWords({
  command: 'fuzz',
  about: `Plays random users, agents and git against a model of rewinds: edits, renames, links, commits, rebases, merges with conflicts,
between captures, rewinds, restores, undos and redos. A failure is made as small as it gets, and printed.`,
  options: { seconds: whole(600, 'how long; no sequence is begun after it'), seed: anySeed() },
});
console.log(`${seconds} seconds with seed ${seed}`);
const env = {
  ...process.env,
  SAVEPOINT_FUZZ_SECONDS: String(seconds),
  SAVEPOINT_FUZZ_SEED: String(seed),
  // It plays the sources.
  SAVEPOINT_TEST_BUILT: '1',
};
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'e2e', 'tests/fuzz'], { env, stdio: 'inherit' });
process.exitCode = status ?? 1;
