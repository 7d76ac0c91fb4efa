/**
 * Tests run against the sources: the `source` condition finds our packages without a build. `unit` needs nothing but git;
 * `e2e` runs the built program, which its global setup builds once.
 */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './tests/long-first.js';

const resolve = { conditions: ['source', 'module', 'node', 'import', 'default'] };
const alias = [
  { find: /^fast-check$/, replacement: fileURLToPath(new URL('tests/fast-check.config.ts', import.meta.url)) },
];
const shared = {
  alias,
  setupFiles: ['./tests/setup.ts'],
  // Slow and shared machines are the rule; no test asserts a time.
  testTimeout: 120_000,
  hookTimeout: 240_000,
  teardownTimeout: 60_000,
  // To load the sources anew for each file took a tenth of the whole time. What a test changes of its process, it changes back.
  isolate: false,
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        ssr: { resolve },
        test: {
          ...shared,
          name: 'unit',
          sequence: { groupOrder: 0 },
          // By itself, vitest leaves one core idle, which on two is half of them.
          maxWorkers: availableParallelism(),
          include: ['packages/*/tests/**/*.test.ts', 'tests/*.test.ts', 'tests/house/**/*.test.ts'],
        },
      },
      {
        ssr: { resolve },
        test: {
          ...shared,
          name: 'e2e',
          // After the quick ones, which say more about what broke.
          sequence: { groupOrder: 1 },
          include: ['tests/e2e/**/*.test.ts', 'tests/fuzz/**/*.test.ts'],
          globalSetup: ['./tests/e2e/support/build.ts'],
          // Many of these start git and the program dozens of times: more at once only slows each.
          maxWorkers: 2,
        },
      },
    ],
  },
});
