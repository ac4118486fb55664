import { defineConfig } from 'vitest/config'

const shared = { pool: 'forks' as const, testTimeout: 30_000, hookTimeout: 30_000 }

/**
 * Projects: unit (pure code, beside it), doors (tests/: real Postgres and whatever else is behind a door), browser (the built console in Chromium),
 * e2e (console, server and Postgres together, as a user meets them).
 */
export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: 'unit', include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.{ts,tsx}'] } },
      {
        test: {
          ...shared,
          name: 'doors',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/e2e/**', 'tests/bench/**', 'tests/console/**'],
          globalSetup: ['tests/support/cluster.ts'],
        },
      },
      { test: { ...shared, name: 'browser', include: ['tests/console/**/*.test.ts'], testTimeout: 120_000, maxWorkers: 2 } },
      {
        test: {
          ...shared, name: 'e2e', include: ['tests/e2e/**/*.test.ts'], globalSetup: ['tests/e2e/setup.ts'],
          testTimeout: 180_000, hookTimeout: 120_000, fileParallelism: false,
        },
      },
    ],
  },
})
