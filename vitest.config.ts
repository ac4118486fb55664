import { defineConfig } from 'vitest/config'
import { atOrdinaryMoment } from './scripts/test/clock.ts'
import { filesOf, journeyParts } from './scripts/test/journeys.ts'
import { LongestFirst } from './scripts/test/order.ts'
import { inSpan } from './scripts/test/rest.ts'
import { openScratch } from './tests/support/scratch.ts'

openScratch()

/** Files of a worker share what they import: loading the whole server anew for each took longer than many of the tests. */
const shared = {
  pool: 'forks' as const,
  isolate: false,
  maxWorkers: 3,
  // For a test that hangs, not for one on a slow or loaded machine: several times what the slowest took there. A test has a limit of its own only above this.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  setupFiles: ['tests/support/draws.ts', 'tests/support/tidy.ts'],
  // What is awaited comes when it comes on a loaded machine; only a test that fails waits this out.
  expect: { poll: { timeout: 30_000, interval: 50 } },
}

/** `npm test` runs these at an hour of their own, see scripts/test/steps.ts. */
const elsewhere = process.env.TEST_PART === 'timeless' ? atOrdinaryMoment.map((path) => (path.endsWith('.ts') ? path : `${path}/**`)) : []

const seed = process.env.TEST_SEED

/** Each project has an Outpost of its own, whose demo company its files use one after the other. */
const together = { ...shared, globalSetup: ['tests/e2e/setup.ts'], testTimeout: 400_000, fileParallelism: false }

/**
 * Projects: unit (pure code, beside it), doors and kernel (tests/: real Postgres and whatever else is behind a door), browser (the built console in Chromium),
 * walk, field and e2e (console, server and Postgres together, as a user meets them).
 */
export default defineConfig({
  test: {
    // A seed of one's own draws the order too: files share what a worker holds, and none may need another before it.
    sequence: seed === undefined ? { sequencer: LongestFirst } : { shuffle: { files: true }, seed: Number(seed) },
    projects: [
      { test: { ...shared, name: 'unit', ...inSpan({ include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.{ts,tsx}'] }) } },
      {
        test: {
          ...shared,
          name: 'doors',
          ...inSpan({
            include: ['tests/**/*.test.ts'],
            exclude: ['tests/e2e/**', 'tests/bench/**', 'tests/console/**', 'tests/kernel/**', ...elsewhere],
          }),
          globalSetup: ['tests/support/cluster.ts'],
        },
      },
      // They declare resources under names of real ones, which nobody else may meet.
      {
        test: {
          ...shared,
          name: 'kernel',
          isolate: true,
          ...inSpan({ include: ['tests/kernel/**/*.test.ts'] }),
          globalSetup: ['tests/support/cluster.ts'],
        },
      },
      { test: { ...shared, name: 'browser', ...inSpan({ include: ['tests/console/**/*.test.ts'] }), testTimeout: 180_000 } },
      ...journeyParts.map((part) => ({ test: { ...together, name: part, ...inSpan(filesOf(part)) } })),
    ],
  },
})
