/** Tests run against the sources: the `source` condition finds our packages without a build. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['source', 'module', 'node', 'import', 'default'] } },
  test: {
    include: ['packages/*/tests/**/*.test.ts', 'tests/**/*.test.ts'],
    // Campaigns of many minutes: `npm run test:slow`.
    exclude: ['**/node_modules/**', 'tests/slow/**'],
    // Slow and shared machines are the rule; no test asserts a time.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
