/**
 * fast-check as the tests get it (`vitest.config.ts` puts this in its place): every law draws its cases from one seed,
 * so that a run can be repeated and one commit is not red today and green tomorrow. `SAVEPOINT_SEED=N` takes another one,
 * `SAVEPOINT_SEED=random` a new one each time, which a failure prints.
 */
import { createRequire } from 'node:module';
import type { default as FastCheck } from 'fast-check';

const fc = createRequire(import.meta.url)('fast-check') as typeof FastCheck;

const wish = process.env['SAVEPOINT_SEED'] ?? '20261122';
if (wish !== 'random') fc.configureGlobal({ seed: Number(wish) });

export default fc;
