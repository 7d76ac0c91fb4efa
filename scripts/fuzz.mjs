/**
 * The model-based fuzzer of rewinds for as long as one likes: `npm run fuzz -- [SECONDS] [SEED]`. It prints its seed; the same
 * seed plays the same steps.
 */
import { spawnSync } from 'node:child_process';

const [seconds = '600', seed = String(Date.now() % 2_147_483_647)] = process.argv.slice(2);
console.log(`${seconds} seconds with seed ${seed}`);
const env = {
  ...process.env,
  SAVEPOINT_FUZZ_SECONDS: seconds,
  SAVEPOINT_FUZZ_SEED: seed,
  // It plays the sources.
  SAVEPOINT_TEST_BUILT: '1',
};
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'e2e', 'tests/fuzz'], { env, stdio: 'inherit' });
process.exitCode = status ?? 1;
